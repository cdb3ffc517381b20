"""The secret that signs the demo's tokens: made at the first start, kept in the data folder for its owner only."""

import os
import secrets
from pathlib import Path

from assistant.errors import SettingsError
from assistant.settings import Settings

_FILE = "jwt_secret"


def demo_secret(settings: Settings) -> str:
    """The secret of the environment, else the one in the data folder, which is made if need be."""
    return _given(settings) or _kept(settings.data_dir) or _made(settings.data_dir)


def signing_secret(settings: Settings) -> str:
    """The secret with which ``velo token`` and ``velo chat`` sign; raises ``SettingsError`` where there is none."""
    secret = _given(settings) or _kept(settings.data_dir)
    if secret is None:
        raise SettingsError("there is no secret to sign with: start `velo demo` first (with the same VELO_DATA_DIR), or set VELO_JWT_SECRET")
    return secret


def _given(settings: Settings) -> str | None:
    return settings.jwt_secret.get_secret_value() if settings.jwt_secret is not None else None


def _kept(folder: Path) -> str | None:
    try:
        return (folder / _FILE).read_text(encoding="ascii").strip() or None
    except FileNotFoundError:
        return None


def _made(folder: Path) -> str:
    folder.mkdir(mode=0o755, parents=True, exist_ok=True)
    secret = secrets.token_hex(32)
    with open(os.open(folder / _FILE, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(secret)
    return secret
