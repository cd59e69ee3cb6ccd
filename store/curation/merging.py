"""Merging records: what several of one kind say becomes one of them, and the others are deleted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from ..database.journal import Journal
from ..platform.clock import now_ms
from ..platform.errors import EditConflictError, InvalidRecordError, NotFoundError
from ..platform.translation import _
from ..records.dataclasses import dataclass, replace
from ..records.fields import editable
from ..records.kinds import TABLES, kind_of, ref
from ..records.rows import Fact, Observation, Prompt, Session, Summary
from ..search.listing.teammates import Teammates
from ..tables.base import Table
from ..tables.facts import Facts, fact_key
from ..tables.merges import Merges, statement_key
from ..text.plural import count_noun
from .editing import AnyRecord, Editing, check_unchanged

SESSIONS = _(
    "Sessions can't be merged: each is one run of an agent, with what happened in it. "
    "Merge the memories in them. Nothing was changed."
)


@dataclass(frozen=True, slots=True)
class MergePlan:
    """What a merge would make: `into` gains the fields that differ, `others` are deleted."""

    kind: str
    into: AnyRecord
    others: tuple[AnyRecord, ...]
    fields: dict[str, Any]

    @property
    def records(self) -> tuple[AnyRecord, ...]:
        """All of them, the one that is kept first."""
        return (self.into, *self.others)


@dataclass(frozen=True, slots=True)
class Merged:
    """What a merge did: the record as it is now, the refs of those that were merged into it, and the
    change of the journal."""

    record: AnyRecord
    refs: tuple[str, ...]
    change_id: int | None


class Merging:
    """Makes several records one, each call as one undo."""

    def __init__(self, journal: Journal, tables: Mapping[str, Table[Any]], editing: Editing) -> None:
        self.journal = journal
        self.tables = tables
        self.editing = editing

    @cached_property
    def merges(self) -> Merges:
        """What was merged, and what is no duplicate."""
        return Merges(self.journal.db)

    def plan(
        self,
        records: Sequence[AnyRecord],
        fields: Mapping[str, Any],
        into: AnyRecord | None = None,
    ) -> MergePlan:
        """Return what merging records would make. InvalidRecordError says why they can't be one."""
        some = list(
            {(type(item), item.id): item for item in ((into,) if into else ()) + (*records,)}.values()
        )
        kind = _common_kind(some)
        Teammates(self.journal.db).check_writable(ref(kind, one.id) for one in some)
        table = self.tables[kind]
        kept = into or preferred(some)
        merged = [entry for entry in some if entry.id != kept.id]
        if not merged:
            raise InvalidRecordError(
                "A merge takes two memories or more, and {ref} is one. Nothing was changed.",
                ref=ref(kind, kept.id),
            )
        if set(table.whole([kept.id])).intersection(one.id for one in merged):
            raise InvalidRecordError(
                "{names} are the brief and the detailed level of one summary, which are kept "
                "side by side. Nothing was changed.",
                names=_names(kind, some),
            )
        return MergePlan(kind, kept, tuple(merged), united(kind, kept, merged) | dict(fields))

    def merge(self, plan: MergePlan) -> Merged:
        """Make it so, as one change: the one that is kept has the fields of the plan, and of the others
        their sources, and what cites them. It is private if any of them is, and pinned if one is.
        EditConflictError where one was changed since it was read; nothing is done then."""
        with self.journal.recording(described(plan)) as recorder:
            self._check(plan)
            merged = self._make_one(plan)
            self._follow([plan])
        return replace(merged, change_id=recorder.change_id)

    def merge_all(self, plans: Iterable[MergePlan], what: str) -> list[Merged | None]:
        """Carry out many plans, as one change; None for each of which a record was changed since."""
        done: list[Merged | None] = []
        carried_out: list[MergePlan] = []
        with self.journal.recording(what):
            for plan in plans:
                try:
                    self._check(plan)
                except (EditConflictError, NotFoundError):
                    done.append(None)
                    continue
                done.append(self._make_one(plan))
                carried_out.append(plan)
            self._follow(carried_out)
        return done

    def _check(self, plan: MergePlan) -> None:
        self.journal.transaction.check_person()
        for record in plan.records:
            check_unchanged(record, self.tables[plan.kind].get(record.id))

    def _make_one(self, plan: MergePlan) -> Merged:
        kind, kept, merged = plan.kind, plan.into, plan.others
        table = self.tables[kind]
        at = now_ms()
        table.write_columns(table.whole(item.id for item in merged), {"deleted_at": at})
        self._note(kept, merged, at)
        if isinstance(kept, Fact):
            self._take_sources(kept, merged)
        self._set_flags(table, kept, merged)
        self.editing.edit(table.get(kept.id), plan.fields)
        record = table.get(kept.id)
        if isinstance(kept, Fact) and _key(kept) != _key(record):
            # Whoever says again what it said before states it still.
            self.merges.note(record.uid, [(record.uid, None, _key(kept))], at)
        return Merged(record, tuple(ref(kind, entry.id) for entry in merged), None)

    def _follow(self, plans: Iterable[MergePlan]) -> None:
        """Have what names the merged records name what they were merged into."""
        uids: dict[str, str] = {}
        refs: dict[str, str] = {}
        for plan in plans:
            uids |= {item.uid: plan.into.uid for item in plan.others}
            refs |= {ref(plan.kind, entry.id): ref(plan.kind, plan.into.id) for entry in plan.others}
        if uids:
            self.merges.follow_evidence(uids, self.journal.machine)
            self.merges.follow_choices(refs)

    def part(self, records: Sequence[AnyRecord]) -> int:
        """Note that each two of these records are no duplicates, as one change; return how many pairs
        are new. InvalidRecordError where they could not be one anyway."""
        kind = _common_kind(records)
        if len({record.uid for record in records}) < 2:
            raise InvalidRecordError("Give two memories or more that are not duplicates.")
        what = _("{names} told apart: no duplicates", names=_names(kind, records))
        with self.journal.recording(what):
            return self.merges.part([item.uid for item in records], now_ms())

    def _note(self, kept: AnyRecord, merged: Iterable[AnyRecord], at: int) -> None:
        owners = {item.id: number for item in merged if (number := _session_id(item)) is not None}
        sessions = self.merges.session_uids(owners.values())
        gone = [(entry.uid, sessions.get(owners.get(entry.id, -1)), _key(entry)) for entry in merged]
        self.merges.note(kept.uid, gone, at)

    def _take_sources(self, kept: Fact, merged: Iterable[AnyRecord]) -> None:
        facts = self.tables["fact"]
        assert isinstance(facts, Facts)
        for item in merged:
            assert isinstance(item, Fact)
            kept = facts.take_over(item, kept)

    def _set_flags(self, table: Table[Any], kept: AnyRecord, merged: Iterable[AnyRecord]) -> None:
        records = [kept, *merged]
        flags = {name: 1 for name in ("private", "pinned") if any(getattr(o, name) for o in records)}
        flags = {name: number for name, number in flags.items() if not getattr(kept, name)}
        if flags:
            table.write_columns(table.whole([kept.id]), flags)
        # No form shows it, and no other has it.
        if isinstance(kept, Observation) and not kept.tool_name:
            tools = [item.tool_name for item in merged if isinstance(item, Observation)]
            if tool := next(filter(None, tools), None):
                table.write_columns([kept.id], {"tool_name": tool})


