"""Versions and changes: a line each in their lists, and as passages with what differs word by word."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any

from textual.content import Content

from memtui.store import (
    ChangedRecord,
    Fact,
    JournalEntry,
    Observation,
    Prompt,
    Summary,
    Version,
    maker,
    short_maker,
)
from memtui.store.aio import AsyncStore
from memtui.store.curation.word_diff import field_diff
from memtui.store.platform.translation import _
from memtui.store.records.fields import flag_change
from memtui.store.text.plural import count_noun

from ..lists.columns import Column, ColumnList
from ..text import ages
from ..text.content import DIFFERENCE, DIM, Passage, apart, joined, plain
from ..text.markdown.code import BACKGROUND, diff
from ..text.records import as_text

NO_ONE = "—"
WHEN, BY = 16, 16
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


class VersionList(ColumnList[Version]):
    """The newest first."""

    least = LEAST
    machine = ""
    """The id of this machine, which need not be named."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(key=lambda version: version.number, id=id)

        def when(item: Version, _selected: bool) -> Content:
            return plain(NO_TIME if item.at is None else ages.full(item.at)[:WHEN], DIM)

        self.columns = (
            Column(_("No."), lambda item, _selected: Content(f"{item.number}"), 3, is_number=True),
            Column(_("When"), when, WHEN),
            Column(_("By"), lambda item, _selected: _by(item, self.machine), BY, leaves=1),
            Column(
                _("What changed"), lambda item, selected: plain(_what(item), "bold" if selected else "")
            ),
        )


class ChangeList(ColumnList[JournalEntry]):
    """The newest first."""

    least = LEAST
    machine = ""
    """The id of this machine, which need not be named."""

    def __init__(self, now: Callable[[], int], *, id: str | None = None) -> None:
        super().__init__(key=lambda change: change.id, id=id)

        def when(item: JournalEntry, _selected: bool) -> Content:
            return Content.styled(ages.age(item.at, now(), self.as_dates), DIM)

        self.columns = (
            Column(_("When"), when, ages.WIDTH, is_number=True),
            Column(_("By"), lambda item, _selected: _by(item, self.machine), BY, leaves=1),
            Column(_("What changed"), lambda item, selected: plain(item.what, "bold" if selected else "")),
        )

    def remark(self, item: JournalEntry) -> Content:
        return plain(state(item), "$text-warning" if item.undone_at is None else DIM)


def _by(item: JournalEntry | Version, machine: str) -> Content:
    return plain(short_maker(item, machine) or NO_ONE)


def _what(version: Version) -> str:
    # That it is this memory needs no words; its fields say more.
    named = _(", ").join(_changed(version, name) for name in version.changed)
    return named if named and version.at is not None else version.what


VERBS = {"INSERT": _("added"), "DELETE": _("removed"), "UPDATE": _("changed")}
NO_TIME = _("time unknown")
RECORDS = 200
"""So many records of one change are shown."""


def state(entry: JournalEntry) -> str:
    """Return what is to be said of a change beside what it did."""
    if entry.undone_at is not None:
        return _("undone")
    return "" if entry.is_recorded else _("can't be undone")


def version_passages(version: Version, before: Version | None, here: str, now: int) -> Iterator[Passage]:
    """A version: when, who, how it differs from the one before, and how it read."""
    yield Passage(
        Content.assemble(_("Version {number}", number=version.number), "  ", plain(version.what)).stylize(
            "bold"
        )
    )
    yield from _circumstances(version, here, now)
    if before is not None:
        yield from apart(difference(before.record, version.record, version.changed))
    if isinstance(version.record, Observation | Prompt | Summary | Fact) and (
        text := as_text(version.record)
    ):
        yield Passage(Content.styled(_("As it read then"), "bold $text-accent"), space=1)
        yield Passage(plain(text, newlines=True), space=1)


def difference(before: Any, after: Any, names: Iterable[str]) -> Iterator[Passage]:
    """How two states of a record differ in these fields."""
    for name in names:
        yield _field(name, getattr(before, name), getattr(after, name))


def change_passages(
    entry: JournalEntry, records: Sequence[ChangedRecord], here: str, now: int
) -> Iterator[Passage]:
    """A change: when, who, and what it did to each record."""
    yield Passage(plain(entry.what, "bold"))
    yield from _circumstances(entry, here, now)
    if told := state(entry):
        when = "" if entry.undone_at is None else f" {ages.full(entry.undone_at)}"
        words = f"✗ {told}{when}"
        if entry.can_redo:
            words = _("{change}; ^r does it again", change=words)
        yield Passage(plain(words, "bold $text-warning"))
    for record in records:
        yield Passage(
            Content.assemble(
                plain(record.ref, DIM),
                " ",
                plain(record.title or _("untitled"), "bold"),
                plain(f"  {VERBS.get(record.op, record.op)}", DIM),
            ),
            space=1,
        )
        if record.op == "UPDATE":
            for name, before, after in record.fields:
                yield _field(name, before, after)
    if records and entry.records > len(records):
        more = _(
            "And {count} more: mem history c{id} lists them.",
            count=f"{entry.records - len(records):,}",
            id=entry.id,
        )
        yield Passage(plain(more, DIM), space=1)


def _changed(version: Version, name: str) -> str:
    """What a version changed: a field by its name, a flag by what became of the memory."""
    return _(flag_change(name, getattr(version.record, name)) or name.replace("_", " "))


def _circumstances(item: JournalEntry | Version, here: str, now: int) -> Iterator[Passage]:
    when = NO_TIME if item.at is None else joined(ages.full(item.at), ages.ago(item.at, now))
    yield Passage(plain(when, DIM))
    count = count_noun(item.records, "memories") if isinstance(item, JournalEntry) else ""
    yield Passage(plain(joined(maker(item, here), count), DIM))


def _field(name: str, before: Any, after: Any) -> Passage:
    label = _(name).replace("_", " ")
    if isinstance(before, str) and isinstance(after, str) and "\n" in before + after:
        lines = unified_diff(before.splitlines(), after.splitlines(), lineterm="")
        changes = "\n".join(list(lines)[2:])
        return Passage(diff(changes, lambda _path: ()), label, background=BACKGROUND)
    runs = field_diff(name, before, after, ages.full, between="\n")
    shown: list[Content] = []
    for (kind, text), (before_it, _text) in zip(runs, [("same", ""), *runs], strict=False):
        # What came stands apart from what went, also where no colours tell.
        gap = " " if (before_it, kind) == ("removed", "added") else ""
        shown.append(Content.assemble(gap, plain(text, DIFFERENCE[kind], newlines=True)))
    return Passage(Content.assemble(*shown).rstrip(), label)
