"""The views of a text in which a secret may show that doesn't as it is written: without colours, with its
escapes resolved, its lines joined, its lists spoken, its words decoded.

What is found there is taken out of the text as it is written: a view knows where each of its
characters stands in it.
"""

from __future__ import annotations

from .pattern_parts import SecretPattern, compiled, is_in_words, is_solid, mark

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable, Iterable, Iterator

    from .patterns import Look

    Wanted = Callable[[SecretPattern], bool] | None
    Replaced = Callable[[re.Match[str]], str]

NEAR, NEAR_KEY = 512, 192
"""Characters before and after what was resolved in which a secret shows that it hid, and a key: no name
stands farther from its value."""

SHORTEST_KEY = 16
"""Characters of the shortest key that is known anywhere."""

SHORTEST_ENCODED = 16
"""Characters of the shortest word that is tried as base64, or as hex digits."""

_ENTITIES = {"quot": '"', "apos": "'", "amp": "&", "lt": "<", "gt": ">", "colon": ":", "equals": "="}
# It begins with one of three signs, to which a search is quick to skip, and then looks back.
_ESCAPE = (
    r"[%\\&](?:(?:(?<=%)|(?<=\\)(?<!\\\\)\\{0,15}+x)"
    r"(?P<utf8>[eE][0-9a-fA-F](?:(?:%|\\{1,16}x)[89abAB][0-9a-fA-F]){2})"
    r"|(?<=%)(?P<percent>[2-7][0-9a-fA-F]|[01][09aAdD])|(?<=\\)(?<!\\\\)\\{0,15}+"
    r"(?:u\{?(?P<unicode>[0-9a-fA-F]{4})\}?|x(?P<hex>[2-7][0-9a-fA-F]|0[9aAdD])"
    r"|(?P<octal>0(?:1[125]|[4-7][0-7])|1[0-7]{2})(?![0-9])"
    r"|(?<=\\\\\\)(?P<quote>[\"'/])|(?<=\\\\\\)(?P<blank>[nrt]))"
    r"|(?<=&)(?:#(?P<decimal>[0-9]{1,5});?|#[xX](?P<entity>[0-9a-fA-F]{1,5});?"
    rf"|(?P<name>{'|'.join(_ENTITIES)});))"
)
_SIXTETS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdef="
"""What each fourth letter of a text in base64 is, if that is ASCII."""

_IN_KEYS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+/=.~%:$"
"""What keys are made of that are known anywhere."""

_BLANKS = {"n": "\n", "r": "\r", "t": "\t"}
# A line's end within a word, with what indents the next line; or the end of one item of a list.
# It begins with what is no letter, to which a search is quick to skip, and then looks back.
_FOLD = r"(?:\\?\r?\n|\\{1,4}n)[ \t]{0,40}"
_JOINT = rf"[ \t]{{0,4}}(?:(?:{_FOLD})?(?:[,+.]|\.concat\()[ \t]{{0,4}}(?:{_FOLD})?|{_FOLD})\\{{0,4}}[\"'`]"
_BREAK = (
    r"(?:\n(?<=[A-Za-z0-9_+/=.-]\n)[ \t]{0,40}|\r(?<=[A-Za-z0-9_+/=.-]\r)\n[ \t]{0,40}"
    r"|\\(?<=[A-Za-z0-9_+/=.-]\\)(?:(?:\r?\n|\\{0,4}r\\{1,4}n|\\{0,4}n)[ \t]{0,40}|\\{0,3}[\"']"
    rf"{_JOINT})"
    rf"|\"(?<=[A-Za-z0-9_+/=.-]\"){_JOINT}|'(?<=[A-Za-z0-9_+/=.-]'){_JOINT}|`(?<=[A-Za-z0-9_+/=.-]`){_JOINT})(?=[\w+/=.-])"
)
_ITEM = r"[ \t]{0,4}(?:,|\)\.args?\()(?:[\s\[]|\\{1,4}n){0,40}\\{0,4}[\"']"
_SEPARATOR = rf"(?:\\\\{{0,3}}[\"']{_ITEM}|\"{_ITEM}|'{_ITEM})"
_ENCODED = (
    r"(?<![A-Za-z0-9+/_=-])(?:(?:[A-Za-z0-9+/]{60,80}(?:\r?\n|\\r\\n|\\n)[ \t]{0,16})+)?"
    r"[A-Za-z0-9+/_-]{16,}={0,2}"
)
_ESCAPED_START = r"(?:[nrt]|u[0-9a-fA-F]{4})(?=[A-Za-z0-9])"
_LINE_END = r"(?:\r?\n|\\r\\n|\\n)[ \t]*"
_PIECE = r"[A-Za-z0-9]{16,}"
_APART = str.maketrans("+/-_", "    ")
"""What parts the pieces of a word."""
_TEXT = r"[\t\r\n -~\u00a0-\uffff]{6,}\Z"

