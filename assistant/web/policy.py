"""What a browser may do with our pages: nothing that this table does not name, and no address of ours reaches others.

The second net of the page: what a model or a customer wrote becomes text nodes and nothing else, and where that failed
no script, style, picture, form or frame of others would run, load or send.
"""

from collections.abc import Mapping

_DIRECTIVES: Mapping[str, str] = {
    "default-src": "'none'",
    "script-src": "'self'",
    "style-src": "'self'",
    "connect-src": "'self'",
    "img-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'self'",
    "frame-ancestors": "'none'",
    "require-trusted-types-for": "'script'",
    "trusted-types": "'none'",
}

HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "; ".join(f"{name} {value}" for name, value in _DIRECTIVES.items()),
    "Referrer-Policy": "no-referrer",
}
