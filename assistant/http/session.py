"""The session of our own pages: a cookie that holds a member's token for as long as the token lives.

Browsers send a cookie with every request, whoever caused it: pages of other ports of the same machine are "same-site".
So the cookie counts only for requests that come from our own pages, and whoever sends ``Authorization`` is never
judged by a cookie.
"""

from urllib.parse import urlsplit

from starlette.requests import Request
from starlette.responses import Response

_COOKIE = "velo_session"
#: Over HTTPS the name itself keeps pages of neighbouring hosts from planting a session of theirs.
_SECURE_COOKIE = "__Host-velo_session"
_READING = ("GET", "HEAD")


def authorization_of(request: Request) -> str | None:
    """The proof that a request of the API brings: its ``Authorization`` header, else the session of our own pages."""
    header = request.headers.get("Authorization")
    if header is not None:
        return header
    token = token_of(request)
    return f"Bearer {token}" if token is not None and is_ours(request) else None


def token_of(request: Request) -> str | None:
    """The token in the session's cookie."""
    return request.cookies.get(_name(request)) or None


def is_ours(request: Request) -> bool:
    """Whether one of our own pages sent the request.

    Browsers that know better than ``Origin`` say so in a header that no script can set. Where neither is there,
    reading is allowed (no other page can see the answer), writing is not.
    """
    site, origin = request.headers.get("Sec-Fetch-Site"), request.headers.get("Origin")
    if site is not None:
        return site == "same-origin"
    if origin is not None:
        return _host_of(origin) == request.headers.get("Host", "").lower()
    return request.method in _READING


def begin(request: Request, response: Response, token: str, *, seconds: int) -> None:
    """Keep the token in the browser for this long; scripts cannot read it there."""
    response.set_cookie(
        _name(request), token, max_age=seconds, path="/", secure=_over_https(request), httponly=True, samesite="strict"
    )


def end(request: Request, response: Response) -> None:
    """Make the browser forget the token."""
    response.delete_cookie(_name(request), path="/", secure=_over_https(request), httponly=True, samesite="strict")


def _name(request: Request) -> str:
    return _SECURE_COOKIE if _over_https(request) else _COOKIE


def _over_https(request: Request) -> bool:
    """Whether the browser speaks HTTPS, to us or to what stands before us: who lies about it only locks themselves out."""
    return request.url.scheme == "https" or request.headers.get("X-Forwarded-Proto", "").strip().lower() == "https"


def _host_of(origin: str) -> str:
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""
