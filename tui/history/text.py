"""Versions and changes in words, and as passages with what differs word by word."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
)
from memtui.store.curation.word_diff import field_diff
from memtui.store.platform.translation import _
from memtui.store.text.plural import count_noun

from ..text import ages
from ..text.content import DIFFERENCE, DIM, Passage, joined, plain
from ..text.markdown.code import BACKGROUND
from ..text.markdown.diff import diff
from ..text.records import as_text

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
        yield from _spaced(difference(before.record, version.record, version.changed))
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


def _spaced(passages: Iterable[Passage]) -> Iterator[Passage]:
    for number, passage in enumerate(passages):
        yield passage if number else Passage(passage.content, passage.label, passage.mark, 1)
