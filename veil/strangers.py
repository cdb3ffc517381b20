"""People whom no CRM knows, as far as the way they are written shows them. Measured, not absolute: ``make bench`` says how many are found."""

from collections.abc import Iterator

import regex

from veil import lexicon, traits
from veil.page import Page
from veil.phrases import Gap, Text
from veil.places import Places

#: Articles of something that there are several of.
_ARTICLES = frozenset({"an", "un", "una", "um", "uma"})
#: Words of a question before whom it is about.
_ASKING = frozenset(
    {"did", "does", "do", "has", "had", "have", "was", "is", "will", "can", "should", "with", "about"}
    | {"dijo", "pidio", "hizo", "escribio", "tiene", "quiere", "con", "sobre", "disse", "pediu", "fez", "escreveu", "tem", "quer", "com"}
)
#: A model's number behind a letter: "Ford F-150".
_MODEL = regex.compile(r"[\-–]?\d")
_LISTED = traits.GIVEN | traits.SURNAME | traits.NICKNAME
_NAME_OR_COMMON = traits.NAME | traits.COMMON
_NO_NAME = traits.COMMON | traits.PARTICLE
_CUES_AND_PARTICLES = traits.PERSON_CUES.bit | traits.PARTICLE
_SIGNING = frozenset({Gap.COMMA, Gap.SENTENCE})
#: What stands around a name in another script.
_APART = frozenset(" \n\t,.;:!?()<>\"'«»“”|*_-–—¿¡")
#: A name with its title in Japanese or Korean; words that end like one ("仕様", "날씨") are none.
_HONOURED = regex.compile(
    r"(?<![\p{Han}\p{Katakana}])(?P<name>[\p{Han}\p{Katakana}]{1,5})(?:さん|ちゃん|くん)"
    r"|(?<![\p{Han}\p{Katakana}])(?P<name>[\p{Han}\p{Katakana}]{2,5})(?<![仕模同多異有一各])(?:様|氏|先生)(?!\p{Han})"
    r"|(?<!\p{Hangul})(?P<name>\p{Hangul}{2,4})(?: ?씨|님)(?!\p{Hangul}{3})"
)
#: Customers, family and offices, who have those titles, too.
_ROLES = frozenset(
    {"客", "皆", "母", "父", "兄", "姉", "弟", "妹", "奥", "孫", "嫁", "娘", "爺", "婆", "業者", "店員", "担当者", "ママ", "パパ"}
    | {"고객", "사장", "선생", "부장", "과장", "팀장", "점장", "대표", "기사", "회원", "판매자", "구매자", "담당자"}
    | {"손", "아가", "아저", "부모", "형", "누"}
)
#: Most letters of a name in a script without spaces, most words of one in a script without capitals.
_LETTERS, _WORDS = 6, 4


