"""The journal: what people changed, each action one change that can be taken back.

What agents' hooks, observers and imports write is no change of the journal.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING, Any

import apsw

from ...platform.clock import now_ms
from ...platform.errors import ConflictError, FileConflictError, NotFoundError
from ...platform.translation import _
from ...text.occurrences import Occurrences
from ..recording import Recorder, column_names, host_id, stored
from ..transaction import Transaction
from .reversal import Reversal
from .undo import Undone, shown

if TYPE_CHECKING:
    from .file_reversal import FileReversal

STANDING = "SELECT id, at, what, part_of FROM changes WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1"
UNDONE = """
SELECT coalesce(part_of, id) FROM changes WHERE undone_after = (SELECT max(id) FROM changes)
GROUP BY 1 ORDER BY max(id) LIMIT 1
"""
PARTS = """
SELECT id, changeset FROM changes
WHERE undone_at IS NULL AND (id = ?1 OR part_of = ?1)
"""
UNDO = """
UPDATE changes SET undone_at = ?, undone_via = ?, undone_agent = ?, undone_host = ?,
    undone_after = (SELECT max(id) FROM changes)
WHERE id = ?
"""
REDO = """
UPDATE changes SET undone_at = NULL, undone_via = NULL, undone_agent = NULL, undone_host = NULL,
    undone_after = NULL, undo_changeset = NULL
