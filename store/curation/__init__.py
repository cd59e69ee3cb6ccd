"""Curation: every change of a person to what is remembered, taking it back, doing it again, and what it
was before.

Next to nothing is imported before it is used: every opening of a memory imports this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ..database.transaction import ONLY_A_PERSON, in_snapshot
from ..platform.errors import NotFoundError, StoreError
from ..platform.translation import _
from ..records.dataclasses import replace
from ..records.kinds import REVIEWED, bare_ref, kind_of, parse_ref
from ..search.query.language import Query
from ..text import clean
from .tables import Tables

if TYPE_CHECKING:
    from ..database.journal import Journal
    from ..database.journal.undo import Undone
    from ..database.recording import Recorder
    from ..records.rows import Fact, Record, Session, Speaker
    from ..search.hits import Hits
    from ..tables.agent_files import AgentFiles
    from ..tables.base import Table
    from ..tables.history import ChangedRecord, History, JournalEntry, Version
    from ..tables.merges import MergedRecord
    from ..tables.removal.retention import Deleted
    from .editing import AnyRecord, Editing
    from .many import Action, ActionName, Changed, ManyAtOnce, Progress
    from .merging import Merged, MergePlan, Merging
    from .reporting import Reporting
    from .reviewing import Reviewing
    from .superseding import Pointers, Superseding, Supersession


class Curation(Tables):
    """What a `Store` offers to whoever curates."""

    def record(self, ref: str) -> Record:
        """Return a record by the id people use; NotFoundError."""
        raise NotImplementedError

    def find(self, query: str | Query) -> Hits:
        """Return what a query finds."""
        raise NotImplementedError

    @cached_property
    def journal(self) -> Journal:
        """What people changed, which can be taken back."""
        from ..database.journal import Journal

        return Journal(self.db, self._transaction, self.machine_id)

    @cached_property
    def agent_files(self) -> AgentFiles:
        """Agents' files that were edited here, and their versions."""
        from ..tables.agent_files import AgentFiles

        return AgentFiles(self.journal)

    def change(self, what: str = "") -> AbstractContextManager[Recorder]:
        """`with store.change("3 memories deleted"):` makes what it holds one transaction, and one
        undo; the block may set the `what` of what it is given. Without it only the changes of flags
        can be undone."""
        return self.journal.recording(what)

    def undo(self) -> Undone | None:
        """Take back the newest action of a person, as far as others haven't changed since what it
        changed; None when there is none. What can't be taken back (a purge) says so in `kept`."""
        with self._accepting_nothing():
            return self.journal.undo()

    def redo(self) -> Undone | None:
        """Do again what was undone last, as far as others haven't changed it since; None when there is
        nothing, or when something was changed since: a new change ends the line."""
        with self._accepting_nothing():
            return self.journal.redo()

    @contextmanager
    def _accepting_nothing(self) -> Iterator[None]:
        """Refuse an agent what would have a memory hold, by undoing or redoing, that waits for its
        user's word: only a person accepts."""
        if self.maker[1] is None:
            yield
            return
        with self._transaction:
            tables = [self.tables[kind] for kind in REVIEWED]
            waiting = [(table, row.id) for table in tables for row in table.where("unreviewed = 1")]
            yield
            if any(table.where("id = ? AND unreviewed = 0", (number,)) for table, number in waiting):
                raise StoreError(ONLY_A_PERSON)

    def made_by(self, via: str, agent: str | None = None) -> None:
        """Have the journal say by which command changes are made from now on, and which agent runs it
        (None: a person)."""
        self._transaction.via = clean(via)
        self._transaction.agent = agent

    @contextmanager
    def pressed(self, key: str) -> Iterator[None]:
        """Have the journal say that what the block changes was done by a key."""
        self._transaction.key = key
        try:
            yield
        finally:
            self._transaction.key = ""

    @property
    def maker(self) -> tuple[str, str | None]:
        """By which command changes are made, and which agent runs it: what `made_by` said."""
        return self._transaction.via, self._transaction.agent

    @property
    def held(self) -> int:
        """Of how many memories that an agent added its user is asked for a word first."""
        return self._transaction.held

    def check_person(self) -> None:
        """Raise InvalidRecordError where an agent makes the changes, on which its user gives a word."""
        self._transaction.check_person()

    @cached_property
    def tables(self) -> Mapping[str, Table[Any]]:
        """The table of each kind of record, what is no document included."""
        return {
            "session": self.sessions,
            "prompt": self.prompts,
            "observation": self.observations,
            "summary": self.summaries,
            "fact": self.facts,
            "note": self.notes,
        }

    @in_snapshot
    def any_record(self, ref: str) -> AnyRecord:
        """Return a record of any kind: `record`, and notes (n12) and sessions (@12, or their ids)."""
        ref = bare_ref(clean(ref))
        named = parse_ref(ref)
        if named and named[0] in ("note", "session"):
            return self.tables[named[0]].get(ref)  # type: ignore[no-any-return]
        with suppress(NotFoundError):
            return self.record(ref)
        # What names a record of a kind is no other kind's: 12 is never note or session 12.
        for table in () if named else (self.notes, self.sessions):
            with suppress(NotFoundError):
                return table.get(ref)
        return self.record(ref)

    def edit(
        self, ref: str, fields: Mapping[str, Any], *, expected: AnyRecord | int | None = None
    ) -> AnyRecord:
        """Give a record other values in the fields named, as one undo; return it as it is then.

        The fields of each kind are those of `memtui.store.records.fields.editable`; `add_NAME` and
        `remove_NAME` change items of a list. `expected` is the record as it was read, or its `hlc`:
        where it was changed since, EditConflictError holds both and nothing is written.
        InvalidRecordError says what a field can't be. Where all is as it was, nothing is written.
        """
        with self._transaction:
            return self.editing.edit(self.any_record(ref), fields, expected)

    def supersede(self, old: str, new: str) -> Supersession:
        """Have a fact take the place of another one, as one undo: the old one can still be read and
        found, and no session is told it. Both are refs (f12) or uids.

        InvalidRecordError, and nothing is done, where the old one is deleted, the new one deleted or
        hidden, or superseded itself by the old one, be it by way of others. One that was superseded by
        another fact is superseded by this one then.
        """
        with self._transaction:
            return self.superseding.supersede(self.facts.get(old), self.facts.get(new))

    def supersede_by_text(
        self, old: str, text: str, *, session: Session | None = None, speaker: Speaker | None = None
    ) -> Supersession:
        """Have what a text says take the place of a fact, as one undo: a new fact of the old one's kind
        and project, said by a `speaker` in a session, or the one that says so already."""
        with self._transaction:
            return self.superseding.supersede_by_text(self.facts.get(old), text, session, speaker)

    @in_snapshot
    def pointers(self, record: AnyRecord) -> Pointers | None:
        """Return which fact supersedes a fact, and which ones it supersedes; None for other records."""
        from ..records.rows import Fact

        return self.superseding.pointers(record) if isinstance(record, Fact) else None

    def reinstate(self, old: str) -> Fact:
        """Have a superseded fact hold again, as one undo; return it as it is then."""
        with self._transaction:
            return self.superseding.reinstate(self.facts.get(old))

    def change_many(
        self,
        chosen: str | Query | Iterable[str],
        action: Action,
        *,
        progress: Progress | None = None,
    ) -> Changed:
        """Do one thing to all that a query matches, or that refs (or uids) name, as one transaction and
        one undo; return what became of them.

        A query for `restore` looks among what is deleted. NotFoundError, and nothing is done, where a
        ref names nothing. `progress` is called with what is done, how many there are, and words.
        """
        with self._transaction:
            if isinstance(chosen, str | Query):
                chosen = self.find(chosen).refs(deleted=action.name == "restore")
            return self.many.run(chosen, action, progress)

    def plan_merge(
        self, refs: Iterable[str], fields: Mapping[str, Any] | None = None, into: str | None = None
    ) -> MergePlan:
        """Return what `merge` would make of records, and change nothing."""
        with self._transaction:
            chosen = [self.any_record(ref) for ref in refs]
            kept = None if into is None else self.any_record(into)
            return self.merging.plan(chosen, fields or {}, kept)

    def merge(
        self,
        refs: Iterable[str],
        fields: Mapping[str, Any] | None = None,
        *,
        into: str | None = None,
        expected: MergePlan | None = None,
    ) -> Merged:
        """Make records of one kind one, as one undo; return it as it is then.

        Kept is the one named by `into`, else the pinned one, else the oldest. It has the values of
        `fields` (those of `edit`); else its lists gain the others' items, and its empty texts theirs.
        Sources, evidence and what sessions were to be given follow; the others are deleted, and no
        import brings them back. It is private if one of them is. InvalidRecordError says what can't
        be merged, EditConflictError what was changed since the plan that is `expected` was made.
        """
        with self._transaction:
            plan = self.plan_merge(refs, fields, into)
            if expected is not None:
                plan = replace(plan, into=expected.into, others=expected.others)
            return self.merging.merge(plan)

    def not_duplicates(self, refs: Iterable[str]) -> int:
        """Remember that these records aren't the same, so that none of them is offered as a duplicate
        of another again, as one undo; return how many pairs are new."""
        with self._transaction:
            return self.merging.part([self.any_record(ref) for ref in refs])

    @in_snapshot
    def merged_into(self, record: AnyRecord) -> list[MergedRecord]:
        """Return what was merged into a record, the earliest first."""
        from ..tables.merges import Merges

        return Merges(self.db).of(kind_of(record), record.uid)

    @in_snapshot
    def whole(self, chosen: Iterable[str], name: ActionName) -> list[str]:
        """Return the refs of all that an action would be about: with a session that is deleted or
        restored, all that goes with it. Raises NotFoundError."""
        return self.many.whole(chosen, name)

    @in_snapshot
    def history(self, ref: str) -> list[Version]:
        """Return the versions of a record, the newest first: when and by whom each was made, and the
        record as it was; at least one."""
        return self.past.versions(self.any_record(ref))

    def restore_version(self, ref: str, number: int) -> AnyRecord:
        """Give a record the fields of one of its versions, by its number, as a new change; one that
        was deleted since comes back. Returns it as it is then; NotFoundError."""
        from .editing import field_values

        with self._transaction:
            wanted = next((version for version in self.history(ref) if version.number == number), None)
            if wanted is None:
                raise NotFoundError(
                    "{ref} has no version {number}. `mem history {ref}` lists them.", ref=ref, number=number
                )
            record = self.any_record(ref)
            table = self.tables[kind := kind_of(record)]
            what = _(
                "{kind} {ref} taken back to version {number}",
                kind=_(kind),
                ref=ref,
                number=number,
            )
            with self.change(what):
                if record.deleted_at is not None and wanted.record.deleted_at is None:
                    record = table.restore(record)
                return self.editing.edit(record, field_values(wanted.record))

    @in_snapshot
    def changes(
        self,
        *,
        project: str | None = None,
        kind: str | None = None,
        before: int | None = None,
        since: int | None = None,
        start: int = 0,
        limit: int = 50,
    ) -> list[JournalEntry]:
        """Return a page of what people changed, the newest first, from `start` on: what is older than
        the change with the id `before`, not older than `since` (ms), and changed records of a
        project, or of a kind ("fact")."""
        return self.past.changes(
            project=project, kind=kind, before=before, since=since, start=start, limit=limit
        )

    @in_snapshot
    def change_count(
        self, *, project: str | None = None, kind: str | None = None, since: int | None = None
    ) -> int:
        """Count what `changes` gives."""
        return self.past.change_count(project=project, kind=kind, since=since)

    @in_snapshot
    def change_records(self, id: int, start: int = 0, limit: int = 200) -> list[ChangedRecord]:
        """Return what a change did to each record, `limit` of them from `start` on; NotFoundError."""
        return self.past.records_of(self.past.change(id).id, start, limit)

    @in_snapshot
    def trash(self, limit: int = 50, offset: int = 0) -> list[Deleted]:
        """Return a page of what is deleted, of every kind, the last deleted first."""
        from ..tables.removal.retention import trash

        return trash(self.db, limit, offset)

    @in_snapshot
    def trash_count(self) -> int:
        """Return how many memories are deleted."""
        from ..tables.removal.retention import trash_count

        return trash_count(self.db)

    def revert(self, id: int) -> Undone:
        """Take back one change by itself, as a new change; ConflictError says what stands on it."""
        with self._accepting_nothing():
            return self.journal.revert(id)

    @cached_property
    def editing(self) -> Editing:
        """What changes the fields of records."""
        from .editing import Editing

        return Editing(self.journal, self.tables)

    @cached_property
    def reporting(self) -> Reporting:
        """What agents and people say of memories: that one is wrong, or was of use."""
        from .reporting import Reporting, Reports

        return Reporting(self.journal, Reports(self.db))

    @cached_property
    def reviewing(self) -> Reviewing:
        """What waits for its user's word, and what they say of it."""
        from .reviewing import Reviewing

        return Reviewing(self.tables, self.superseding, self.editing)

    @cached_property
    def superseding(self) -> Superseding:
        """What has facts take the place of others."""
        from .superseding import Superseding

        return Superseding(self.journal, self.facts)

    @cached_property
    def many(self) -> ManyAtOnce:
        """What changes many records at once."""
        from .many import ManyAtOnce

        return ManyAtOnce(self.journal, self.tables)

    @cached_property
    def merging(self) -> Merging:
        """What makes several records one."""
        from .merging import Merging

        return Merging(self.journal, self.tables, self.editing)

    @cached_property
    def past(self) -> History:
        """What the journal tells of the past."""
        from ..tables.history import History

        return History(self.journal, self.tables)
