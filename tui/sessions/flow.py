"""The entries of a conversation as lines: what was said is rendered, each step is one line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import zip_longest

from textual.content import Content

from memtui.store import Query
from memtui.store.capture.conversation_entries import Entry, times
from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun

from ..parts.text_view import wrap
from ..protocol import ReadingMode
from ..text.ages import clock
from ..text.content import DIM, Passage, edges, fit, fit_title, joined, plain
from ..text.glyphs import glyph
from ..text.markdown.blocks import BULLET, document

LONGEST = 8_000
"""Characters of what was said at once; all of it is shown beside, or with Enter."""
STEP = 2
"""Cells by which steps are indented, those of a sub-agent twice."""
NO_MEMORY = Content.styled("·", DIM)
LOST = (N_("decision"), N_("constraint"), N_("number"))
"""What a summary may lack."""
SIDE_BY_SIDE, BETWEEN = 76, " │ "
"""Cells from which on two texts stand beside each other, and what stands between."""
UNFOLDED, FOLDED = "▾", "▸"


def entry_lines(
    entry: Entry, width: int, reading: ReadingMode, *, is_unfolded: bool, has_gap: bool
) -> list[Content]:
    """Return the lines of an entry, each at most `width` cells; with `has_gap` below a blank one."""
    match entry.kind:
        case "step":
            lines = [_step(entry, width, is_unfolded=is_unfolded)]
        case "summary" if entry.is_compaction:
            sign = UNFOLDED if is_unfolded else FOLDED
            lines = [_headline(entry, f"{sign} {_compacted(entry)}", width)]
            lines += _beside(entry, width, reading) if is_unfolded else ()
        case "summary" if not is_unfolded:
            lines = [_headline(entry, f"{FOLDED} {entry.title}", width)]
        case "summary":
            lines = [_headline(entry, UNFOLDED, width), *_said(entry, width, reading)]
        case "prompt":
            lines = [_rule(entry, width), *_said(entry, width, reading, "bold")]
        case _:
            lines = _with_refs(entry, _said(entry, width, reading), width)
    return [Content(), *lines] if has_gap else lines


def has_gap(entry: Entry, before: Entry | None) -> bool:
    """Return whether a blank line stands between an entry and the one before: only steps stand together."""
    return (
        before is not None
        and not (entry.kind == before.kind == "step")
        and (entry.kind != "step" or before.kind != "prompt")
    )


def estimated_height(entry: Entry, width: int, *, is_unfolded: bool) -> int:
    """Return about how many lines an entry takes, without rendering it."""
    if entry.kind == "step":
        return 1
    if entry.kind == "summary" and not is_unfolded:
        return 2
    text = entry.text[:LONGEST]
    return 3 + text.count("\n") + len(text) // max(1, width)


def refs_of(entry: Entry) -> str:
    """Return the ids of the memories that were made of an entry, the first ones of many."""
    more = f" +{len(entry.refs) - 2}" if len(entry.refs) > 2 else ""
    return ", ".join(entry.refs[:2]) + more


def _mark(entry: Entry) -> Content:
    """The glyph of what became a memory, of prompts and of summaries; a dot for what became none."""
    is_step = entry.kind in ("step", "reply")
    return NO_MEMORY if is_step and not entry.refs else glyph(entry.type).content


def _step(entry: Entry, width: int, *, is_unfolded: bool) -> Content:
    sign = (UNFOLDED if is_unfolded else FOLDED) if entry.below else " "
    indent = " " * (STEP * 2 * min(entry.depth, 8))
    below = count_noun(entry.below, "steps") if entry.below else ""
    left = Content.assemble(
        indent, (sign, DIM), " ", _mark(entry), " ", plain(entry.title, "" if entry.refs else DIM)
    )
    right = plain(joined(times(entry).strip(" ()"), below, refs_of(entry)), DIM)
    return edges(left, right, width, cut=fit_title)


def _rule(entry: Entry, width: int) -> Content:
    right = plain(joined(clock(entry.at), refs_of(entry)), DIM)
    rule = "─" * max(0, width - right.cell_length - 1)
    return Content.assemble((rule, "$foreground 25%"), " ", right)


def _headline(entry: Entry, text: str, width: int) -> Content:
    left = Content.assemble(glyph("summary").content, " ", plain(text, "bold"))
    return edges(left, plain(refs_of(entry), DIM), width)


def _compacted(entry: Entry) -> str:
    """Say how much of what was before a compaction its summary lacks."""
    if not entry.lost:
        return _("Compacted: its summary has what was decided before")
    lost = count_noun(len(entry.lost), "things")
    return _("Compacted: its summary lacks {things} · c tells again", things=lost)


def _beside(entry: Entry, width: int, reading: ReadingMode) -> list[Content]:
    """Return a compaction's summary and beside it, where there is room, else below it, what it lacks."""
    if not entry.lost:
        return _said(entry, width, reading)
    is_narrow = width < SIDE_BY_SIDE
    room = width if is_narrow else (width - len(BETWEEN)) // 2
    items = [
        Passage(Content.assemble((f"{_(lost.kind)} ", "bold $text-warning"), plain(lost.text)), mark=BULLET)
        for lost in entry.lost
    ]
    head = Content.styled(_("What it lacks"), "bold $text-accent")
    lost = [head, *(line for some in wrap(items, room) for line in some)]
    said = _said(entry, room, reading)
    if is_narrow:
        return [*lost, Content(), *said]
    both = zip_longest(said, lost, fillvalue=Content())
    return [Content.assemble(fit(one, room), (BETWEEN, DIM), other) for one, other in both]


def _said(entry: Entry, width: int, reading: ReadingMode, style: str = "") -> list[Content]:
    """What was said, behind the glyph of its type."""
    passages = list(_passages(entry, reading, style))
    lines = [line for some in wrap(passages, max(1, width - STEP)) for line in some]
    blank = Content(" " * STEP)
    return [(blank if at else _mark(entry) + " ") + line for at, line in enumerate(lines)]


def _passages(entry: Entry, reading: ReadingMode, style: str) -> Iterator[Passage]:
    passages: Sequence[Passage] = document(entry.text[:LONGEST], Query(), replace(reading, most=LONGEST))
    for passage in passages:
        content = passage.content
        if style and isinstance(content, Content):
            content = content.stylize_before(style)
        yield replace(passage, content=content)
    if (more := len(entry.text) - LONGEST) > 0:
        remark = _("… {count} more characters, Enter shows them", count=f"{more:,}")
        yield Passage(plain(remark, f"italic {DIM}"))


def _with_refs(entry: Entry, lines: list[Content], width: int) -> list[Content]:
    """Lines with the ids of memories at the right end of the first, where there is room for them."""
    right = plain(refs_of(entry), DIM)
    if lines and right and lines[0].cell_length + right.cell_length + 2 <= width:
        lines[0] = edges(lines[0], right, width)
    return lines
