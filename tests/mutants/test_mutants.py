"""Every mistake of the catalogue makes each of its killers fail; the unchanged copy makes none of them fail."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests import proof
from tests.mutants.catalogue import MUTANTS, Mutant

ROOT = Path(__file__).parents[2]
_COPIED = ("assistant", "tools", "audit", "veil", "db", "tests")
#: Exit statuses of pytest: all passed, some failed.
_PASSED, _FAILED = 0, 1
_OPTIONS = ("-q", "-p", "no:randomly", "-p", "no:cacheprovider", "--tb=no")


@pytest.fixture(scope="module")
def killed(request: pytest.FixtureRequest) -> Iterator[list[str]]:
    """The mutants that a test noticed; a whole long run writes their number to docs/proof.md."""
    names: list[str] = []
    yield names
    if request.config.getoption("--prove") and len(names) == len(MUTANTS):
        proof.write("Mutants", {"mutants": len(MUTANTS), "noticed by each test named for them": len(names)})


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_is_an_edit_of_the_present_source(mutant: Mutant) -> None:
    for edit in mutant.edits:
        assert (ROOT / edit.file).read_text(encoding="utf-8").count(edit.old) == 1, f"{edit.file} has changed; change the mutant with it"
        assert edit.old != edit.new


def test_mutants_have_names_of_their_own_and_the_readme_lists_them() -> None:
    readme = (Path(__file__).parent / "README.md").read_text(encoding="utf-8")
    rows = [line.split("|")[2].strip() for line in readme.splitlines() if line.startswith("|")][2:]
    assert rows == [mutant.name for mutant in MUTANTS]
    assert all(killer.rpartition("::")[2] in readme for mutant in MUTANTS for killer in mutant.killers)


@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if mutant.quick], ids=lambda mutant: mutant.name)
def test_a_quick_mutant_is_killed(mutant: Mutant, tmp_path: Path, killed: list[str]) -> None:
    assert_killed(mutant, tmp_path)
    killed.append(mutant.name)


@pytest.mark.prove
@pytest.mark.parametrize("mutant", [mutant for mutant in MUTANTS if not mutant.quick], ids=lambda mutant: mutant.name)
def test_a_mutant_is_killed(mutant: Mutant, tmp_path: Path, killed: list[str]) -> None:
    assert_killed(mutant, tmp_path)
    killed.append(mutant.name)


@pytest.mark.prove
def test_no_killer_fails_on_the_unchanged_source(tmp_path: Path) -> None:
    status, failed = run(copy(tmp_path), {killer for mutant in MUTANTS for killer in mutant.killers})
    assert (status, failed) == (_PASSED, set())


def assert_killed(mutant: Mutant, folder: Path) -> None:
    """Each killer fails under the mutant: by an assertion, not because nothing runs any more."""
    tree = copy(folder)
    for edit in mutant.edits:
        file = tree / edit.file
        file.write_text(file.read_text(encoding="utf-8").replace(edit.old, edit.new), encoding="utf-8")
    status, failed = run(tree, mutant.killers)
    assert status == _FAILED
    survived = [killer for killer in mutant.killers if killer.rpartition("::")[2] not in failed]
    assert not survived, f"{mutant.name}: not killed by {survived}"


def copy(folder: Path) -> Path:
    """The tree without what is built or stored beside it."""
    tree = folder / "copy"
    for name in _COPIED:
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__", ".hypothesis"))
    shutil.copy(ROOT / "pyproject.toml", tree)
    return tree


def run(tree: Path, tests: Iterable[str]) -> tuple[int, set[str]]:
    """How pytest ended in this tree, and the functions of which at least one case failed."""
    report = tree / "report.xml"
    command = [sys.executable, "-m", "pytest", *_OPTIONS, f"--junitxml={report}", *sorted(tests)]
    done = subprocess.run(command, cwd=tree, capture_output=True, text=True, timeout=600, check=False)
    assert report.exists(), done.stdout + done.stderr
    failed = {
        case.attrib["name"].partition("[")[0]
        for case in ElementTree.parse(report).iter("testcase")  # noqa: S314 - pytest has just written it
        if case.find("failure") is not None
    }
    return done.returncode, failed