_DRESS = (
    r"(?:\x1b|\\{1,8}(?:u001[bB]|x1[bB]|033|e)|\u241b|\^\[)(?:\[[0-9;:?]{0,40}[A-Za-z]|[()][A-Z0-9]"
    r"|[]P](?:(?!\x07|\x1b|\\)[^\n]){0,300}(?:\x07|\x1b\\|\\{1,8}(?:u0007|x07|a)))"
    r"|\x9b[0-9;:?]{0,40}[A-Za-z]|\x1b[=>78]"
    r"|[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]"
)
_SIGNS_OF_DRESS = (
    *"\x1b\x9b\u00ad\u200b\u200c\u200d\u202d\u202e\u2060\ufeff",
    *r"001b 001B x1b x1B \033 \e[ ^[[".split(),
)

Span = tuple[int, int, str]
"""Where a secret begins and ends, and its mark."""


class View:
    """A text, and where each of its characters stands in the one it was made of.

    Only what `is_wanted` is looked for in it, if it says; of what is found, all counts, or only what
    something was changed or left out in, or only what nothing was (`broken`).
    """

    def __init__(
        self,
        text: str,
        starts: list[int],
        origins: list[int],
        wanted: Wanted = None,
        broken: bool | None = None,
    ) -> None:
        self.text = text
        self._starts, self._origins = starts, origins
        self.is_wanted, self.broken = wanted, broken

    def mapped(self, spans: list[Span]) -> list[Span]:
        """What counts of what was found in the view, by its places in the original."""
        return [
            (self._origin(start), self._end(end), content)
            for start, end, content in spans
            if self.broken in (None, self._piece(start) != self._piece(end - 1))
        ]

    def near(self) -> str:
        """What stands so near to where something was changed or left out that a secret shows which hid; of
        keys, only where a word that may be one is what came of it."""
        reach, least = (NEAR_KEY, SHORTEST_KEY) if self.broken else (NEAR, 0)
        parts: list[str] = []
        start = end = 0
        last = -least
        for at in self._starts[1:]:
            # Where many lines are short, each change stands in the word of the one before it.
            if least and at - last >= least and not self._may_be_key(at, least):
                continue
            last = at
            if at - reach > end:
                parts.append(self.text[start:end])
                start = at - reach
            end = at + reach
        parts.append(self.text[start:end])
        return "\n".join(parts)

    def _may_be_key(self, at: int, least: int) -> bool:
        """Whether a word as long as that stands here, with a digit in it or much longer."""
        before, after = self.text[max(0, at - 2 * least) : at], self.text[at : at + 2 * least]
        length = len(before) - len(before.rstrip(_IN_KEYS)) + len(after) - len(after.lstrip(_IN_KEYS))
        if length < least:
            return False
        return length > 2 * least or any(map(str.isdigit, before + after))

    def _piece(self, at: int) -> int:
        """The number of the piece in which a place of the view is."""
        # Few texts hide anything, and `mem add` waits for each import.
        from bisect import bisect_right

        return bisect_right(self._starts, at) - 1

    def _origin(self, at: int) -> int:
        piece = self._piece(at)
        return self._origins[piece] + at - self._starts[piece]

    def _end(self, at: int) -> int:
        # What was resolved belongs to the character it became, to its last sign.
        piece = self._piece(at - 1)
        if piece + 1 < len(self._starts) and self._starts[piece + 1] == at:
            return self._origins[piece + 1]
        return self._origins[piece] + at - self._starts[piece]


class _Word(View):
    """A word that is text in base64 or in hex digits."""

    def __init__(self, text: str, start: int, end: int) -> None:
        super().__init__(text, [0], [start])
        self._span = start, end, mark("encoded-secret", text)

    def near(self) -> str:
        return self.text

    def mapped(self, spans: list[Span]) -> list[Span]:
        """All of the word."""
        return [self._span] if spans else []


def views_of(text: str, look: Look, *, is_outermost: bool) -> Iterator[View]:
    """Each view that there is of a text, of which there was a look; a coloured one is looked at without
    colours."""
    bare: list[View] = []
    if is_outermost and any(sign in text for sign in _SIGNS_OF_DRESS):
        bare = list(_view(text, _DRESS, lambda _match: ""))
    yield from bare or _others(text, look)
    yield from joined(text)


