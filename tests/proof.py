"""The figures of the long runs: one section each of ``docs/proof.md``, written by the run itself with the commit that was proved."""

import re
import subprocess
from collections.abc import Mapping
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_PAGE = _ROOT / "docs" / "proof.md"
_HEADING = "# Proof\n\nFigures of `make prove`, each with the commit that was run. The runs write this page themselves.\n"


def write(title: str, figures: Mapping[str, int | float]) -> None:
    """Puts the figures under a title of their own, in place of those of the run before."""
    page = _PAGE.read_text(encoding="utf-8") if _PAGE.exists() else _HEADING
    rows = "".join(f"| {name} | {number:,} |\n" for name, number in figures.items())
    section = f"\n## {title}\n\nCommit {_commit()}.\n\n| | |\n|---|--:|\n{rows}"
    pattern = re.compile(rf"\n## {re.escape(title)}\n.*?(?=\n## |\Z)", re.DOTALL)
    page = pattern.sub(lambda _: section, page) if pattern.search(page) else page.rstrip("\n") + "\n" + section
    _PAGE.write_text(page, encoding="utf-8")


def _commit() -> str:
    """The commit, and whether the files were as committed."""
    number = _git("rev-parse", "--short=12", "HEAD").strip() or "unknown"
    changed = [line for line in _git("status", "--porcelain").splitlines() if not line.endswith("docs/proof.md")]
    return f"`{number}`" + (" with changes that are not committed" if changed else "")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=_ROOT, capture_output=True, text=True, check=False).stdout
