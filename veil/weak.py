"""Where a weak form means a person: one common or short word of a name counts only where the text shows that somebody is meant.

Everything here is about one mention at words ``first..last`` and what stands around it.
"""

import regex

from veil import lexicon, traits
from veil.page import Page
from veil.phrases import Gap

_PLACE_OR_MONTH = traits.PLACE | traits.MONTH
#: An address of e-mail in brackets, as forwarded messages write it behind the name.
_ADDRESSEE = regex.compile(r"[\"']?\s?[<(\[]\s?(?:mailto:)?[\w.+\-]{1,64}@")
#: What closes a sentence, or the text.
_CLOSES = regex.compile(r"\s*+(?:[?!.\n]|$)")
_ASKS = regex.compile(r"\s*+[?!]")
_SIGNS = regex.compile(r"[.!?\n,\-–—]\s*+$")
_YOU = frozenset({"tu", "vos", "usted", "ud", "voce", "vc", "you"})
_WITH = frozenset({"con", "com", "with"})
_TO_SOMEBODY = frozenset({"me", "te", "le", "nos", "lhe", "les", "ya", "ja", "no", "nao"})
_LISTED = traits.GIVEN | traits.SURNAME
#: Before the name in the header of a letter or in minutes.
_HEADERS = frozenset({"para", "de", "to", "from", "cc", "attn", "att", "asistieron", "asistentes"})
#: Begins what somebody writes of themselves.
_WRITING = frozenset({"ya", "ja", "yo", "eu", "i", "hola", "oi", "ola", "hi", "hello"})
#: What people have, in English, that colours and seasons do not.
_OWNED = frozenset({"order", "orders", "email", "phone", "account", "number", "payment", "invoice", "refund", "receipt", "address", "package"})
#: Begins what one says to somebody about what is theirs.
_YOURS = frozenset({"su", "sus", "tu", "tus", "seu", "sua", "seus", "suas", "your", "le", "te", "lhe"})
_AND_ME = frozenset({("y", "yo"), ("o", "yo"), ("ni", "yo"), ("e", "eu"), ("ou", "eu"), ("nem", "eu"), ("and", "me"), ("and", "i"), ("or", "me")})
_THE = frozenset({"el", "la", "o", "a"})
_OF = frozenset({"de", "del", "do", "da", "of"})
#: A number of a phone or an id right behind a name, as in a row of somebody's details.
_NUMBERED = regex.compile(r"\s?[,;|/\-–(:]\s?(?:[\p{L}.]{2,8}[.:]?\s?)?\+?\(?\d[\d.\- ()]{5,}")
#: A code or number and a comma, behind which the text's author signs.
_CODE = regex.compile(r"\d[\w\-]*,\s$")
_AND = frozenset({"y", "e", "o", "u", "ou", "and", "or", "ni", "nem"})
#: What may stand between "and" and the second name: "con Estévez o con Viña".
_TO = frozenset({"con", "com", "with", "a", "ao", "to", "for", "para", "por", "de", "da", "do", "of"})


