"""Passages of texts that aren't kept: private ones, where they stand in the texts of a document, however
their tags are written; and what was promoted from the memory into an agent's file, and bears the memory's
uid there. Where that comes back, by a hook or a transcript, it is not learned a second time.
"""

from __future__ import annotations

from .late_pattern import late_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterator, Sequence
    from typing import Any

Span = tuple[int, int]

BOUNDARY = "\0"
"""Stands between the texts of a document."""

CUTS = 6
"""So often what a cut has brought together is looked at again."""

_NAMES = (
    "private", "claude-mem-context", "system-reminder", "system_reminder", "memtui-context", "hook_context",
)  # fmt: skip
# Escapes that may stand for a letter, and what is invisible.
_HIDING = late_pattern(
    r"[\\%&\x01-\x08\x0e-\x1f\x7f](?:(?<=\\)[uUxX0-7]|(?<=%)[0-9a-fA-F]|(?<=[^\\%&])"
    r"|(?<=&)(?i:#|amp|shy|zw|zerow|nobreak))"
)

# An element's name, which a boundary may split; then attributes, up to the next bracket.
_TAG = late_pattern(
    r"<[\s\0]*+(?P<slash>/?)[\s/\0]*+(?P<name>"
    + "\0?".join("private")
    + r"|claude-mem-context|system[-_]reminder|memtui-context|hook_context)"
    r"(?=\0?[\s><=\"']|/{1,9}[\s>]|[^\w<>\0]{1,3}>)(?P<attributes>[^<>]*+)(?P<end>>?)"
)


def may_hold_tag(text: str) -> bool:
    """Whether a text may have a private tag: False is certain. Most texts name none, and have nothing
    that may stand for a letter of a name."""
    if not text.isascii():
        from .folded_markup import may_hide_ascii

        if may_hide_ascii(text):
            return True
    if not any(sign in text for sign in "<&%\\"):
        return False
    low = text.lower().replace(BOUNDARY, "")
    return any(name in low for name in _NAMES) or _HIDING.search(text) is not None


def holds_tag(text: str) -> bool:
    """Whether a private tag stands in a text, be it opened or closed there."""
    if not may_hold_tag(text):
        return False
    from .folded_markup import Folded

    folded = Folded(text)
    return folded.is_too_deep or next(_tags(folded.text), None) is not None


def strip_tags(texts: Sequence[str]) -> list[str] | None:
    """Return the texts of a document, in its order, without their private passages and tags; None
    where they have none.

    A passage that is opened in one text and closed in another takes all between along; one that is
    never closed goes to the end of its text. No NUL may be in them.
    """
    whole = BOUNDARY.join(texts)
    if not may_hold_tag(whole):
        return None
    from .folded_markup import Folded

    folded = Folded(whole)
    spans = _passages(folded.text)
    if not spans and not folded.is_too_deep:
        return None
    rest = _without(whole, [folded.original(span) for span in spans])
    for _ in range(CUTS):
        # Halves of a tag meet where a passage was: nobody writes that in good faith.
        if not may_hold_tag(rest):
            return rest.split(BOUNDARY)
        folded = Folded(rest)
        met = next((tag for tag in _tags(folded.text) if tag.is_whole), None)
        if folded.is_too_deep:
            break
        if met is None:
            return rest.split(BOUNDARY)
        start, _ = folded.original((met.start, met.end))
        rest = rest[:start] + BOUNDARY * rest.count(BOUNDARY, start)
    return [""] * len(texts)


def strip_document(document: object) -> object:
    """Return a copy of a JSON document whose texts have no private passages or tags; the document
    itself where it has none. Keys stay. However deep it is: no recursion."""
    top: list[object] = [document]
    places: list[tuple[Any, Any]] = []
    waiting: list[tuple[Any, Any]] = [(top, 0)]
    while waiting:
        inside, key = waiting.pop()
        item = inside[key]
        if isinstance(item, str):
            places.append((inside, key))
        elif isinstance(item, dict):
            inside[key] = copy = item.copy()
            waiting += ((copy, entry) for entry in reversed(copy))
        elif isinstance(item, list):
            inside[key] = row = item.copy()
            waiting += ((row, at) for at in range(len(row) - 1, -1, -1))
    texts = [inside[key].replace(BOUNDARY, "\ufffd") for inside, key in places]
    stripped = strip_tags(texts)
    if stripped is None:
        return document
    for (inside, key), text in zip(places, stripped, strict=True):
        inside[key] = text
    return top[0]


class _Tag:
    """A tag of a folded text: its kind, where it stands, and the number of the text it ends in."""

    __slots__ = ("end", "is_closing", "is_whole", "kind", "leaf", "start")

    def __init__(self, kind: str, start: int, end: int, *, closing: bool, whole: bool) -> None:
        self.kind = kind
        self.start, self.end = start, end
        self.is_closing, self.is_whole = closing, whole
        self.leaf = 0


def _without(text: str, spans: list[Span]) -> str:
    """Return a text without these spans, but with all boundaries in them."""
    kept: list[str] = []
    at = 0
    for start, end in spans:
        kept += text[at:start], BOUNDARY * text.count(BOUNDARY, start, end)
        at = end
    return "".join((*kept, text[at:]))