def described(plan: MergePlan) -> str:
    """Return what the journal calls a merge."""
    merged = plan.others
    content = count_noun(len(merged), TABLES[plan.kind])
    if len(merged) == 1:
        content = _("{kind} {ref}", kind=_(plan.kind), ref=ref(plan.kind, merged[0].id))
    return _(
        "{content} merged into {kind} {ref}",
        content=content,
        kind=_(plan.kind),
        ref=ref(plan.kind, plan.into.id),
    )


def preferred(records: Sequence[AnyRecord]) -> AnyRecord:
    """Return which of several records is kept unless another is named: the pinned one, else the oldest;
    no fact that another one superseded, where one holds."""
    return min(
        records,
        key=lambda item: (
            getattr(item, "superseded_by", None) is not None,
            not item.pinned,
            item.created_at,
            item.id,
        ),
    )


def united(kind: str, kept: AnyRecord, merged: Iterable[AnyRecord]) -> dict[str, Any]:
    """Return the fields of a record that others change when they are merged into it and nothing else is
    chosen: lists gain their items, empty texts theirs."""
    records = [kept, *merged]
    values: dict[str, Any] = {}
    for name, field in editable(kind).items():
        own = getattr(kept, name)
        if field.is_list:
            value: Any = tuple(dict.fromkeys(item for record in records for item in getattr(record, name)))
        else:
            value = own or next((said for entry in records if (said := getattr(entry, name))), own)
        if value != own:
            values[name] = value
    return values


def _common_kind(records: Sequence[AnyRecord]) -> str:
    """Return the kind of all these records. InvalidRecordError where they can't be one, or are none."""
    if not records:
        raise InvalidRecordError("Give two memories or more.")
    for record in records:
        kind = kind_of(record)
        if isinstance(record, Session):
            raise InvalidRecordError(SESSIONS)
        if record.deleted_at is not None:
            raise InvalidRecordError(
                "{kind} {ref} is deleted. `mem restore` brings it back; nothing was changed.",
                kind=_(kind).capitalize(),
                ref=ref(kind, record.id),
            )
    kinds = {kind_of(item): item for item in records}
    if len(kinds) > 1:
        named = [f"{_(kind)} {ref(kind, entry.id)}" for kind, entry in kinds.items()][:2]
        raise InvalidRecordError(
            "{one} and {other} are of different kinds, and can't be one memory. Nothing was changed.",
            one=named[0].capitalize(),
            other=named[1],
        )
    return next(iter(kinds))


def _names(kind: str, records: Sequence[AnyRecord]) -> str:
    named = [ref(kind, record.id) for record in records]
    return _(
        "{kind} {refs} and {last}",
        kind=_(TABLES[kind]),
        refs=_(", ").join(named[:-1]),
        last=named[-1],
    )


def _session_id(item: AnyRecord) -> int | None:
    return item.session_id if isinstance(item, Observation | Summary | Prompt) else None


def _key(item: AnyRecord) -> str | None:
    return statement_key(item.kind, fact_key(item.content)) if isinstance(item, Fact) else None
