"""Many records at once: whatever is done to them is one transaction, and one undo.

Each statement that takes documents out of the full-text indexes makes FTS5 write a segment: so
flags are written for 10,000 ids at a time.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache
from itertools import islice
from time import monotonic
from typing import Any, Literal

import apsw

from ..database.journal import Journal
from ..database.recording import column_names
from ..database.transaction import savepoint
from ..platform.clock import now_ms
from ..platform.errors import NotFoundError
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..records.kinds import LISTED_BY, TABLES, bare_ref, parse_ref, ref
from ..search.listing.teammates import Teammates
from ..tables.base import Table, write_list, write_text
from ..tables.lists import read_list
from ..text import clean
from ..text.plural import count_noun

ActionName = Literal["delete", "restore", "pin", "unpin", "hide", "show", "tag", "project", "confirm"]
Progress = Callable[[int, int, str], None]
Numbers = dict[str, list[int]]
"""Ids of records by kind."""

AT_ONCE = 50_000
"""Each statement that takes documents out of the full-text indexes writes these anew: few are faster."""

REPORT_EVERY = 0.05
"""Seconds between two reports of how far a change is."""

FLAGS: dict[str, tuple[str, str, str]] = {
    "delete": ("deleted_at", "deleted_at IS NOT NULL", _("deleted")),
    "restore": ("deleted_at", "deleted_at IS NULL", _("restored")),
    "pin": ("pinned", "pinned = 1", _("pinned")),
    "unpin": ("pinned", "pinned = 0", _("unpinned")),
    "hide": ("private", "private = 1", _("hidden")),
    "show": ("private", "private = 0", _("shown again")),
    "confirm": ("confirmed_at", "0", _("said to be still true")),
}
"""Of each action that sets a flag: its column, when a row has it already, and how that is told."""
TAGGABLE = ("observation", "session")
WITH_SESSIONS = ("delete", "restore", "hide", "show")
"""What is done to a session is done to all it holds."""


@dataclass(frozen=True, slots=True)
class Action:
    """What is done to records. `add` and `remove` are tags of `tag`, `project` is where `project`
    moves them."""

    name: ActionName
    add: tuple[str, ...] = ()
    remove: tuple[str, ...] = ()
    project: str = ""

    @property
    def done(self) -> str:
        """How it is told when it is done."""
        if self.name in FLAGS:
            return FLAGS[self.name][2]
        if self.name == "project":
            if not self.project:
                return _("taken out of projects")
            return _("moved to project {project}", project=self.project)
        # The journal keeps the sentence: a secret is no more in it than in the tags.
        added, removed = (_(", ").join(read_list(write_list(tags))) for tags in (self.add, self.remove))
        if self.add and self.remove:
            return _("tagged {added} and no longer tagged {removed}", added=added, removed=removed)
        if self.remove:
            return _("no longer tagged {tags}", tags=removed)
        return _("tagged {tags}", tags=added) if self.add else _("tagged")


@dataclass(frozen=True, slots=True)
class Changed:
    """What became of many: `refs` were changed, `unchanged` were so already, and `left` says of the
    others why they stay as they are. `change_id` is the change of the journal, None for none."""

    what: str
    refs: tuple[str, ...] = ()
    unchanged: tuple[str, ...] = ()
    left: tuple[str, ...] = ()
    change_id: int | None = None


class ManyAtOnce:
    """Does one thing to many records."""

    def __init__(self, journal: Journal, tables: Mapping[str, Table[Any]]) -> None:
        self.journal = journal
        self.db = journal.db
        self.tables = tables

    def run(self, refs: Iterable[str], action: Action, progress: Progress | None = None) -> Changed:
        """Do something to the records that refs name (12, p12, s12, f12, n12, @12, or uids), each
        once; return what became of them.

        Raises NotFoundError, and does nothing, where one names none.
        """
        with self.journal.transaction, self.journal.recording() as recorder:
            if action.name in ("confirm", "project"):
                self.journal.transaction.check_person()
            run = _Run(self.db, self.tables, action, progress)
            named = self._named(refs)
            numbers = self._known(named)
            if action.name in ("tag", "project"):
                Teammates(self.db).check_writable(ref(kind, number) for kind, number in named)
            if action.name in WITH_SESSIONS:
                self._add_whole_sessions(numbers, action.name)
            run.total = sum(map(len, numbers.values()))
            for kind, ids in numbers.items():
                run.change(kind, ids)
            what = _what(run.changed, action)
            recorder.what = recorder.what or what
        order = {ref(kind, number): place for place, (kind, number) in enumerate(named)}
        changed = sorted(run.changed, key=lambda text: order.get(text, len(order)))
        unchanged = sorted(run.unchanged, key=lambda name: order.get(name, len(order)))
        return Changed(what, tuple(changed), tuple(unchanged), tuple(run.left), recorder.change_id)

    def whole(self, refs: Iterable[str], name: ActionName) -> list[str]:
        """Return the refs of all that an action would be about: those named, and with sessions that
        are deleted, hidden or brought back what goes with them. Raises NotFoundError."""
        named = self._named(refs)
        numbers = self._known(named)
        if name in WITH_SESSIONS:
            self._add_whole_sessions(numbers, name)
        all_of_them = [(kind, number) for kind, ids in numbers.items() for number in ids]
        return [ref(kind, number) for kind, number in dict.fromkeys((*named, *all_of_them))]

    def _named(self, refs: Iterable[str]) -> dict[tuple[str, int], None]:
        """Return the kinds and ids that refs or uids name, each once, in their order."""
        texts = (bare_ref(clean(name)) for name in refs)
        return dict.fromkeys(parse_ref(text) or self._of_uid(text) for text in texts)

    def _known(self, named: Iterable[tuple[str, int]]) -> Numbers:
        """Return the ids by kind; NotFoundError for one that isn't there."""
        results: Numbers = defaultdict(list)
        for kind, number in named:
            results[kind].append(number)
        for kind, some in results.items():
            known: set[int] = set()
            for ids in _slices(some):
                known |= {number for (number,) in self.tables[kind].raw("id", ids)}
            if missing := [number for number in some if number not in known]:
                raise NotFoundError(
                    "There is no {kind} {ref}; nothing was changed. `{command}` lists what there is.",
                    kind=_(kind),
                    ref=ref(kind, missing[0]),
                    command=LISTED_BY.get(kind, "mem search"),
                )
        return results

    def _add_whole_sessions(self, numbers: Numbers, name: ActionName) -> None:
        """Add what sessions hold, and the facts that rest on nothing else: a session is deleted, hidden
        and brought back as a whole. What was hidden by itself before stays so."""
        if not (sessions := numbers.get("session")):
            return
        # Nobody else needs what finds them.
        from ..tables.removal.purge_selection import Selection, deleted_with, with_what_belongs

        facts: Any = self.tables["fact"]
        if name == "restore":
            whole = deleted_with(self.db, sessions, facts)
        else:
            chosen = Selection({"sessions": tuple(sessions)})
            # A pinned fact outlives its session, but tells nobody what is hidden.
            whole = with_what_belongs(self.db, chosen, facts, pinned=name != "delete")
        for kind, table in TABLES.items():
            results: list[int] = [*whole.numbers.get(table, ())]
            if name != "restore":
                already = dict(self.tables[kind].raw(f"id, {FLAGS[name][1]}", results))
                results = [number for number in results if not already[number]]
            if name == "show" and table != "sessions":
                apart = _hidden_apart(self.db, table, results, sessions)
                results = [number for number in results if number not in apart]
            if results:
                numbers[kind] = list(dict.fromkeys((*numbers.get(kind, ()), *results)))

    def _of_uid(self, text: str) -> tuple[str, int]:
        for kind, table in self.tables.items():
            if results := table.where("uid = ?", (text,)):
                return kind, results[0].id
        raise NotFoundError(
            "There is no memory {text}; nothing was changed. Observations are numbers, prompts p12, "
            "summaries s12, facts f12, notes n12; `mem search` lists them.",
            text=text,
        )