WHERE id = ?1 OR part_of = ?1
"""
REDONE = """
INSERT INTO redone_changes (change_id, undone_at, redone_at, undo_changeset, redo_changeset)
VALUES (?, ?, ?, ?, ?)
"""
UNRECORDED = """
INSERT INTO changes (at, actor, what, changeset, via, agent, host)
VALUES (?, ?, ?, x'', ?, ?, ?)
"""
OLDER = "SELECT what FROM changes WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1"
LATER = """
SELECT DISTINCT c.id, c.what FROM changed_rows mine
JOIN changed_rows theirs ON theirs.kind = mine.kind AND theirs.record_id = mine.record_id
JOIN changes c ON c.id = theirs.change_id
WHERE mine.change_id IN (SELECT value FROM json_each(?1)) AND c.id > ?2 AND c.undone_at IS NULL
ORDER BY c.id DESC
"""
NAMED = 3

CHANGES_OF = """
SELECT change_id FROM changed_rows
WHERE kind = ?1 AND record_id IN (SELECT value FROM json_each(?2))
UNION SELECT id FROM changes WHERE NOT EXISTS (SELECT 1 FROM changed_rows WHERE change_id = id)
"""
WITHOUT_WORDS = _("a change of what was purged since")


class Journal:
    """Writes to `changes`."""

    def __init__(self, db: apsw.Connection, transaction: Transaction, machine: str) -> None:
        self.db = db
        self.transaction = transaction
        self.machine = machine

    @contextmanager
    def recording(self, what: str = "", part_of: int | None = None) -> Iterator[Recorder]:
        """Record what the block changes, as one transaction and one undo, under a sentence such as
        "observation 12 deleted", best one of the catalogue's; the block may still set it.

        A recording inside another one is a part of that. `part_of` makes a transaction of its own
        a part of the action that began with that change.
        """
        with self.transaction:
            if (outer := self.transaction.recorder) is not None:
                yield outer
                return
            unit = self.transaction
            recorder = Recorder(self.db, self.machine, what, part_of, via=unit.made_via, agent=unit.agent)
            self.transaction.recorder = recorder
            try:
                yield recorder
                if unit.is_reviewed:
                    unit.held += recorder.hold()
                recorder.write()
                if recorder.change_id is not None:
                    self._keep_within_bounds()
            finally:
                self.transaction.recorder = None
                recorder.close()

    @contextmanager
    def keeping_displaced(self) -> Iterator[None]:
        """Have a FileConflictError that ends the block keep, as versions of its file, what others wrote to
        that and isn't there any more."""
        try:
            yield
        except FileConflictError as error:
            from .file_reversal import keep_displaced

            with self.transaction:
                keep_displaced(self.db, error)
            raise

    def _keep_within_bounds(self) -> None:
        # Only where something was changed by a person: an opening needn't import it.
        from .bounds import keep_within_bounds

        keep_within_bounds(self.db, now_ms())

    def note(self, what: str) -> None:
        """Note an action that can't be taken back, so that no undo passes over it in silence."""
        with self.transaction:
            by = self.transaction.made_via, self.transaction.agent, host_id(self.db)
            self.db.execute(UNRECORDED, (now_ms(), self.machine, stored(what), *by))

    def has_standing(self) -> bool:
        """Return whether there is an action that an undo would take back."""
        return self.db.execute(STANDING).get is not None

    def undo(self) -> Undone | None:
        """Take back the newest action that still stands; None when there is none.

        What others have changed since stays. An action of which nothing could be taken back counts
        as undone too: the next undo goes to the one before.
        """
        with self.keeping_displaced(), self.transaction:
            change: Any = self.db.execute(STANDING).fetchone()
            if change is None:
                return None
            number, at, what, part_of = change
            self._check_own(number)
            parts: list[Any] = self.db.execute(PARTS, (part_of or number,)).fetchall()
            parts.sort(reverse=True)
            files = _files(self.db, [number for number, _ in parts])
            with closing(Recorder(self.db, self.machine)) as recorder:
                undone = Reversal(self.db, self.machine, files, self.transaction).run(what, at, parts)
                files.write()
                effect = recorder.session.changeset()
            ids = [item for item, _ in parts]
            unit = self.transaction
            by = now_ms(), unit.made_via, unit.agent, host_id(self.db)
            self.db.executemany(UNDO, [(*by, entry) for entry in ids])
            # The first of the parts stands for the action, as `part_of` does.
            self.db.execute("UPDATE changes SET undo_changeset = ? WHERE id = ?", (effect, min(ids)))
            return undone

    def redo(self) -> Undone | None:
        """Do again what was undone last; None when there is nothing, or when something was changed
        since: that ends the line.

        What others have changed since stays, and what can't be undone counts as standing again.
        """
        with self.keeping_displaced(), self.transaction:
            while (first := self.db.execute(UNDONE).get) is not None:
                self._check_own(first, "undone_agent")
                sql = "SELECT at, what, undone_at, undo_changeset FROM changes WHERE id = ?"
                result: Any = self.db.execute(sql, (first,)).fetchone()
                self.db.execute(REDO, (first,))
                if result is None or (not result[3] and self._is_unrecorded(first)):
                    continue
                at, what, undone_at, effect = result
                undoing = bytes(effect or b"")
                files = _files(self.db, self._part_ids(first))
                with closing(Recorder(self.db, self.machine)) as recorder:
                    done = Reversal(self.db, self.machine, files, self.transaction).run(
                        what, at, [(int(first), undoing)], is_redo=True
                    )
                    files.write()
                    redoing = recorder.session.changeset()
                times = int(undone_at), now_ms()
                self.db.execute(REDONE, (first, *times, undoing, redoing))
                return done
            return None

    def _check_own(self, number: object, column: str = "agent") -> None:
        """Raise InvalidRecordError where an agent that is reviewed would take back what a person did."""
        if self.db.execute(f"SELECT {column} IS NULL FROM changes WHERE id = ?", (number,)).get:
            self.transaction.check_person()

    def _part_ids(self, number: int) -> list[int]:
        rows = self.db.execute("SELECT id FROM changes WHERE id = ?1 OR part_of = ?1", (number,))
        return [int(item) for (item,) in rows]

    def _is_unrecorded(self, number: int) -> bool:
        sql = "SELECT 1 FROM changes WHERE (id = ?1 OR part_of = ?1) AND changeset <> x'' LIMIT 1"
        return self.db.execute(sql, (number,)).get is None

    def revert(self, number: int) -> Undone:
        """Take back one action, whatever was done since, as a change of its own.

        Raises NotFoundError, and ConflictError where something later stands on it, or where it can't
        be taken back.
        """
        with self.keeping_displaced(), self.transaction:
            sql = "SELECT at, what, undone_at, coalesce(part_of, id) FROM changes WHERE id = ?"
            result: Any = self.db.execute(sql, (number,)).fetchone()
            if result is None:
                raise NotFoundError("There is no change {number}. `mem history` lists them.", number=number)
            at, what, undone_at, first = result
            self._check_own(number)
            what = shown(what)
            if undone_at is not None:
                raise ConflictError("“{what}” is undone already; `mem redo` does it again.", what=what)
            parts: list[Any] = self.db.execute(PARTS, (first,)).fetchall()
            parts.sort(reverse=True)
            files = _files(self.db, [item for item, _changeset in parts])
            with self.recording(_("“{what}” reverted", what=what)):
                done = Reversal(self.db, self.machine, files, self.transaction).run(what, at, parts)
                if done.kept or not done.is_done:
                    raise ConflictError(self._why_not(what, done, [part[0] for part in parts]))
                files.write()
            return done

    def _why_not(self, what: str, done: Undone, ids: list[int]) -> str:
        if later := self.standing_on(ids):
            names = _(", ").join(_("“{what}”", what=change[1]) for change in later[:NAMED])
            if len(later) > NAMED:
                more = f"{len(later) - NAMED:,}"
                names = _("{items} and {number} more", items=names, number=more)
            return _(
                "“{what}” can't be reverted by itself: what was changed later stands on it: "
                "{changes}. Revert that first.",
                what=what,
                changes=names,
            )
        if not done.kept:
            return _("“{what}” can't be reverted by itself: nothing of it is left.", what=what)
        return _("“{what}” can't be reverted by itself: {reason}", what=what, reason=done.kept[0])

    def standing_on(self, ids: Iterable[int]) -> list[tuple[int, str]]:
        """Return the later changes that stand of records that these changes are about, as (id, what),
        the newest first."""
        mine = list(ids)
        rows: list[Any] = self.db.execute(LATER, (json.dumps(mine), max(mine))).fetchall()
        return [(number, shown(what)) for number, what in rows]

    def dropped(self) -> str:
        """Return a sentence on changes that are no longer kept; "" where all are."""
        from .bounds import dropped

        return dropped(self.db)

    def next_undo(self) -> str | None:
        """What the next undo would take back; None when there is nothing."""
        what: str | None = self.db.execute(OLDER).get
        return what and shown(what)


