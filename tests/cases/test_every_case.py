"""Every reported fault of these groups is tested, or is said here not to concern us."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

_TESTS = Path(__file__).parents[1]
_FILES = (
    *sorted(Path(__file__).parent.glob("test_reports_*.py")),
    _TESTS / "veil" / "scrub" / "test_cases.py",
    _TESTS / "assistant" / "test_context.py",
    _TESTS / "web" / "test_exfiltration.py",
)
CASES = {
    "restore": "B001 B002 B003 B005 B006 B008 B009 B011 B012 B014 B015 B016 B019 B020 B021 B023",
    "leak": "B024 B025 B026 B027 B029 B031 B032 B033 B036 B037 B038 B039",
    "scrub": "B060 B061 B062 B064 B065 B066 B069 B070 B071 B072 B074 B076 B078 B079 B080 B082 B083 B085 B086",
    "names": "B087 B088 B090 B091 B093 B094 B095 B096 B098 B099 B102 B103 B104 B106 B107 B108",
    "streaming": "B042 B043 B044 B045 B047 B049 B050 B052 B053 B054 B057 B058 B059",
    "tool_loop": "B110 B111 B112 B113 B116 B117 B119 B120 B121 B122 B125 B126 B127",
    "exfiltration": "B153 B154 B155 B156 B159 B160 B161 B163 B164 B165",
    "crm_assistant": "B183 B184 B185 B186 B189 B190 B192 B193 B194 B195 B198",
}
#: Cases that cannot concern us, each with its reason. What is only partly ours is tested as far as it is, and its test says what is not.
CASES_NOT_OURS: dict[str, str] = {}


def _tested() -> Iterator[str]:
    """The cases that a test is named for, or a row of a table of tests."""
    for file in _FILES:
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                yield from re.findall(r"b\d{3}", node.name)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield from re.findall(r"\AB\d{3}\b(?!\n)", node.value)


def test_every_case_of_these_groups_is_tested_or_said_not_to_concern_us() -> None:
    known = {number for group in CASES.values() for number in group.split()}
    tested = {number.upper() for number in _tested()}
    assert sorted(known - tested) == sorted(CASES_NOT_OURS)
    assert all(CASES_NOT_OURS.values())