class _Run:
    """One action on its way."""

    def __init__(
        self,
        db: apsw.Connection,
        tables: Mapping[str, Table[Any]],
        action: Action,
        progress: Progress | None,
    ) -> None:
        self.db = db
        self.tables = tables
        self.action = action
        self.progress = progress
        self.total = 0
        self.done = 0
        self._reported_at = 0.0
        self.at = now_ms()
        self.changed: list[str] = []
        self.unchanged: list[str] = []
        self.left: dict[str, None] = {}

    def change(self, kind: str, numbers: Iterable[int]) -> None:
        """Do it to the records of one kind."""
        name = self.action.name
        finished = self.done
        for ids in _slices(numbers):
            if name in FLAGS:
                self._flag(kind, ids)
            elif name == "tag":
                self._tag(kind, ids)
            else:
                self._move(kind, ids)
            finished += len(ids)
            self.done = finished
            if self.progress:
                self.progress(self.done, self.total, "")

    def _count_row(self) -> None:
        """Report one row more, not oftener than anybody sees."""
        self.done += 1
        if self.progress and (now := monotonic()) - self._reported_at >= REPORT_EVERY:
            self._reported_at = now
            self.progress(min(self.done, self.total), self.total, "")

    def _flag(self, kind: str, ids: list[int]) -> None:
        column, is_so, done = FLAGS[self.action.name]
        value: object = self.at if self.action.name in ("delete", "confirm") else None
        if self.action.name == "confirm" and kind != "observation":
            self.left[_("Only observations name files that may change; the others stay as they are.")] = (
                None
            )
            return
        if not column.endswith("_at"):
            value = int(self.action.name in ("pin", "hide"))
        already = dict(self.tables[kind].raw(f"id, {is_so}", ids))
        unflagged = [number for number in ids if not already[number]]
        self.unchanged += [ref(kind, number) for number in ids if already[number]]
        self._write(kind, unflagged, {column: value}, done)

    def _tag(self, kind: str, ids: list[int]) -> None:
        if kind not in TAGGABLE:
            self.left[_("Only observations and sessions have tags; the others stay as they are.")] = None
            return
        gone = {text.casefold() for text in self.action.remove}
        added = read_list(write_list(self.action.add))
        by_tags: dict[str, list[int]] = defaultdict(list)
        for number, held in self.tables[kind].raw("id, tags", ids):
            tags = read_list(held)
            new_tags = [tag for tag in tags if tag.casefold() not in gone]
            new_tags += [name for name in added if name not in new_tags]
            if tuple(new_tags) == tags:
                self.unchanged.append(ref(kind, number))
            else:
                by_tags[write_list(dict.fromkeys(new_tags))].append(number)
        for written, some in by_tags.items():
            self._write(kind, some, {"tags": written}, _("tagged"))

    def _move(self, kind: str, ids: list[int]) -> None:
        if kind == "prompt":
            self.left[_("Prompts have the project of their session; move that: @12.")] = None
            return
        project = write_text(self.action.project) or ""
        held = dict(self.tables[kind].raw("id, project", ids))
        moving = [number for number in ids if held[number] != project]
        self.unchanged += [ref(kind, number) for number in ids if held[number] == project]
        if kind == "session":
            for number in moving:
                for inside in ("observation", "summary"):
                    table = self.tables[inside]
                    results = table.where("session_id = ? AND project = ?", (number, held[number]))
                    table.write_columns([item.id for item in results], {"project": project})
        self._write(kind, moving, {"project": project}, _("moved"))

    def _write(self, kind: str, ids: list[int], values: dict[str, object], done: str) -> None:
        """Write columns of records; those that a rule of their table is against are left, and told."""
        if not ids:
            return
        table = self.tables[kind]
        counted = self._count_row if self.progress else None
        try:
            with savepoint(self.db):
                table.write_columns(table.whole(ids), values, counted)
        except apsw.ConstraintError:
            if len(ids) > 1:
                for number in ids:
                    self._write(kind, [number], values, done)
            else:
                sentence = _(
                    "{name} can't be {done}: another one says the same. Delete that one first.",
                    name=f"{_(kind).capitalize()} {ref(kind, ids[0])}",
                    done=done,
                )
                self.left[sentence] = None
        else:
            self.changed += [ref(kind, number) for number in ids]


