"""Stored text as Textual's Content: the only place where that is done. Passages, which texts are made of,
how their lines are wrapped, and how one text differs from another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Protocol

from rich.cells import cell_len
from textual.content import Content, Span
from textual.style import Style

from memtui.store import Snippet
from memtui.store.text.display import safe, safe_spans
from memtui.store.text.wrapping import breaks, has_wide

from .rows import LEFT_OUT, shown_places

# Of `contrast`. Not $text-muted: its alpha is lost in a Content, which then shows it as bright as the rest.
DIM = "$dim"
"""The style of what repeats."""
MATCH = "bold $lit on $accent-muted"
"""The style of what was searched for."""
DIFFERENCE = {"same": "", "removed": "$text-error strike", "added": "$text-success underline"}
"""Of what is the same, of what went, and of what came: told by more than their colours."""


class Separator(Content):
    """What stands between others. Once its width is known, Content's own `join` counts it once more than it
    stands there."""

    def join(self, lines: Iterable[Content | str]) -> Content:
        return Content(self.plain, [*self.spans]).join(lines)


EMPTY = Content()
GAP = Separator("  ")
"""What stands between the columns of a row."""
NO_MARK = Content()


def plain(text: str, style: str | Style = "", *, newlines: bool = False) -> Content:
    """`text` fit for the screen, in one style; on one line unless `newlines`."""
    return Content.styled(safe(text, newlines=newlines), style, strip_control_codes=False)


def highlighted(snippet: Snippet, style: str | Style = "") -> Content:
    """Return a snippet fit for the screen, its matches in the style `MATCH`."""
    text, spans = safe_spans(snippet.text, snippet.spans)
    return Content(text, [Span(start, end, MATCH) for start, end in spans]).stylize_before(style)


def fit(content: Content, width: int, tail: Content = EMPTY) -> Content:
    """Exactly `width` cells of one line: cut with `…`, or filled with spaces.

    `tail` stands behind what is left of `content`, and isn't cut.
    """
    if width <= 0:
        return Content()
    # Few characters are narrower than a cell, so what is beyond this can't come into view.
    content, room = content[: 4 * width], max(1, width - tail.cell_length)
    if content.cell_length > room:
        content = _with_ellipsis(content.truncate(room - 1).rstrip())
    return (content + tail).truncate(width, pad=True)


def fit_title(content: Content, width: int, tail: Content = EMPTY, shared: int = 0) -> Content:
    """Return a title, or a path, in exactly `width` cells, as `fit` does, without Markdown's marks and with
    `…` where it is like others; see `shown_places`."""
    text = content.plain[: 8 * width]
    places = enumerate(shown_places(text, width - tail.cell_length, shared))
    parts = []
    for _, group in groupby(places, lambda pair: pair[1] - pair[0] if pair[1] >= 0 else None):
        run = [at for _, at in group]
        parts.append(Content("…") if run[0] == LEFT_OUT else content[run[0] : run[-1] + 1])
    return fit(Content("").join(parts), width, tail)


def right_aligned(content: Content, width: int) -> Content:
    """Return content at the right end of `width` cells. What is wider isn't cut: a number without its end
    would be another one."""
    return content.pad_left(max(0, width - content.cell_length))


def in_column(content: Content, width: int, *, is_number: bool) -> Content:
    """Return a cell of a column of `width` cells."""
    return right_aligned(content, width) if is_number else fit(content, width)


def _with_ellipsis(content: Content) -> Content:
    """Return it with an ellipsis in the style of its end, which is no match though."""
    length = len(content)
    spans = [
        Span(span.start, min(span.end, length), span.style) if span.style == MATCH else span
        for span in content.extend_right(1, "…").spans
    ]
    return Content(f"{content.plain}…", spans)


def edges(
    left: Content,
    right: Content,
    width: int,
    tail: Content = EMPTY,
    cut: Callable[[Content, int, Content], Content] = fit,
) -> Content:
    """Exactly `width` cells with `left` and `right` at the two ends, and a space between.

    `left`, but not the `tail` behind it, gives way to `right`, as `cut` does it; where that would leave it
    less than half, `right` is left out.
    """
    room = width - right.cell_length - 1
    if not right or room < width // 2:
        return cut(left, width, tail)
    return cut(left, room, tail) + " " + right


class Wrapped(Protocol):
    """What becomes lines of a width: a `Content`, a table."""

    def wrap(self, width: int) -> Sequence[Content]:
        """Return its lines, each at most `width` cells wide."""


@dataclass(frozen=True, slots=True)
class Passage:
    """`content`, wrapped. With a label (or "" for the same label again) it stands in the column
    beside the labels, without (None) it has the whole width. `mark` stands before its first line and
    `lead`, by default as many spaces, before all others; `space` blank lines above it. `background`
    is the style that its lines have to the right edge.
    """

    content: Wrapped
    label: str | None = None
    mark: Content = NO_MARK
    space: int = 0
    lead: Content | None = None
    background: str = ""


def apart(passages: Iterable[Passage], space: int = 1) -> Iterator[Passage]:
    """Yield passages, the first of them below `space` blank lines."""
    for number, passage in enumerate(passages):
        yield passage if number else replace(passage, space=space)


def joined(*parts: str | None) -> str:
    """Return the parts that aren't empty, with ` · ` between them."""
    return " · ".join(part for part in parts if part)


TAB = 8


def wrap_text(content: Wrapped, width: int) -> Sequence[Content]:
    """Return the lines of a text, or of a table, each at most `width` cells wide."""
    if not isinstance(content, Content) or not has_wide(content.plain):
        return content.wrap(width)
    lines: list[Content] = []
    for line in content.split("\n", allow_blank=True):
        spaced = line.expand_tabs(TAB)
        lines += (item.rstrip() for item in spaced.divide(list(breaks(spaced.plain, width, cell_len))))
    return lines


def place_in(word: str, typed: str) -> int:
    """Return at which character of a word stands what is typed: at its beginning, or anywhere in Chinese,
    which has no blanks between words; -1 where it isn't meant."""
    return word.find(typed) if has_wide(typed) else -1 + word.startswith(typed)


SIGNS = {"same": "  ", "removed": "- ", "added": "+ ", "changed": "~ "}
SIGN_STYLES = {"same": "", "removed": "$text-error", "added": "$text-success", "changed": DIM}


def difference_passages(before: str, after: str, space: int = 0) -> Iterator[Passage]:
    """Yield the lines of both texts, each with a sign; of those that say something else of the same, the
    words that differ. `space` is how many lines stand above the first."""
    # The first paint does without it.
    from memtui.store.curation.word_diff import line_diff

    for kind, runs in line_diff(before, after):
        # A line that went or came is one for its sign, not for a stroke through all of it.
        words = [
            plain(text, DIFFERENCE[change] if kind == "changed" else SIGN_STYLES[kind])
            for change, text in runs
        ]
        yield Passage(
            Content.assemble(*words),
            mark=Content.styled(SIGNS[kind], SIGN_STYLES[kind]),
            space=space,
        )
        space = 0
