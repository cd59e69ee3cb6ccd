"""Versions, one a line, and changes, one a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from memtui.store import JournalEntry, Version, short_maker
from memtui.store.aio import AsyncStore
from memtui.store.platform.translation import _
from memtui.store.records.fields import flag_change

from ..lists.paged_list import PagedList
from ..text import ages
from ..text.content import DIM, GAP, edges, fit, plain, right_aligned
from .text import NO_TIME, state

NO_ONE = "—"
NUMBER, WHEN, AGE, BY = 3, 16, ages.WIDTH, 16
LEAST = 18
"""Cells that what was done has at least; who did it gives way."""


@dataclass(frozen=True, slots=True)
class ChangeProvider:
    """The changes of a project, of a kind of record, since a moment (ms), or all, the newest first."""

    store: AsyncStore
    project: str | None = None
    kind: str | None = None
    since: int | None = None

    async def count(self) -> int:
        return await self.store.run(
            lambda store: store.change_count(project=self.project, kind=self.kind, since=self.since)
        )

    async def page(self, start: int, length: int) -> Sequence[JournalEntry]:
        return await self.store.run(
            lambda store: store.changes(
                project=self.project,
                kind=self.kind,
                since=self.since,
                start=start,
                limit=length,
            )
        )


class VersionList(PagedList[Version]):
    """The newest first."""

    has_heads = True
    machine = ""
    """The id of this machine, which need not be named."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(key=lambda version: version.number, id=id)

    def render_heads(self, width: int) -> Content:
        left = [right_aligned(Content(_("No.")), NUMBER), fit(Content(_("When")), WHEN)]
        return _row(left, _("By"), _("What changed"), Content(), width, False)

    def render_row(self, item: Version, width: int, selected: bool) -> list[Content]:
        when = NO_TIME if item.at is None else ages.full(item.at)[:WHEN]
        left = [Content(f"{item.number:>{NUMBER}}"), fit(plain(when, DIM), WHEN)]
        # That it is this memory needs no words; its fields say more.
        named = _(", ").join(_changed(item, name) for name in item.changed)
        what = named if named and item.at is not None else item.what
        return [_row(left, short_maker(item, self.machine) or NO_ONE, what, Content(), width, selected)]


def _changed(version: Version, name: str) -> str:
    """What a version changed: a field by its name, a flag by what became of the memory."""
    return _(flag_change(name, getattr(version.record, name)) or name.replace("_", " "))


class ChangeList(PagedList[JournalEntry]):
    """The newest first."""

    has_heads = True
    machine = ""
    """The id of this machine, which need not be named."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda change: change.id, id=id)
        self._now = now

    def render_heads(self, width: int) -> Content:
        return _row(
            [right_aligned(Content(_("When")), AGE)],
            _("By"),
            _("What changed"),
            Content(),
            width,
            False,
        )

    def render_row(self, item: JournalEntry, width: int, selected: bool) -> list[Content]:
        when = Content.styled(ages.age(item.at, self._now(), self.as_dates), DIM)
        left = [right_aligned(when, AGE)]
        content = plain(state(item), "$text-warning" if item.undone_at is None else DIM)
        return [_row(left, short_maker(item, self.machine) or NO_ONE, item.what, content, width, selected)]


def _row(left: list[Content], who: str, what: str, remark: Content, width: int, selected: bool) -> Content:
    taken = sum(part.cell_length + len(GAP) for part in left)
    if width - taken - BY - len(GAP) >= LEAST:
        left = [*left, fit(plain(who), BY)]
        taken += BY + len(GAP)
    style = "bold" if selected else ""
    return GAP.join([*left, edges(plain(what, style), remark, width - taken)])