def _passages(text: str) -> list[Span]:
    """Return the private spans of a folded text, in order and apart."""
    tags = list(_tags(text))
    if not tags:
        return []
    from bisect import bisect_right
    from collections import Counter
    from itertools import accumulate

    _, *bounds = accumulate((len(part) + 1 for part in text.split(BOUNDARY)), initial=-1)
    for tag in tags:
        tag.leaf = bisect_right(bounds, tag.end - 1)
    stray, closings = _closings(tags)
    spans: list[Span] = []
    depths: Counter[str] = Counter()
    begun = -1
    for number, tag in enumerate(tags, start=1):
        is_closed = tag.start < max(stray.get(tag.kind, -1), closings.get((tag.leaf, tag.kind), -1))
        if tag.is_whole or (is_closed and not tag.is_closing):
            if begun < 0:
                begun = tag.start
            depths[tag.kind] = max(0, depths[tag.kind] + (-1 if tag.is_closing else 1))
            if not any(depths.values()):
                spans.append((begun, tag.end))
                begun = -1
        if number == len(tags) or tags[number].leaf != tag.leaf:
            # What another text closes goes on; what is never closed ends here.
            depths = Counter(
                {kind: 1 for kind in depths if depths[kind] and stray.get(kind, -1) > tag.start}
            )
            if begun >= 0 and not depths:
                spans.append((begun, bounds[tag.leaf]))
                begun = -1
    return spans


def _closings(tags: list[_Tag]) -> tuple[dict[str, int], dict[tuple[int, str], int]]:
    """Return where each kind is closed last: in a text that doesn't open it, and in each text."""
    from collections import Counter

    stray: dict[str, int] = {}
    last: dict[tuple[int, str], int] = {}
    depths: Counter[tuple[int, str]] = Counter()
    for tag in tags:
        where = (tag.leaf, tag.kind)
        if not tag.is_closing:
            depths[where] += 1
        elif tag.is_whole:
            last[where] = tag.start
            if not depths[where]:
                stray[tag.kind] = tag.start
            depths[where] = max(0, depths[where] - 1)
    return stray, last


def _tags(text: str) -> Iterator[_Tag]:
    """Yield the tags of a folded text. One that no bracket ends is not whole."""
    ends = _Next(text, ">")
    bounds = _Next(text, BOUNDARY)
    done = 0
    for match in _TAG.finditer(text):
        if match.start() < done:
            continue
        attributes, end = match["attributes"], match.end()
        is_blank = not attributes.strip(" /\0\t\n\r\v\f")
        whole = match["end"] == ">"
        if BOUNDARY in attributes and not (is_blank and whole):
            whole, end = False, match.start("attributes") + attributes.index(BOUNDARY)
        elif not (whole or match["slash"]) and text.startswith("<", end):
            is_quoted = attributes.count('"') % 2 or attributes.count("'") % 2
            is_followed = text.startswith("</", end)
            if is_quoted or ((is_blank or "=" in attributes) and not is_followed):
                # A bracket within an attribute, or in place of one.
                close = ends.after(end)
                whole = close < bounds.after(end)
                end = close + 1 if whole else end
        done = end
        kind = match["name"].replace(BOUNDARY, "").replace("_", "-")
        yield _Tag(kind, match.start(), end, closing=bool(match["slash"]), whole=whole)


class _Next:
    """Where a letter stands next; asked of places that only grow."""

    def __init__(self, text: str, letter: str) -> None:
        self.text, self.letter, self.at = text, letter, -1

    def after(self, start: int) -> int:
        """Return its first place from `start` on, beyond the text where there is none."""
        if self.at < start:
            result = self.text.find(self.letter, start)
            self.at = result if result >= 0 else len(self.text) + 1
        return self.at


PROMOTED_KEY = "memtui"
"""What stands before the uid, in a comment or in front matter."""
SIGN = f"{PROMOTED_KEY}:"

_UID = r"[0-9A-Za-z][0-9A-Za-z-]{7,63}"
_COMMENT = late_pattern(rf"<!--\s*{SIGN}\s*(?P<uid>{_UID})\s*-->")
_LINE = late_pattern(rf"(?m)^[^\n]*<!--\s*{SIGN}\s*{_UID}\s*-->[^\n]*(?:\n|\Z)")
# What an agent reads of a file may have its lines' numbers before them.
_MARGIN = r"[ \t]*(?:\d{1,7}[\t→:|][ \t]?)?"
_NOTE = late_pattern(
    rf"(?m)^{_MARGIN}---[ \t]*\n(?:(?!{_MARGIN}---[ \t]*$)[^\n]*\n){{0,60}}?"
    rf"{_MARGIN}[ \t]*{SIGN}[ \t]*['\"]?{_UID}['\"]?[ \t]*\n"
)


def comment(uid: str) -> str:
    """Return the comment that marks a line as a memory's."""
    return f"<!-- {SIGN} {uid} -->"


def uid_in(line: str) -> str:
    """Return the uid that a line is marked with; "" for none."""
    match = _COMMENT.search(line) if SIGN in line else None
    return match["uid"] if match else ""


def without_promoted(text: str) -> str:
    """Return a text without the lines that are a memory's, and without a note that is."""
    if SIGN not in text:
        return text
    if note := _NOTE.search(text):
        text = text[: note.start()]
    return _LINE.sub("", text)