def _what(refs: list[str], action: Action) -> str:
    if len(refs) == 1 and (named := parse_ref(refs[0])):
        return _("{kind} {ref} {done}", kind=_(named[0]), ref=refs[0], done=action.done)
    sessions = [text for text in refs if text.startswith("@")]
    if sessions and action.name in WITH_SESSIONS:
        held = count_noun(len(refs) - len(sessions), "memories")
        if len(sessions) == 1:
            return _(
                "session {ref} with {memories} {done}",
                ref=sessions[0],
                memories=held,
                done=action.done,
            )
        return _(
            "sessions {number} with {memories} {done}",
            number=len(sessions),
            memories=held,
            done=action.done,
        )
    noun = "sessions" if len(sessions) == len(refs) > 0 else "memories"
    return _("{memories} {done}", memories=count_noun(len(refs), noun), done=action.done)


def _slices(numbers: Iterable[int]) -> Iterator[list[int]]:
    left = iter(numbers)
    while batch := list(islice(left, AT_ONCE)):
        yield batch


HIDING = """
SELECT r.record_id, r.change_id FROM changed_rows r JOIN changes c ON c.id = r.change_id
WHERE r.kind = ? AND r.record_id IN (SELECT value FROM json_each(?)) AND c.undone_at IS NULL
ORDER BY r.change_id DESC
"""


def _hidden_apart(
    db: apsw.Connection, table: str, numbers: Collection[int], sessions: Iterable[int]
) -> set[int]:
    """Return which of a table's records were hidden by a change that hid none of these sessions."""

    @cache
    def hidden_by(change: int) -> set[tuple[str, int]]:
        results: set[tuple[str, int]] = set()
        changeset: Any = db.execute("SELECT changeset FROM changes WHERE id = ?", (change,)).get
        for item in apsw.Changeset.iter(changeset):
            new: Any = item.new
            names = column_names(db, item.name)
            if new and "private" in names and new[names.index("private")] == 1:
                row: Any = item.old or new
                results.add((item.name, row[0]))
        return results

    whole = {("sessions", number) for number in sessions}
    apart: dict[int, bool] = {}
    rows: list[Any] = db.execute(HIDING, (table, json.dumps([*numbers]))).fetchall()
    for number, change in rows:
        if number not in apart and (table, number) in (hidden := hidden_by(change)):
            apart[number] = not hidden & whole
    return {number for number, is_apart in apart.items() if is_apart}
