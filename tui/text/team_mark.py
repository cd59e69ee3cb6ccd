"""Whose a memory is, and who may read it, where the store is in a team."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.store import Record, Session, Store, ref_of
from memtui.store.platform.leaves import leaf
from memtui.store.platform.translation import _

from .content import DIM, EMPTY, Passage, fit, plain

if TYPE_CHECKING:
    from memtui.store.records.sharing import TeamMark

WIDE, NARROW = 9, 5
"""Cells of the column, and of it in a list that is narrower than `ROOM`."""
ROOM = 70
SYMBOLS = {"project": "⇡", "team": "⇈"}
AUTHOR = "$text-accent"


def mark_width(room: int) -> int:
    """Return the cells of the column in a list of so many."""
    return WIDE if room >= ROOM else NARROW


def mark_cell(mark: TeamMark | None, width: int) -> Content:
    """Return the cell of a row: its author, where that is a teammate, else who may read it."""
    return fit(mark_words(mark, is_brief=width < WIDE), width)


def mark_words(mark: TeamMark | None, *, is_brief: bool = False) -> Content:
    """Return a mark in a word; of what is nobody else's nothing."""
    if mark is None:
        return EMPTY
    if mark.author:
        return plain(mark.author, AUTHOR)
    words = {"project": _("project"), "team": _("team")}
    word = "" if is_brief else words.get(mark.visibility, "")
    symbol = SYMBOLS.get(mark.visibility, "")
    return Content.assemble((symbol, "$text-success"), plain(f" {word}" if word else "", DIM))


def mark_passages(mark: TeamMark | None) -> Iterator[Passage]:
    """Yield a line on which teammate shared a memory, or who may read it; none of what is nobody else's."""
    if mark is None:
        return
    for dispute in mark.disputes:
        words = _("✗ Disputed by {who_and_why}", who_and_why=dispute)
        yield Passage(plain(words, "bold $text-warning"))
    if mark.author:
        yield Passage(plain(_("Shared by {author}.", author=mark.author), AUTHOR))
        return
    seen_by = {
        "project": _("Shared with the project's members."),
        "team": _("Shared with the whole team."),
    }
    yield Passage(plain(f"{SYMBOLS[mark.visibility]} {seen_by[mark.visibility]}", "$text-success"))


def mark_of(store: Store, record: Record | Session) -> TeamMark | None:
    """Return the mark of a record, or a session."""
    ref = ref_of(record)
    return marks_of(store, [ref]).get(ref)


def marks_of(store: Store, refs: Iterable[str]) -> dict[str, TeamMark]:
    """Return the marks of those of the memories, sessions and notes that are a teammate's or shared, where
    there is a team."""
    marks: dict[str, TeamMark] = leaf("team.sharing").marks_of(store, refs)
    return marks
