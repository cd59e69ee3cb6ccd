"""Code as it is shown: coloured by its language and folded where it is long; a diff side by side where
there is room. And what all parts of a rendered text have in common.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from itertools import groupby, islice, zip_longest

from textual.content import Content, Span

from memtui.store.platform.translation import _
from memtui.store.text.display import safe_spans
from memtui.store.text.markup import DiffLine, code_parts, diff_lines, is_diff_of
from memtui.store.text.plural import count_noun

from ...protocol import ReadingMode
from ..content import DIM, MATCH, Passage, Wrapped, plain, wrap_text

FIRST = 4_000
"""Characters of a text that are rendered at once, more than any screen shows of it; the rest follows."""
REST = Content.styled("…", DIM)
"""What stands, by identity, for the rest of a text that is still to be rendered."""

Styled = tuple[int, int, str]
"""The start and end of a part of a text, and its style."""
Find = Callable[[str], Iterable[tuple[int, int]]]
"""Returns where a text holds what was searched for, as [start, end)."""


RENDERED = ReadingMode()


def is_whole(passages: Iterable[Passage]) -> bool:
    """Whether no text among these was cut to be rendered further later."""
    return all(passage.content is not REST for passage in passages)


def lit(text: str, styles: Iterable[Styled], find: Find) -> Content:
    """Return a text fit for the screen in its styles, with what was searched for in it lit."""
    wanted = [*styles, *((start, end, MATCH) for start, end in find(text))]
    shown, places = safe_spans(text, [(start, end) for start, end, _ in wanted], newlines=True)
    spans = [Span(start, end, style) for (start, end), (_, _, style) in zip(places, wanted, strict=True)]
    return Content(shown, spans)


# Colours of the theme only, so that each theme's contrast holds.
COLOURS = {
    "Token.Comment": f"italic {DIM}",
    "Token.Keyword": "$text-accent",
    "Token.Name.Builtin": "$text-accent",
    "Token.Name.Class": "bold $text-primary",
    "Token.Name.Function": "$text-primary",
    "Token.Name.Decorator": "$text-primary",
    "Token.Name.Tag": "$text-primary",
    "Token.Name.Attribute": "$text-warning",
    "Token.Literal.Number": "$text-warning",
    "Token.Literal.String": "$text-success",
    "Token.Operator.Word": "$text-accent",
    "Token.Generic.Heading": "bold",
    "Token.Generic.Subheading": "$text-accent",
    "Token.Generic.Inserted": "$text-success",
    "Token.Generic.Deleted": "$text-error",
    "Token.Generic.Prompt": DIM,
}


@cache
def colour_of(kind: object) -> str:
    """Return the style of a type of token (pygments'), `` where it has none of its own."""
    name = str(kind)
    while name not in COLOURS and "." in name:
        name = name.rpartition(".")[0]
    return COLOURS.get(name, "")


BACKGROUND = "on $surface"
FOLDED = 20
"""Lines of code that are shown whole; of more, the first ones."""
HEAD = 12
UNFOLD = "+"
"""The key that unfolds."""


def code(text: str, language: str, find: Find, *, unfolded: bool = False, path: str = "") -> Content | Diff:
    """Return code fit for the screen, in colours where the language is known; a diff, where it names no
    file, as one of `path`. Of long code only the first lines, unless `unfolded`, and how many more there
    are with how many matches in them."""
    lines = text.count("\n") + 1
    is_diff = is_diff_of(text, language)
    if unfolded or lines <= FOLDED:
        return diff(text, find, path) if is_diff else lit(text, _colours(text, language), find)
    head = "\n".join(islice(text.split("\n"), HEAD))
    matches = sum(1 for start, _ in find(text) if start >= len(head))
    many, found = f"{lines - HEAD:,}", count_noun(matches, "matches")
    remark = _("… {count} more lines, {key} unfolds", count=many, key=UNFOLD)
    if matches:
        remark = _(
            "… {count} more lines with {matches}, {key} unfolds",
            count=many, matches=found, key=UNFOLD,
        )  # fmt: skip
    more = plain(f"\n{remark}", f"italic {DIM}", newlines=True)
    if is_diff:
        return replace(diff(head, find, path), more=more[1:])
    return lit(head, _colours(head, language), find) + more


WIDE = 110
"""Cells from which on a diff stands side by side: what a terminal of 120 columns leaves a text."""
HEADER = re.compile(r"diff --git |index [\da-f]+\.\.|--- |\+\+\+ ")
PLACE = re.compile(r"^[ab]/(?=.)")
MOST_PARTS = 3
"""Names of an absolute path that are shown."""
NUMBER = 4
"""Cells of a line's number."""
SIGNS = {"added": "+", "removed": "-", "same": " "}
STYLES = {"added": "bold $text-success", "removed": "bold $text-error", "same": DIM}
GROUNDS = {"added": "on $success 15%", "removed": "on $error 15%", "same": ""}
BETWEEN = Content.styled(" │ ", DIM)


@dataclass(frozen=True, slots=True)
class Diff:
    """The lines of a diff, each with its content; `more` stands below them."""

    lines: Sequence[tuple[DiffLine, Content]]
    more: Content = field(default=Content())

    def wrap(self, width: int) -> list[Content]:
        """Return the lines of the diff in `width` cells."""
        sides = _side_by_side if width >= WIDE and self._changes else _unified
        numbered = any(line.old is not None or line.new is not None for line, _ in self.lines)
        made = list(sides(self.lines, width, NUMBER if numbered else 0))
        return [*made, *(wrap_text(self.more, width) if self.more else [])]

    @property
    def _changes(self) -> bool:
        """Whether anything was removed and anything added: else one side would be blank."""
        return {"added", "removed"} <= {line.side for line, _ in self.lines}


def diff(text: str, find: Find, path: str = "") -> Diff:
    """Return a diff fit for the screen; `path` is the file that it is of where it names none."""
    # Two signs alone tell nothing.
    lines = list(_with_one_name([line for line in diff_lines(text, path) if line.text != "@@"]))
    contents: dict[int, Content] = {}
    for removed in (True, False):
        side = "added" if removed else "removed"
        for language, run in groupby(
            (at for at, line in enumerate(lines) if line.side not in (side, "about")),
            lambda at: lines[at].language,
        ):
            # Of what is the same the second round has the last word.
            contents |= _coloured([*run], lines, language, find)
    return Diff(
        [
            (
                line,
                contents[at] if at in contents else lit(line.text, [(0, len(line.text), DIM)], find),
            )
            for at, line in enumerate(lines)
        ]
    )


def unnamed(content: Wrapped) -> Wrapped:
    """Return what is shown, where it is a diff without the line that names its one file."""
    if not isinstance(content, Diff) or not content.lines or content.lines[0][0].side != "about":
        return content
    return replace(content, lines=content.lines[content.lines[0][0].text[:1] not in "@" :])


def _colours(text: str, language: str) -> Iterator[Styled]:
    for start, end, kind in code_parts(text, language):
        if style := colour_of(kind):
            yield start, end, style


def _with_one_name(lines: Sequence[DiffLine]) -> Iterator[DiffLine]:
    """The lines of a diff, the two that name its file as one, which is relative."""
    for at, line in enumerate(lines):
        if line.side != "about" or not HEADER.match(line.text):
            yield line
        elif line.text.startswith("--- ") and at + 1 < len(lines):
            names = (PLACE.sub("", one.text[4:].split("\t")[0]) for one in (line, lines[at + 1]))
            named = [*dict.fromkeys(name for name in names if name != "/dev/null")]
            yield replace(line, text=" → ".join(map(_relative, named)))
        elif line.text.startswith("diff ") and not any(
            one.text[:4] == "--- " for one in lines[at : at + 5]
        ):
            # What was but renamed is named here alone.
            yield line


def _relative(name: str) -> str:
    parts = name.split("/")
    return name if parts[0] or len(parts) <= MOST_PARTS else "/".join(["…", *parts[-MOST_PARTS:]])


def _coloured(
    places: Sequence[int], lines: Sequence[DiffLine], language: str, find: Find
) -> Iterator[tuple[int, Content]]:
    texts = [lines[at].text for at in places]
    spans = [
        (start, end, style)
        for start, end, kind in code_parts("\n".join(texts), language or "text")
        if (style := colour_of(kind))
    ]
    begin, at = 0, 0
    for place, text in zip(places, texts, strict=True):
        end = begin + len(text)
        while at < len(spans) and spans[at][1] <= begin:
            at += 1
        mine = []
        ahead = at
        while ahead < len(spans) and spans[ahead][0] < end:
            start, stop, style = spans[ahead]
            mine.append((max(0, start - begin), min(len(text), stop - begin), style))
            ahead += 1
        yield place, lit(text, mine, find)
        begin = end + 1


def _unified(lines: Sequence[tuple[DiffLine, Content]], width: int, numbers: int) -> Iterator[Content]:
    for line, content in lines:
        if line.side == "about":
            yield from wrap_text(content, width)
        else:
            label = f"{_number(line.old, numbers)}{_number(line.new, numbers)}"
            yield from _cell(line, content, label, width)


def _side_by_side(lines: Sequence[tuple[DiffLine, Content]], width: int, numbers: int) -> Iterator[Content]:
    left_width = (width - BETWEEN.cell_length) // 2
    right_width = width - BETWEEN.cell_length - left_width
    for is_change, run in groupby(lines, lambda pair: pair[0].side in ("added", "removed")):
        block = list(run)
        if is_change:
            pairs = list(
                zip_longest(
                    [pair for pair in block if pair[0].side == "removed"],
                    [pair for pair in block if pair[0].side == "added"],
                )
            )
        else:
            pairs = [(pair, pair) for pair in block]
        for old, new in pairs:
            if old is not None and old[0].side == "about":
                yield from wrap_text(old[1], width)
                continue
            left = _cell(old[0], old[1], _number(old[0].old, numbers), left_width) if old else []
            right = _cell(new[0], new[1], _number(new[0].new, numbers), right_width) if new else []
            for one, other in zip_longest(left, right, fillvalue=Content()):
                yield one.pad_right(max(0, left_width - one.cell_length)) + BETWEEN + other


def _number(number: int | None, width: int) -> str:
    return f"{'' if number is None else number:>{width}} " if width else ""


def _cell(line: DiffLine, content: Content, label: str, width: int) -> list[Content]:
    """A line behind its numbers and its sign, on the ground of its side, in `width` cells."""
    sign = Content.assemble((label, DIM), (f"{SIGNS[line.side]} ", STYLES[line.side]))
    blank = Content(" " * sign.cell_length)
    room = max(1, width - sign.cell_length)
    wrapped = wrap_text(content, room) or [Content()]
    shown = [(blank if at else sign) + part for at, part in enumerate(wrapped)]
    ground = GROUNDS[line.side]
    if not ground:
        return shown
    return [part.pad_right(max(0, width - part.cell_length)).stylize_before(ground) for part in shown]