def _others(text: str, look: Look) -> Iterator[View]:
    if "\\" in text or "%" in text or "&" in text:
        yield from _view(text, _ESCAPE, _character)
    # A word that begins between two items begins in the text, too.
    if any(is_in_words(one) and look.may_begin(one) for one in look.anchored) and _may_have_items(text):
        yield from _view(text, _SEPARATOR, lambda _match: " ", is_in_words, broken=False)
    if _may_be_encoded(look.words):
        yield from _encoded_words(text)


def joined(text: str) -> Iterator[View]:
    """A text without the line ends within words, and without those of a list's items, if it has any."""
    if "\n" in text or "\\" in text or _may_have_items(text):
        yield from _view(text, _BREAK, lambda _match: "", is_solid, broken=True)


def _view(
    text: str, pattern: str, replaced: Replaced, wanted: Wanted = None, broken: bool | None = None
) -> Iterator[View]:
    """A text in which each match of a pattern became something of at most one character, if one matches."""
    parts: list[str] = []
    starts, origins = [0], [0]
    length = at = 0
    # The same few matches tend to come again and again.
    known: dict[str, str] = {}
    for match in compiled(pattern).finditer(text):
        start, end = match.span()
        written = match[0]
        character = known.get(written)
        if character is None:
            character = known[written] = replaced(match)
        if start > at:
            parts.append(text[at:start])
            length += start - at
        if character:
            parts.append(character)
            starts.append(length)
            origins.append(start)
            length += 1
        starts.append(length)
        origins.append(end)
        at = end
    if at:
        parts.append(text[at:])
        yield View("".join(parts), starts, origins, wanted, broken)


def _may_have_items(text: str) -> bool:
    """Whether what parts the items of a list, or joins two strings, follows a quote."""
    bare = text.replace(" ", "").replace("\t", "")
    return any(quote + sign in bare for quote in "\"'`" for sign in ",+.")


def _may_be_encoded(words: Iterable[bytes]) -> bool:
    """Whether one of a text's words may be text in base64 or in hex digits."""
    if len(_not_encoded) > MOST_WORDS:
        _not_encoded.clear()
    for word in words:
        if len(word) >= SHORTEST_ENCODED and word not in _not_encoded:
            content = word.decode()
            # After a backslash it begins with what that escapes.
            begins = (content, content[1:], content[5:]) if content[0] in "nrtu" else (content,)
            if any(map(decoded, begins)) or any(map(decoded, content.translate(_APART).split())):
                return True
            _not_encoded.add(word)
    return False


_not_encoded: set[bytes] = set()
MOST_WORDS = 8_192
"""So many words are remembered as neither."""


def _encoded_words(text: str) -> Iterator[View]:
    for match in compiled(_ENCODED).finditer(text):
        start = match.start()
        if start and text[start - 1] == "\\":
            escaped = compiled(_ESCAPED_START).match(match[0])
            start += escaped.end() if escaped else 0
        content = decoded(compiled(_LINE_END).sub("", text[start : match.end()]))
        if content:
            yield _Word(content, start, match.end())
            continue
        for piece in compiled(_PIECE).finditer(text, start, match.end()):
            content = decoded(piece[0])
            if content:
                yield _Word(content, *piece.span())


def decoded(word: str) -> str | None:
    """The text that a word is in base64, of either alphabet, or in hex digits; None if it is none."""
    if len(word) < SHORTEST_ENCODED or (
        word[::4].strip(_SIXTETS) and word[::2].strip("0234567") and word[0] not in "56"
    ):
        return None
    bare = word.rstrip("=").replace("-", "+").replace("_", "/")
    if len(bare) < SHORTEST_ENCODED:
        return None
    # Imported by no event but those with a suspicious word.
    from binascii import Error, a2b_base64, unhexlify

    for decode, given in (
        (unhexlify, word),
        (a2b_base64, bare + "=" * (-len(bare) % 4)),
        (a2b_base64, bare[: len(bare) // 4 * 4]),
    ):
        try:
            content = decode(given).decode()
        except (Error, ValueError):
            continue
        if compiled(_TEXT).match(content):
            return content
    return None


def _character(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    value = match[kind]
    if kind in ("quote", "blank"):
        return _BLANKS.get(value, value)
    if kind == "utf8":
        digits = "".join(filter(str.isalnum, value.replace("x", "")))
        return bytes.fromhex(digits).decode(errors="replace")[:1]
    if kind == "name":
        return _ENTITIES[value]
    code = int(value, {"octal": 8, "decimal": 10}.get(kind, 16))
    return chr(code) if not 0xD800 <= code <= 0xDFFF else "\ufffd"