class Strangers(Page):
    """The persons of one text, names that were found already aside."""

    def __init__(self, text: str, cut: Text, places: Places, *, asked: bool = False) -> None:
        super().__init__(text, cut)
        self._places = places
        self._asked = asked  # by the member, whose questions are mostly about people

    def find(self, covered: set[int]) -> list[tuple[int, int]]:
        """First and last words of each: full names, one name after a cue, and a word that is a name and nothing else."""
        found = [] if self.cut.ascii else [span for span in self._honoured() if covered.isdisjoint(range(span[0], span[1] + 1))]
        taken = covered.union(*(range(first, last + 1) for first, last in found))
        for index in self._beginnings():
            if index not in taken and (last := self._person(index, taken)) is not None:
                first, last = self.with_initials(index, last, taken)
                last = self._with_hyphens(last, taken)
                found.append((first, last))
                taken.update(range(first, last + 1))
        return [*found, *self._again(found, taken)] if found else found

    def _honoured(self) -> Iterator[tuple[int, int]]:
        """The names right before a Japanese or Korean title: "山田さん", "민수 씨"; each letter of theirs is a word."""
        places = {word.start: index for index, word in enumerate(self.words)}
        for match in _HONOURED.finditer(self.text):
            name = match.group("name")
            if name not in _ROLES and match.start() in places:
                first = places[match.start()]
                yield first, first + len(name) - 1

    def _beginnings(self) -> Iterator[int]:
        """Words at which a name may begin: with a capital, on a list of names, behind a cue, of another script."""
        foreign, cued = not self.cut.ascii, 0
        for index, (word, trait) in enumerate(zip(self.words, self.traits, strict=True)):
            nobody = trait & traits.COMMON and not trait & _LISTED  # with a capital or without
            if not nobody and (word.upper or cued or trait & _LISTED or (foreign and not word.form.isascii())):
                yield index
            cued = trait & _CUES_AND_PARTICLES or word.form == "o"

    def _person(self, index: int, covered: set[int]) -> int | None:
        """The last word of the person who begins here, if somebody does."""
        if not self.words[index].form.isascii():
            return self._foreign_end(index, covered)
        if (inverted := self._inverted_end(index, covered)) is not None:
            return inverted
        cued = self.is_person_cued(index)
        naming = cued and self.cued(index, traits.NAMING_CUES)
        cued = cued and self._is_single(index, naming=naming)
        cued = cued or (bool(self.traits[index] & traits.GIVEN) and self.is_announced(index, index))
        last = self._name_end(index, covered, cued=cued, naming=naming)
        if (cued and not self._places.holds(index, last)) or self._is_full(index, last) or self._is_telling(index) or self._is_family(index):
            return last
        if (unheard := self._unheard_end(index, covered)) is not None:
            return unheard
        return self._signature_end(index, covered)

    def _unheard_end(self, index: int, covered: set[int]) -> int | None:
        """The last of two words or more with capitals that no table knows ("Priyanka Raghunathan"), places and brands aside.

        In a question one is enough where somebody is asked about ("what did Siobhan say?").
        """
        last = index - 1
        while last + 1 < len(self.words) and last + 1 not in covered and self.is_unheard(last + 1) and (last < index or self.joins(last, last + 1)):
            last += 1
        enough = last > index or (last == index > 0 and self._asked and self.words[index - 1].form in _ASKING)
        if not enough or self._is_brand(index) or self._is_address(index, last) or self._is_placed(index, last):
            return None
        return last

    def _is_family(self, index: int) -> bool:
        return self.is_family(index) and not self._places.holds(index, index)

    def _again(self, found: list[tuple[int, int]], taken: set[int]) -> list[tuple[int, int]]:
        """Further places of a word that is a name in this text, however it is written there."""
        words = {self.words[index].form for first, last in found for index in range(first, last + 1) if not self.traits[index] & _NO_NAME}
        return [
            (index, index)
            for index, word in enumerate(self.words)
            if word.form in words and len(word.form) > 2 and index not in taken and not self._places.holds(index, index)
        ]

    def _with_hyphens(self, last: int, covered: set[int]) -> int:
        """The last word with what hyphens tie to it ("Soo-ah")."""
        while last + 1 < len(self.words) and last + 1 not in covered and self.cut.between(last + 1) == "-":
            last += 1
        return last

    def _inverted_end(self, index: int, covered: set[int]) -> int | None:
        """The last word of "Gaines, Gilbert", and behind a cue of "gaines, gilbert"."""
        after = index + 1
        if not self.traits[index] & traits.SURNAME or after >= len(self.words) or after in covered or self.cut.between(after) != ", ":
            return None
        if self.traits[after] & (traits.GIVEN | traits.SURNAME) != traits.GIVEN or self._places.holds(after, after):
            return None
        plain = self.words[index].upper and self.words[after].upper and not (self.traits[index] | self.traits[after]) & traits.COMMON
        return after if plain or self.is_person_cued(index) else None

    def _signature_end(self, index: int, covered: set[int]) -> int | None:
        """The last word of the text, where it and one or two words before, all of them unheard, stand behind a comma or a stop."""
        last = len(self.words) - 1
        if not 0 < last - index < 3 or self.text[self.words[last].end :].strip(" .!\n") or self.cut.gap(index) not in _SIGNING:
            return None
        words = range(index, last + 1)
        unheard = all(self.is_unheard(word) and word not in covered for word in words) and not self._places.holds(index, last)
        return last if unheard and all(self.joins(word, word + 1) for word in words[:-1]) else None

    def _foreign_end(self, index: int, covered: set[int]) -> int | None:
        """The last word of a name in another script than the text's: behind a cue, or among words of ours, and no longer than a name."""
        last = index
        while last + 1 < len(self.words) and last + 1 not in covered and self.joins(last, last + 1) and not self.words[last + 1].form.isascii():
            last += 1
        words = self.words[index : last + 1]
        cased = any(word.form != word.form.upper() for word in words)
        if cased and not all(word.upper for word in words) and not self.is_person_cued(index):
            return None
        if sum(len(word.form) for word in words) < 2 or len(words) > (_WORDS if any(len(word.form) > 1 for word in words) else _LETTERS):
            return None
        ours = sum(bool(trait & traits.COMMON) for trait in self.traits)
        alone = all(self.text[place : place + 1] in _APART for place in (words[0].start - 1, words[-1].end) if 0 <= place < len(self.text))
        return last if self.is_person_cued(index) or (ours > 1 and alone) else None

    def _is_full(self, first: int, last: int) -> bool:
        return last > first and not self._is_address(first, last) and not self._is_placed(first, last)

    def _is_telling(self, index: int) -> bool:
        """Whether one word is a name and nothing else: in the lists of names, and no common word; a surname not at the start of a sentence."""
        trait = self.traits[index]
        if trait & traits.COMMON or not self.is_name_like(index) or self._is_address(index, index) or self._is_brand(index):
            return False
        given = trait & traits.GIVEN or self.cut.gap(index) is not Gap.SENTENCE or self.cut.quoted(index, index)
        return bool(given) and not self._is_placed(index, index)

    def _is_brand(self, index: int) -> bool:
        """Whether what stands around makes a name one of a thing: "un Ford", "crema Nivea", "Ford F-150"."""
        if self.joins(index - 1, index) and (self.traits[index - 1] & traits.GOODS or self.words[index - 1].form in _ARTICLES):
            return True
        after = index + 1
        model = self.joins(index, after) and len(self.words[after].form) == 1 and _MODEL.match(self.text, self.words[after].end)
        return bool(model)

    def _is_placed(self, first: int, last: int) -> bool:
        """Whether the words are a place: one of the main ones anywhere, others where the text shows it."""
        main = self.traits[last] & (traits.PLACE | traits.PLACE_END)
        if main and any(lexicon.is_place(self.cut.joined(start, last)) for start in (first, first - 1) if start >= 0):
            return True
        return self._places.holds(first, last)

    def _is_single(self, index: int, *, naming: bool) -> bool:
        """A word that a cue before it makes a name.

        Behind any cue a capital, if the word is no common one, and a word written small that is a name and nothing else; behind one that says
        whose name follows ("mi vecina", "se llama") also a common word with a capital, and right behind it any word that is no common one.
        """
        word, trait = self.words[index], self.traits[index]
        if len(word.form) < (2 if naming and word.upper else 3) or trait & (traits.MONTH | traits.TITLE | traits.PARTICLE):
            return False
        if not trait & traits.COMMON:
            return word.upper or bool(trait & (traits.NAME | traits.NICKNAME)) or (naming and self.is_right_behind(index, traits.NAMING_CUES))
        if not naming:
            return word.upper and bool(trait & traits.NAME)
        return bool(trait & _LISTED) if word.upper else trait & (traits.GIVEN | traits.NAME) == traits.GIVEN | traits.NAME

    def _name_end(self, first: int, covered: set[int], *, cued: bool, naming: bool) -> int:
        """The last word of the full name that begins here, or ``first`` when none does."""
        named = self.is_name_like(first)
        if not (named or (cued and self.words[first].upper) or self._opens_name(first)):
            return self._small_name_end(first, covered, cued=cued, naming=naming)
        last, ahead, listed = first, first + 1, int(named)
        while ahead < len(self.words) and ahead not in covered and self.cut.gap(ahead) is Gap.SOFT and ahead - last <= 3:
            if self._may_follow(ahead):
                last = ahead
                listed += bool(self.traits[ahead] & traits.NAME)
            elif last == ahead - 1 and self.cut.between(ahead) == "-":
                last = ahead
            elif not (self.transparent(ahead) or self.opens_surname(ahead)) or self.cut.breaks_line(ahead):
                break
            ahead += 1
        given = naming and listed and self.traits[first] & traits.GIVEN  # "Name: Will Foster"
        return last if listed > 1 or given or not self.traits[first] & traits.COMMON else first

    def _may_follow(self, index: int) -> bool:
        """Whether a capitalised word can be a surname: on a list of names, also a common word; no common word; one of two with a hyphen."""
        word, trait = self.words[index], self.traits[index]
        if not word.upper or len(word.form) < 2 or trait & traits.MONTH:
            return False
        return bool(trait & (traits.GIVEN | traits.SURNAME)) or not trait & traits.COMMON or self.is_double(index)

    def _opens_name(self, index: int) -> bool:
        """A rare given name in mid-sentence, right before a surname ("Zoroastro Valdivieso")."""
        rare = self.is_unheard(index) and self.cut.gap(index) is not Gap.SENTENCE and not self.traits[index] & traits.PLACE
        return rare and self.joins(index, index + 1) and self.is_name_like(index + 1)

    def _small_name_end(self, first: int, covered: set[int], *, cued: bool, naming: bool) -> int:
        """The last word of a name written small: two words or more, a given name first, all of them names and nothing else.

        Behind a cue ("mi hermano anselmo rivas") its other words need not be in the lists, so long as they are no common words, and the given
        name may be a common word if a surname follows ("this is mia franklin").
        """
        if not (self.traits[first] & traits.GIVEN or (naming and cued)):
            return first
        last, ahead = first - 1, first
        while ahead < len(self.words) and ahead not in covered and ahead - last <= 3 and (ahead == first or self.cut.gap(ahead) is Gap.SOFT):
            trait = self.traits[ahead]
            small = not trait & traits.COMMON and (trait & traits.NAME or (cued and len(self.words[ahead].form) > 2 and ahead - first < 4))
            if small or (ahead == first and (cued or self._is_cued_before_surname(first))) or (cued and self._is_surname(first, ahead)):
                last = ahead
            elif last < first or not self.transparent(ahead):
                break
            ahead += 1
        return max(last, first)

    def _is_surname(self, first: int, index: int) -> bool:
        """Whether a surname that is a common word, too, follows a given name that is none ("bianca flores"), or ends what is said of somebody."""
        trait = self.traits[index]
        if not trait & traits.SURNAME or index == first:
            return False
        given = self.traits[first] & (traits.GIVEN | traits.COMMON) == traits.GIVEN
        return (given and bool(trait & traits.NAME)) or not self.joins(index, index + 1)

    def _is_cued_before_surname(self, index: int) -> bool:
        if not self.joins(index, index + 1) or self.traits[index + 1] & (traits.SURNAME | traits.COMMON) != traits.SURNAME:
            return False
        return self.is_person_cued(index)

    def _is_address(self, first: int, last: int) -> bool:
        """Whether the words name a street: behind a word for one, or before one ("Jackson Rd")."""
        behind = self.cued(first, traits.ADDRESS_CUES)
        return behind or (self.joins(last, last + 1) and bool(self.traits[last + 1] & traits.STREET_END))
