"""Scripts, styles and pictures of the pages, under an address that changes with their content: browsers keep them for good.

All are read once. The digest of all of them is a part of each path, so that scripts find one another by relative
paths and a page never mixes files of two versions.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path, PurePath

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from assistant.web.policy import HEADERS

FOLDER = Path(__file__).parent / "static"

#: What is served; licences and the manifest beside the files of others are not.
_MEDIA_TYPES: Mapping[str, str] = {
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
}
_FOR_GOOD = {"Cache-Control": "public, max-age=31536000, immutable", "Cross-Origin-Resource-Policy": "same-origin"}


class Static:
    """The files, and where they are."""

    def __init__(self, folder: Path = FOLDER) -> None:
        paths = (path for path in sorted(folder.rglob("*")) if path.is_file() and path.suffix in _MEDIA_TYPES)
        self._files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
        digest = hashlib.sha256()
        for name, content in self._files.items():
            digest.update(name.encode() + b"\0" + hashlib.sha256(content).digest())
        self._root = f"/static/{digest.hexdigest()[:16]}"

    def url(self, name: str) -> str:
        """The address of a file; raises ``KeyError`` when there is none of this name."""
        self._files[name]
        return f"{self._root}/{name}"

    def route(self) -> Route:
        """The route, for Starlette."""
        return Route(f"{self._root}/{{name:path}}", self._serve)

    async def _serve(self, request: Request) -> Response:
        name = request.path_params["name"]
        content = self._files.get(name)
        if content is None:
            raise HTTPException(404)
        return Response(content, headers={**HEADERS, **_FOR_GOOD}, media_type=_MEDIA_TYPES[PurePath(name).suffix])
