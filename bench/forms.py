"""The forms under which a row is looked up, computed here: what ``crm.name_forms`` and ``crm.value_forms`` hold of it.

A test holds this and the SQL together.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Any

import regex

from veil import lexicon
from veil.fold import fold, name_words
from veil.tokens import Kind

#: The tables whose rows have names, and what kind of entity a row is.
KINDS: Mapping[str, Kind] = {
    "contacts": Kind.CONTACT,
    "members": Kind.MEMBER,
    "companies": Kind.COMPANY,
    "inboxes": Kind.INBOX,
    "campaigns": Kind.CAMPAIGN,
}
PEOPLE = (Kind.CONTACT, Kind.MEMBER)
_LONGER = re.compile(r"[a-z]{7,26}")
_WHOLE_ONLY = (Kind.INBOX, Kind.CAMPAIGN)
_LENGTHS = range(2, 401)
_TIED = regex.compile(r"\p{L}+(?:['`‘’‛′‐‒–—−\-]\p{L}+)+")


def names_of(kind: Kind, row: Mapping[str, Any]) -> set[str]:
    """The forms of a row's name and of its aliases."""
    return {form for written in (row["name"], *(row.get("aliases") or ())) for form in _of_name(kind, written)}


def ends_of(form: str) -> set[tuple[str, str]]:
    """How a longer single word begins and ends."""
    return {("head", form[:3]), ("tail", form[-3:])} if _LONGER.fullmatch(form) else set()


def values_of(row: Mapping[str, Any]) -> set[tuple[str, str]]:
    """The phone, e-mail and id of a row, each written the one way in which they are compared."""
    phone = unicodedata.normalize("NFKC", row.get("phone") or "").strip()
    number = unicodedata.normalize("NFKC", row.get("national_id") or row.get("legal_id") or "").upper()
    forms = {
        ("phone", ("+" if phone.startswith("+") else "") + re.sub(r"[^0-9]", "", phone)),
        ("email", (row.get("email") or "").strip(" \t\r\n").lower()),
        ("id", re.sub(r"[^A-Z0-9]", "", number)),
    }
    return {(sort, form) for sort, form in forms if form not in ("", "+")}


def _of_name(kind: Kind, written: str) -> Iterator[str]:
    words = name_words(written)
    core = _without_legal_form(words) if kind is Kind.COMPANY else words
    forms = {" ".join(words), " ".join(core)}
    if kind not in _WHOLE_ONLY:
        forms.update(word for word in core if word not in lexicon.PARTICLES)
        forms.update("".join(name_words(tied)) for tied in _TIED.findall(fold(written)))
    return (form for form in forms if len(form) in _LENGTHS)


def _without_legal_form(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words without the legal forms at their end, the longest first; one word always remains."""
    for first in range(1, len(words)):
        if " ".join(words[first:]) in lexicon.LEGAL_FORMS:
            return _without_legal_form(words[:first])
    return words