class Weak(Page):
    """The words around the mentions of one text."""

    def means_person(self, first: int, last: int, sure: set[int]) -> bool:
        """Whether a person is meant here; ``sure`` are the words of mentions that are none of this sort."""
        if self._is_cued(first) or self._is_alone(first, last) or self._is_named_by_what_follows(first, last):
            return True
        if self._is_called(first, last) or self._is_joined_by_and(first, last, sure) or self._is_behind_initial(first):
            return True
        if first and self.words[first - 1].form == "que" and self._says(last):
            return True
        return self.words[first].upper and self._means_with_capital(first, last, sure)

    def _means_with_capital(self, first: int, last: int, sure: set[int]) -> bool:
        if self._signs(first, last) or self._is_addressed(first, last) or first - 1 in sure or first + 1 in sure:
            return True
        if self._beside_name(first, last) or self._is_asked(first, last) or self.is_family(first):
            return True
        if self._says(last) or self._is_labelled(first, last) or self._writes(first, last) or self._owns(first, last):
            return True
        if self.traits[first] & _PLACE_OR_MONTH:
            return bool(self.traits[first] & traits.MONTH) and first > 0 and self.words[first - 1].form in _WITH
        return self._in_mid_sentence(first) or self._acts(first, last)

    def _is_alone(self, first: int, last: int) -> bool:
        """Whether the text is nothing but this name."""
        return first == 0 and last == len(self.words) - 1 and self.words[0].upper

    def _is_cued(self, first: int) -> bool:
        """Whether a cue stands before; a month written small is none behind "of" ("el número de abril")."""
        month = self.traits[first] & traits.MONTH and not self.words[first].upper
        return self.is_person_cued(first) and not (month and first and self.words[first - 1].form in _OF)

    # --- whatever its case -----------------------------------------------------------------------------------------------------------

    def _is_named_by_what_follows(self, first: int, last: int) -> bool:
        """ "Rich here, …", "concepción atte", "con mercedes de compras", "casas <casas@…>"."""
        after = last + 1
        end = self.words[last].end
        if _ADDRESSEE.match(self.text, end) or self._is_before_initial(after) or self._is_owner(after):
            return True
        if self.cut.gap(first) is Gap.SENTENCE and first and _NUMBERED.match(self.text, end):
            return True
        if self.is_announced(first, last):
            return True
        if not self.joins(last, after):
            return False
        department = after + 1 < len(self.words) and self.joins(after, after + 1) and self.words[after + 1].form in lexicon.DEPARTMENTS
        return department and self.words[after].form in _TO and first > 0 and self.words[first - 1].form in _TO

    def _is_before_initial(self, after: int) -> bool:
        """ "bella p." """
        if not self.joins(after - 1, after) or len(self.words[after].form) > 1:
            return False
        return self.is_initial(after) and self.text[self.words[after].end : self.words[after].end + 1] == "."

    def _is_behind_initial(self, first: int) -> bool:
        """ "g. campos" """
        return self.joins(first - 1, first) and self.is_initial(first - 1) and self.cut.between(first).startswith(".")

    def _is_owner(self, after: int) -> bool:
        """ "rio's assistant" """
        return (
            self.joins(after - 1, after)
            and self.joins(after, after + 1)
            and self.words[after].form == "s"
            and self.words[after + 1].form in lexicon.KIN
        )

    def _is_called(self, first: int, last: int) -> bool:
        """Whether a sentence speaks to somebody: "¿lo ves tú, clara?", "gracias, luz", "Agradecemos el contacto, Salvador."."""
        upper = self.words[first].upper
        if not (upper or self.traits[first] & traits.GIVEN):
            return False
        if not first or self.cut.gap(first) is Gap.SENTENCE:
            return self._is_spoken_to(first, last)
        if not _CLOSES.match(self.text, self.words[last].end):
            return False
        before, gap = self.words[first - 1], self.cut.gap(first)
        if before.form in _YOU and gap in (Gap.COMMA, Gap.SOFT):
            return True
        if gap is Gap.COMMA:
            return bool(self.traits[first - 1] & traits.GREETING) or (upper and self._thanks(first))
        return last + 1 == len(self.words) and _CODE.search(self.cut.between(first)) is not None

    def _is_spoken_to(self, first: int, last: int) -> bool:
        """Whether a sentence opens with a name and goes on to them: "milagros, su pago …", "Clara vc falou"."""
        after = last + 1
        if after >= len(self.words) or self.cut.gap(after) not in (Gap.COMMA, Gap.SOFT):
            return False
        if self.words[after].form in _YOU:
            return self.cut.gap(after) is Gap.COMMA or (self.words[first].upper and self.words[after].form != "you")  # "Will you …?"
        return self.cut.gap(after) is Gap.COMMA and self.words[after].form in _YOURS

    def _thanks(self, first: int) -> bool:
        """Whether the sentence up to here has a greeting or thanks."""
        for index in range(first - 1, -1, -1):
            if self.traits[index] & traits.GREETING:
                return True
            if self.cut.gap(index) is Gap.SENTENCE:
                return False
        return False

    def _is_joined_by_and(self, first: int, last: int, sure: set[int]) -> bool:
        """ "con Estévez o con viña", "Evelyn y África", "May and Frederick", "pilar y yo", "lourdes/Concepción"."""
        if self._is_and(last + 1) and last + 2 < len(self.words) and self.joins(last + 1, last + 2):
            following = self.words[last + 2]
            if (self.words[last + 1].form, following.form) in _AND_ME or (self.words[first].upper and last + 2 in sure):
                return True
        for near, index in ((first - 1, first), (last + 1, last + 1)):
            if near in sure and self.cut.between(index).strip() == "/":
                return True
        return self._follows_and(first, sure)

    def _follows_and(self, first: int, sure: set[int]) -> bool:
        """Whether "and" parts the name from a sure one, with a preposition and an article between; without these only with a capital."""
        before = first
        while before > max(first - 3, 1) and self.joins(before - 1, before):
            before -= 1
            word = self.words[before].form
            if word in _AND and before - 1 in sure and self.joins(before - 1, before):
                return before < first - 1 or self.words[first].upper
            if word not in _TO and word not in _THE:
                return False
        return False

    def _is_and(self, index: int) -> bool:
        return self.joins(index - 1, index) and self.words[index].form in _AND

    # --- with a capital --------------------------------------------------------------------------------------------------------------

    def _signs(self, first: int, last: int) -> bool:
        """Whether a name closes a text or a line and nothing joins it to what stands before: a signature, perhaps behind an initial."""
        after = last + 1
        if after < len(self.words) and not self.cut.breaks_line(after):
            return False
        if first and len(self.words[first - 1].form) == 1 and self.words[first - 1].upper and self.joins(first - 1, first):
            first -= 1
        return first > 0 and _SIGNS.search(self.cut.between(first)) is not None

    def _is_addressed(self, first: int, last: int) -> bool:
        """Whether a given name opens a sentence and a comma follows ("Clara, su pago llegó")."""
        after = last + 1
        opens = self.cut.gap(first) is Gap.SENTENCE and after < len(self.words) and self.cut.gap(after) is Gap.COMMA
        return opens and bool(self.traits[first] & traits.GIVEN)

    def _is_asked(self, first: int, last: int) -> bool:
        """Whether a sentence is this name with a question mark ("¿Socorro? No, soy su hermano")."""
        return self.cut.gap(first) is Gap.SENTENCE and _ASKS.match(self.text, self.words[last].end) is not None

    def _is_labelled(self, first: int, last: int) -> bool:
        """Whether a line of a header is this name: "Para: Rosa"."""
        if not (self.cut.after_colon(first) and self.words[first - 1].form in _HEADERS and self.traits[first] & _LISTED):
            return False
        opens = first == 1 or self.cut.breaks_line(first - 1)
        return opens and (last + 1 == len(self.words) or self.cut.breaks_line(last + 1))

    def _writes(self, first: int, last: int) -> bool:
        """Whether a line is what somebody writes: "Rosa: ya pagué"."""
        after = last + 1
        opens = first == 0 or self.cut.breaks_line(first)
        return opens and after < len(self.words) and self.cut.after_colon(after) and self.words[after].form in _WRITING

    def _owns(self, first: int, last: int) -> bool:
        """Whether an order or a phone is theirs: "Rosa's order"."""
        after = last + 1
        owner = self.joins(last, after) and self.joins(after, after + 1) and self.words[after].form == "s"
        return owner and self.words[after + 1].form in _OWNED and not self.traits[first] & _PLACE_OR_MONTH

    def _beside_name(self, first: int, last: int) -> bool:
        return any(self.is_name_like(index) and self.cut.gap(max(index, first)) is Gap.SOFT for index in (first - 1, last + 1))

    def _in_mid_sentence(self, index: int) -> bool:
        """Whether a capital here is a choice of the writer: not at the start of a sentence, nor among capitals only."""
        if self.cut.gap(index) is Gap.SENTENCE:
            return False
        word = self.words[index]
        around = [self.words[near] for near in (index - 1, index + 1) if 0 <= near < len(self.words)]
        return not (word.capitals and any(near.capitals for near in around))

    def _says(self, last: int) -> bool:
        """Whether it is told what somebody said or did to somebody: "Abril me dijo", "Salvador prometeu"."""
        after = last + 1
        if self.joins(last, after) and self.words[after].form in _TO_SOMEBODY:
            after += 1
        return self.joins(after - 1, after) and self.words[after].form in lexicon.SAID and not self.words[after].upper

    def _acts(self, first: int, last: int) -> bool:
        """Whether a given name at the start of a sentence is followed by what somebody does ("Rosa compró una rosa")."""
        following = last + 1
        if not self.traits[first] & traits.GIVEN or not self.joins(last, following):
            return False
        word = self.words[following]
        return not word.upper and lexicon.is_action(word.form)
