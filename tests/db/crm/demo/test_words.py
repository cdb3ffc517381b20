"""The words of the demo stand where twins need them: alike in a class, apart from one another and from the texts."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from importlib.resources import files
from itertools import combinations

import pytest
from rapidfuzz.distance import OSA

from db.crm.demo import words
from db.crm.demo.seed import NOW
from db.crm.demo.shops import SHOPS, Shop
from db.crm.demo.stories import read
from db.crm.demo.world import build
from tests.db.crm.demo import ordinary
from veil.fold import fold

STRONG = (
    *("given", "given_and_surnames", "given_three", "surnames", "surnames_rare", "brands"),
    *("given_north", "given_and_surnames_north", "given_nicknamed", "given_pet", "given_rare", "surnames_north", "surnames_mc", "surnames_o"),
)
STRANGERS = (
    *("given_strangers_women", "given_strangers_men", "surnames_strangers"),
    *("given_strangers_women_north", "given_strangers_men_north", "surnames_strangers_north"),
)
WEAK = ("given_common", "names_common", "surnames_common", "surnames_places", "given_common_north", "given_places", "corners", "everyday")
#: Names in other scripts, which no table speaks of.
SCRIPTS = ("han", "arabic", "hebrew")
of_each_shop = pytest.mark.parametrize("shop", SHOPS, ids=lambda shop: shop.country)

#: What is said of single words; places count whole. Nicknames matter for misspelt names, which twins need not share.
TABLES = tuple(
    file.name.removesuffix(".txt") for file in (files("veil") / "data").iterdir() if file.name.endswith(".txt") and file.name != "nicknames.txt"
)
WHOLE = ("places", "states", "towns")
#: Words of the demo that are like no other word of their class; what they are besides shows in addresses only.
ALONE = frozenset({"Jandira", "Esquina", "Alameda"})


@cache
def table(name: str) -> frozenset[str]:
    lines = (files("veil") / "data" / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(lines if name in WHOLE else " ".join(lines).split())


def fixed_texts(shop: Shop) -> str:
    """Everything of a shop that no cast renames."""
    texts = [text for story in read(shop) for text in (story.subject, *(line.text for line in story.lines))]
    texts += [*shop.labels, *shop.notes, *shop.deals, *shop.cities, shop.name, *(name for name, _, _ in shop.inboxes)]
    texts += map(words.mark, (*shop.companies, *(name for name, _, _ in shop.campaigns)))
    return "\n".join(re.sub(r"«[^»]*»|\{[^}]*\}", " ", text) for text in texts)


@cache
def fixed_words(shop: Shop) -> set[str]:
    """Its folded words, but for those that are names elsewhere and stand in ordinary use."""
    rest = re.sub("|".join(ordinary.PHRASES), " ", fixed_texts(shop))
    return {fold(word) for word in re.findall(r"[^\W\d_]+", rest)}


@cache
def classes(shop: Shop) -> tuple[str, ...]:
    """The classes whose words occur in a shop; in some cast each of their words does."""
    tables = build(shop, contacts=200, structure_seed=1, now=NOW).tables.values()
    texts = [str(value) for rows in tables for row in rows for value in row.values()]
    texts += [line.text for story in read(shop) for line in story.lines]
    occurring = {word for text in texts for word in re.findall(r"«([^«»|:]+)", text)}
    return tuple(name for name in words.CLASSES if not occurring.isdisjoint(words.pool(name)))


def renamed(shop: Shop) -> set[str]:
    """The folded words that are names in some cast of a shop."""
    names = {fold(word) for name in classes(shop) for word in words.pool(name)}
    return names | ({fold(nick) for nick in words.nicknames().values()} if "given_nicknamed" in classes(shop) else set())


def misspelt(one: str, other: str) -> bool:
    """Whether a fuzzy search could take one for the other: three letters exactly, one edit up to eight, two above."""
    longest = max(len(one), len(other))
    return OSA.distance(one, other) <= (0 if longest <= 3 else 1 if longest <= 8 else 2)


def test_no_word_is_in_two_classes_or_twice_in_one() -> None:
    counted = Counter(fold(word) for name in words.CLASSES for word in words.pool(name))
    assert [word for word, times in counted.items() if times > 1] == []


@pytest.mark.parametrize("name", words.CLASSES)
def test_the_tables_say_the_same_of_all_words_of_a_class_that_are_alike(name: str) -> None:
    kinds = words.kinds(name)
    for kind in set(kinds.values()):
        alike = [word for word, its in kinds.items() if its == kind and word not in ALONE]
        said = {word: frozenset(title for title in TABLES if fold(word) in table(title)) for word in alike}
        usual = Counter(said.values()).most_common(1)[0][0]
        assert {word: sorted(titles ^ usual) for word, titles in said.items() if titles != usual} == {}


def test_the_tables_say_the_same_of_all_nicknames() -> None:
    said = {nick: frozenset(title for title in TABLES if fold(nick) in table(title)) for nick in words.nicknames().values()}
    assert len(set(said.values())) == 1, said


def test_no_word_is_one_of_the_detectors() -> None:
    """They have words of their own ("20 lucas", "cuota", "clave segura"). Those here are an example, a country of bank accounts, a street and the end of UYU there."""
    sources = " ".join(file.read_text(encoding="utf-8") for file in (files("veil") / "scrub").iterdir() if file.name.endswith(".py"))
    known = {fold(word) for word in re.findall(r"[^\W\d_]+", sources)}
    assert {fold(word) for word in words.known()} & known <= {"ana", "li", "paseo", "yu"}


@pytest.mark.parametrize("name", [*STRONG, *STRANGERS, *SCRIPTS])
def test_strong_words_are_in_no_lexicon(name: str) -> None:
    folded = {fold(word) for word in words.pool(name)}
    assert folded & (table("lexicon") | table("places") | table("months")) == set()


@pytest.mark.parametrize("name", WEAK)
def test_weak_words_are_in_the_lexicon(name: str) -> None:
    assert {fold(word) for word in words.pool(name)} <= table("lexicon")


def test_there_are_enough_names_for_a_thousand_people() -> None:
    assert len(words.pool("given")) >= 120
    assert len(words.pool("surnames")) >= 200


def test_short_words_are_short_and_no_others() -> None:
    short = [word for name in words.CLASSES for word in words.pool(name) if len(word) < 3]
    assert sorted(short) == sorted([*words.pool("surnames_short"), *words.pool("han")])


@pytest.mark.parametrize("name", words.CLASSES)
def test_a_class_has_none_or_several_words_with_accents(name: str) -> None:
    alike = Counter((kind, fold(word) != word.lower()) for word, kind in words.kinds(name).items())
    assert 1 not in alike.values()


@of_each_shop
def test_no_name_is_a_misspelling_of_another(shop: Shop) -> None:
    names = [fold(word) for name in classes(shop) if name in (*STRONG, *STRANGERS) for word in words.pool(name)]
    assert [pair for pair in combinations(names, 2) if misspelt(*pair)] == []


@of_each_shop
def test_no_renamed_word_occurs_elsewhere(shop: Shop) -> None:
    """Nor in another shop: one renaming serves all."""
    assert renamed(shop) & set().union(*map(fixed_words, SHOPS)) == set()


@pytest.mark.parametrize("phrase", ordinary.PHRASES)
def test_a_word_that_is_a_name_elsewhere_stands_in_ordinary_use(phrase: str) -> None:
    assert any(phrase in fixed_texts(shop) and {fold(word) for word in phrase.split()} & renamed(shop) for shop in SHOPS)


@of_each_shop
def test_no_word_of_the_texts_is_a_misspelt_name(shop: Shop) -> None:
    strange = fixed_words(shop) - table("lexicon")
    assert [(word, name) for word in strange for name in renamed(shop) if len(word) > 2 and misspelt(word, name)] == []


def test_shops_draw_from_words_that_are_renamed() -> None:
    assert {word for shop in SHOPS for word in (*shop.given, *shop.surnames)} <= words.known()
