"""The output gate: stored text on its way to a terminal, a title, the clipboard or a file name.

Nothing that comes out can move a cursor, reorder or hide text, or speak to the terminal. What
could is shown instead of dropped, so that a reader sees that it was there.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable, Iterator


Span = tuple[int, int]

_MARKS_PER_BASE = 4

# Controls, surrogates, format characters, whatever else is invisible by default, noncharacters.
# Written out, because `unicodedata` costs 2 ms to import and knows no newer Unicode than Python's.
_HIDDEN = (
    r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891"
    r"\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    r"\ud800-\udfff\ufdd0-\ufdef\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
    r"\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    r"\U000e0000-\U000e0fff"
) + "".join(rf"\U{plane:04x}fffe\U{plane:04x}ffff" for plane in range(0x1, 0x11))

# Blocks that hold emoji. The other symbols in them are harmless company.
_EMOJI = (
    r"\xa9\xae\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u23ff\u24c2\u25a0-\u27bf\u2900-\u297f"
    r"\u2b00-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_JOINED = rf"[{_EMOJI}][\ufe0f\U0001f3fb-\U0001f3ff]?"
_SPACES = r"\t\n\r\xa0\u1680\u2000-\u200a\u202f\u205f\u3000"

_ODD = (
    # Real emoji join four at most; an endless chain is there to break the layout.
    rf"(?P<emoji>{_JOINED}(?:\u200d{_JOINED}){{1,6}}|[{_EMOJI}]\ufe0f|[0-9#*]\ufe0f\u20e3)"
    rf"|(?P<hidden>[{_HIDDEN}])"
    # What is neither letter nor space may be a mark; only long runs are worth a closer look.
    rf"|(?P<marks>[^\w\s!-~{_HIDDEN}{_EMOJI}]{{{_MARKS_PER_BASE + 1},}})"
)
_ODD_IN_A_LINE = rf"{_ODD}|(?P<space>[{_SPACES} ]{{2,}}|[{_SPACES}])"
_ODD_IN_LINES = rf"{_ODD}|(?P<newline>\r\n?)|(?P<tab>\t)"

# Letters, signs and emoji of blocks that hold nothing odd, as first and last of each block: most of
# what is not plain ASCII. No pattern, for to import `re` and compile it costs more than a hook's process
# has.
_COMMON = (
    " ~", "\xa1\xac", "\xae\u02ff", "\u0370\u0482", "\u048a\u0556", "\u2010\u2027", "\u2030\u205e",
    "\u2190\u23ff", "\u2500\u2bff", "\u3001\u3029", "\u3041\u3096", "\u309b\u30ff", "\u3400\u9fff",
    "\uac00\ud7a3", "\uff01\uff60", "\U0001f300\U0001faff",
)  # fmt: skip
_known_common: set[str] = set()
"""Those that were met already."""


def safe(text: str, *, newlines: bool = False) -> str:
    """`text` fit for a terminal: on one line, or with its line breaks when `newlines`.

    Controls become their pictures (␛), other invisible characters their numbers (⟨U+202E⟩), lone
    surrogates U+FFFD, and of many combining marks on one letter the first few stay. On one line a
    run of white space becomes one space; with `newlines` a tab becomes four.
    """
    if type(text) is str and _is_plain(text, newlines):
        return text
    return safe_spans(text, (), newlines=newlines)[0]


def safe_spans(text: str, spans: Iterable[Span], *, newlines: bool = False) -> tuple[str, list[Span]]:
    """What `safe` gives, and the [start, end) spans of `text` moved to where they lie in it.

    A span that begins or ends inside something replaced covers all of its replacement.
    """
    if type(text) is not str:
        # Where a text should be, another program may have left something else; hooks import none of this.
        from ..records.conforming import as_text

        text = as_text(text)
    if _is_plain(text, newlines):
        return text, list(spans)
    pieces: list[str] = []
    replaced: list[tuple[int, int, int, int]] = []
    at = length = 0
    for start, end, shown in _edits(text, newlines):
        pieces += text[at:start], shown
        shown_at = length + start - at
        at, length = end, shown_at + len(shown)
        replaced.append((start, end, shown_at, length))
    if not replaced:
        return text, list(spans)
    moved = [(_moved(replaced, start, 2), _moved(replaced, end, 3)) for start, end in spans]
    return "".join([*pieces, text[at:]]), moved


def _is_plain(text: str, newlines: bool) -> bool:
    """Whether a look at the whole is enough; nearly every row that is painted ends here."""
    if newlines:
        text = text.replace("\n", "")
    elif "  " in text:
        return False
    if text.isascii():
        return text.isprintable()
    unknown = set(text) - _known_common
    if any(not any(block[0] <= char <= block[1] for block in _COMMON) for char in unknown):
        return False
    _known_common.update(unknown)
    return True


_patterns: dict[str, re.Pattern[str]] = {}
"""Those that were compiled already; `functools`, too, takes long to import for a hook."""


def _compiled(pattern: str) -> re.Pattern[str]:
    if result := _patterns.get(pattern):
        return result
    # When first needed: each takes a millisecond, `re` eight, and what prints ASCII needs none.
    import re

    _patterns[pattern] = compiled = re.compile(pattern)
    return compiled


def _edits(text: str, newlines: bool) -> Iterator[tuple[int, int, str]]:
    """What is to be replaced, in order: start, end and what to show there instead."""
    for odd in _compiled(_ODD_IN_LINES if newlines else _ODD_IN_A_LINE).finditer(text):
        match odd.lastgroup:
            case "hidden":
                yield *odd.span(), _picture(ord(odd[0]))
            case "marks":
                yield from _surplus_marks(odd)
            case "space":
                yield *odd.span(), " "
            case "newline":
                yield *odd.span(), "\n"
            case "tab":
                yield *odd.span(), "    "


def _picture(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    if 0xD800 <= code <= 0xDFFF:
        return "\ufffd"
    return f"⟨U+{code:04X}⟩"


def _surplus_marks(run: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    # Here, because hardly any text has such a run.
    from unicodedata import category

    flags = "".join("m" if category(char) in ("Mn", "Me") else "-" for char in run[0])
    for marks in _compiled(rf"m{{{_MARKS_PER_BASE}}}(m+)").finditer(flags):
        yield run.start() + marks.start(1), run.start() + marks.end(1), "…"


def _moved(replaced: list[tuple[int, int, int, int]], position: int, side: int) -> int:
    """Where `position` went. Inside a replacement it goes to that one's `side`: 2 start, 3 end."""
    from bisect import bisect_right

    after = bisect_right(replaced, position, key=lambda stretch: stretch[1])
    if after < len(replaced) and replaced[after][0] < position:
        return replaced[after][side]
    if not after:
        return position
    _, end, _, shown_end = replaced[after - 1]
    return position + shown_end - end