def forget_rows(db: apsw.Connection, table: str, numbers: Iterable[int | str]) -> list[dict[str, object]]:
    """Take rows of a table, by their ids (the first column), out of all changes; return what the changes
    held of them, by column: also what they said before they were edited."""
    gone = set(numbers)
    names = column_names(db, table)
    images: list[dict[str, object]] = []

    def is_gone(change: apsw.TableChange) -> bool:
        if change.name != table or _row_id(change) not in gone:
            return False
        images.extend(dict(zip(names, image or (), strict=False)) for image in (change.old, change.new))
        return True

    rows: list[Any] = db.execute(CHANGES_OF, (table, json.dumps([*gone]))).fetchall()
    for (number,) in rows:
        _rewrite(db, number, is_gone)
        _rewrite_redone(db, number, is_gone)
    return images


def forget_texts(db: apsw.Connection, texts: Occurrences) -> None:
    """Take rows that quote any of these texts out of all changes, and the texts out of what those
    are called."""
    numbers: list[Any] = db.execute("SELECT id FROM changes").fetchall()
    for (number,) in numbers:
        what, changeset, effect = _change(db, number)
        if texts.are_in(shown(what).encode(errors="replace")):
            db.execute("UPDATE changes SET what = ? WHERE id = ?", (stored(WITHOUT_WORDS), number))
        if texts.are_in(changeset) or (effect and texts.are_in(effect)):
            _rewrite(db, number, lambda change: texts.are_in(_images(change)))
        _rewrite_redone(db, number, lambda table_change: texts.are_in(_images(table_change)))


def forget_words(db: apsw.Connection, is_gone: Callable[[str], bool]) -> None:
    """Take what changes are called away from those of which a test says that it tells too much."""
    rows: list[Any] = db.execute("SELECT id, what FROM changes").fetchall()
    gone = [(stored(WITHOUT_WORDS), number) for number, what in rows if is_gone(shown(what))]
    db.executemany("UPDATE changes SET what = ? WHERE id = ?", gone)


def _rewrite(db: apsw.Connection, number: int, is_dropped: Callable[[apsw.TableChange], bool]) -> None:
    _, *changesets = _change(db, number)
    kept = [_without(changeset, is_dropped) for changeset in changesets]
    if kept != changesets:
        db.execute("UPDATE changes SET changeset = ?, undo_changeset = ? WHERE id = ?", (*kept, number))


def _rewrite_redone(
    db: apsw.Connection, number: int, is_dropped: Callable[[apsw.TableChange], bool]
) -> None:
    sql = "SELECT id, undo_changeset, redo_changeset FROM redone_changes WHERE change_id = ?"
    rows: list[Any] = db.execute(sql, (number,)).fetchall()
    for row, *changesets in rows:
        kept = [_without(changeset, is_dropped) for changeset in changesets]
        if kept != changesets:
            db.execute(
                "UPDATE redone_changes SET undo_changeset = ?, redo_changeset = ? WHERE id = ?",
                (*kept, row),
            )


def _without(changeset: bytes | None, is_dropped: Callable[[apsw.TableChange], bool]) -> bytes | None:
    """Return a changeset without the changes of rows that are dropped."""
    if not changeset:
        return changeset
    builder = apsw.ChangesetBuilder()  # type: ignore[no-untyped-call]
    for change in apsw.Changeset.iter(changeset):
        if not is_dropped(change):
            builder.add_change(change)
    kept = builder.output()
    builder.close()
    return kept


def _change(db: apsw.Connection, number: int) -> Any:
    sql = "SELECT what, changeset, undo_changeset FROM changes WHERE id = ?"
    return db.execute(sql, (number,)).fetchall()[0]


def _row_id(change: apsw.TableChange) -> Any:
    return (change.old or change.new or (None,))[0]


def _images(change: apsw.TableChange) -> bytes:
    """Return all texts of a row before and after a change."""
    images: Any = (*(change.old or ()), *(change.new or ()))
    texts = (image for image in images if isinstance(image, str))
    return "\0".join(texts).encode(errors="replace")


def _files(db: apsw.Connection, changes: Iterable[int]) -> FileReversal:
    """Return what takes agents' files back; nobody pays for its import before."""
    from .file_reversal import FileReversal

    return FileReversal(db, changes)
