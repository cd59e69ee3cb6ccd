"""How long memories are kept: what the policies would take away, and doing it.

What is older than its project's policy is deleted, which can be undone; what has been deleted for
the days of grace is purged, which can't. Pinned memories, and those of pinned sessions, stay, and so
do facts and notes: they are held true until someone says otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice, product
from pathlib import Path

from ..database.transaction import snapshot, translate_errors
from ..platform.clock import now_ms
from ..platform.translation import _
from ..records.dataclasses import dataclass, replace
from ..store import Store
from ..tables.removal.purge import EVENT_KINDS, PurgedTexts
from ..tables.removal.retention import RetentionPolicies, whole_days
from .backups import automatic_backup
from .purge import finish, purge

BATCH = 5_000
MANY = 1_000
"""So many are purged at once only after a backup."""
DELETED = _("old memories deleted by their policy")


@dataclass(frozen=True, slots=True)
class Due:
    """What a policy would take away in one project: by table, to be deleted and to be purged, and
    the time (ms) of the oldest and the newest of those."""

    project: str
    days: float
    deleted: dict[str, int]
    purged: dict[str, int]
    first_at: int
    last_at: int

    @property
    def total(self) -> int:
        """How many records it is about."""
        return sum(self.deleted.values()) + sum(self.purged.values())


class Retention(RetentionPolicies):
    """The policies of a memory, and what they take away."""

    def __init__(self, store: Store) -> None:
        super().__init__(store.db, store.transaction(), store.machine_id)
        self.store = store

    def due(self, now: int | None = None) -> tuple[Due, ...]:
        """Return what would be deleted and purged at a moment (ms; now when None), by project."""
        at = now_ms() if now is None else now
        results: dict[str, Due] = {}
        with snapshot(self.db):
            for verb, table in product(("deleted", "purged"), EVENT_KINDS):
                for project, days, number, first, last in self.due_by_project(verb, table, at):
                    known = results.get(project) or Due(project, whole_days(days), {}, {}, first, last)
                    getattr(known, verb)[table] = number
                    span = min(first, known.first_at), max(last, known.last_at)
                    results[project] = replace(known, first_at=span[0], last_at=span[1])
        return tuple(results[project] for project in sorted(results))

    def why_nothing(self) -> str:
        """Say why nothing is due, in a sentence."""
        if self.list():
            return _("Nothing is old enough.")
        return _("No retention policy is set. `mem store retention set --days 365` sets one.")

    def back_up_before(self, due: tuple[Due, ...]) -> Path | None:
        """Back the store up before much of it is purged, and return the copy; None where there is none."""
        if sum(sum(item.purged.values()) for item in due) < MANY:
            return None
        return automatic_backup(self.store, "before-purge")

    def run(self, now: int | None = None) -> int:
        """Delete and purge what `due` returns; return how many records that were.

        Deleted ones come back by one undo, though some thousands at a time are a transaction; purged
        ones are gone.
        """
        at = now_ms() if now is None else now
        with translate_errors(self.db, writing=False):
            return self._run(at)

    def _run(self, at: int) -> int:
        done = 0
        # First what was deleted long ago, so that no grace is cut short.
        said = PurgedTexts()
        for table in EVENT_KINDS:
            for numbers in self._batches("purged", table, at):
                done += purge(self.store, table, numbers, said)
        if done:
            self.empty_sessions(said)
            finish(self.store, said)
            self.store.journal.note(_("what was deleted long ago purged"))
        first: int | None = None
        for name in EVENT_KINDS:
            table = getattr(self.store, name)
            for numbers in self._batches("deleted", name, at):
                with self.store.journal.recording(DELETED, part_of=first) as recorder:
                    done += table.write_columns(numbers, {"deleted_at": at})
                first = first or recorder.change_id
        return done

    def _batches(self, verb: str, table: str, at: int) -> Iterator[tuple[int, ...]]:
        with snapshot(self.db):
            numbers = iter(self.due_ids(verb, table, at))
        while batch := tuple(islice(numbers, BATCH)):
            yield batch
