"""Named statements out of the .sql file beside the noun that owns them.

A file is a row of blocks: `-- name: open_deals_of_owner`, comment lines that say what comes back and what each `$n`
is, then one statement. A name gives the result, so that a call reads as a sentence.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType

_HEADER = re.compile(r"^-- name: *(.*?) *$", re.MULTILINE)
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@cache
def load(package: str, name: str) -> Mapping[str, str]:
    """The statements of `name` (with or without .sql) in `package`, by their names."""
    file = name if name.endswith(".sql") else f"{name}.sql"
    return MappingProxyType(parse((files(package) / file).read_text(encoding="utf-8"), file=file))


def parse(text: str, *, file: str) -> dict[str, str]:
    """Splits a file's text into its named statements; anything doubtful is an error of the file's author."""
    before, *blocks = _HEADER.split(text)
    if any(line and not line.startswith("--") for line in map(str.strip, before.splitlines())):
        raise ValueError(f"{file}: SQL stands before the first '-- name:'")
    statements: dict[str, str] = {}
    for name, body in zip(blocks[::2], blocks[1::2], strict=True):
        if not _NAME.fullmatch(name):
            raise ValueError(f"{file}: {name!r} is no name for a statement")
        if name in statements:
            raise ValueError(f"{file}: {name} stands twice")
        statements[name] = _statement(body, where=f"{file}: {name}")
    return statements


def _statement(body: str, *, where: str) -> str:
    """The statement without the comment lines above it and the semicolon at its end."""
    lines = body.strip().splitlines()
    while lines and (not lines[0].strip() or lines[0].lstrip().startswith("--")):
        del lines[0]
    statement = "\n".join(lines).strip().removesuffix(";").rstrip()
    if not statement:
        raise ValueError(f"{where} has no statement")
    return statement
