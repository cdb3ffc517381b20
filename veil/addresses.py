"""Where nothing may be put into a Markdown text: inside a URL, an image or a link target (DESIGN 4.10).

Decided from what stands to the left only, so that a stream is judged as the whole would be; what is not closed yet counts as open.
"""

from enum import Enum, auto

import regex

#: Longest host name, with room for a scheme: how far back a URL may have begun to be told by what follows.
_LONGEST_HOST = 300
#: What ends an address. Some readers of Markdown let one run on over any other white space.
_SPACE = r" \t\r\n"
_LAST_SPACE = regex.compile(rf"[{_SPACE}]", regex.REVERSE)
_INK = regex.compile(rf"[^{_SPACE}]")
_URL = regex.compile(
    r"(?![A-Za-z]-\d{1,6}:)[A-Za-z][A-Za-z0-9+.\-]+:\S|//|www\.|(?:href|src)=|[\p{L}\p{N}\-]+(?:\.[\p{L}\p{N}\-]+)*\.\p{L}{2,}[/?\#:]",
    regex.IGNORECASE,
)
#: What an image, a link target or a definition can begin or end with.
_SIGN = regex.compile(rf"[\[\]():]|[{_SPACE}]+")


class _Definition(Enum):
    """Where a link reference definition (``[id]: destination``) stands."""

    NONE = auto()
    AHEAD = auto()
    DESTINATION = auto()


class Context:
    """Whether the present position of a text is inside a URL, an image or a link target. Every character is looked at once."""

    def __init__(self) -> None:
        self._waiting: list[str] = []  # pushed, not yet read: most texts hold no token and are never read
        self._tail = ""  # the end of what was read since the last white space
        self._in_url = False
        self._previous = ""
        self._blank = False  # nothing but white space since the last line break
        self._image = False
        self._was_image = False  # the bracket closed last belonged to an image
        self._target = 0  # depth of parentheses of a link target
        self._definition = _Definition.NONE

    def push(self, text: str) -> None:
        """Move on over a text that came to stand to the left."""
        self._waiting.append(text)

    @property
    def closed(self) -> bool:
        """Whether nothing may be put in here."""
        text = "".join(self._waiting)
        self._waiting.clear()
        if text:
            self._follow_url(text)
            self._follow_markup(text)
        return self._in_url or self._image or self._target > 0 or self._definition is not _Definition.NONE

    def _follow_url(self, text: str) -> None:
        """A URL begins anywhere in a run of characters and ends with it."""
        space = _LAST_SPACE.search(text)
        if space is not None:
            self._tail, self._in_url = "", False
            text = text[space.end() :]
        if not self._in_url:
            seen = self._tail + text
            self._in_url = _URL.search(f"{seen}x") is not None
            self._tail = seen[-_LONGEST_HOST:]

    def _follow_markup(self, text: str) -> None:
        if self._definition is not _Definition.NONE or self._image or self._target or self._previous == "]" or "[" in text or "]" in text:
            self._follow_signs(text)
            return
        line = text.rfind("\n")
        self._blank = (line >= 0 or self._blank) and _INK.search(text, line + 1) is None
        self._previous = text[-1]

    def _follow_signs(self, text: str) -> None:
        read = 0
        for sign in _SIGN.finditer(text):
            start, mark = sign.start(), sign.group()
            if start > read:
                self._word(text[start - 1])
            if mark.isspace():
                self._space(mark)
            else:
                self._mark(mark)
            self._previous = mark[-1]
            read = sign.end()
        if read < len(text):
            self._word(text[-1])

    def _word(self, last: str) -> None:
        """Anything else, up to and with this character."""
        if self._definition is _Definition.AHEAD:
            self._definition = _Definition.DESTINATION
        self._previous, self._blank = last, False

    def _space(self, run: str) -> None:
        if self._definition is _Definition.DESTINATION:
            self._definition = _Definition.NONE
        if "\n" not in run:
            return
        self._target = 0
        if self._blank or run.count("\n") > 1:
            self._image = False
            self._definition = _Definition.NONE
        self._blank = True

    def _mark(self, character: str) -> None:
        pair = self._previous + character
        self._blank = False
        if self._definition is _Definition.AHEAD:
            self._definition = _Definition.DESTINATION
        if pair == "![" or (pair == "][" and self._was_image):
            self._image = True
        elif pair == "](":
            self._target = 1
        elif pair == "]:":
            self._definition = _Definition.AHEAD
        elif character == "]":
            self._was_image, self._image = self._image, False
        elif self._target and character in "()":
            self._target += 1 if character == "(" else -1
