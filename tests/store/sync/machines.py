"""Machines for tests: stores with clocks of their own, that do what chance says."""

import os
import random
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import Any

import apsw

from memtui.store import Store, StoreError
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.curation.many import Action
from memtui.store.formats.common.scope import RECORDS, Scope
from memtui.store.formats.common.upsert import is_purged
from memtui.store.formats.jsonl.export import rows
from memtui.store.formats.jsonl.layout import TABLES
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.sync.rows import COPIED, ORDER, RowState
from memtui.store.maintain.purge import purge_for_good
from memtui.store.records.events import Event
from memtui.store.tables.removal.purge_selection import of_uids

WORDS = ("gateway", "token", "redis", "clock", "drift", "queue", "lease", "schema", "retry", "cursor")


PROJECTS = ("atlas", "borealis", "cetus")
EXCLUDED = "taxes"
KEPT = (EXCLUDED, "diary")
"""The projects of which nothing is moved, merged or changed."""
CANARY = "onlyhere"
"""The project, and the word in titles, of what never leaves a machine."""
ACTIONS = (
    *("add",) * 5, *("fact",) * 3, *("edit",) * 4, *("flag",) * 4, *("reworded", "undo", "imported") * 2,
    *("session", "note", "tag", "merge", "report", "search", "supersede") * 2, "excluded", "private",
    "prompt", "summary", "retype", "restore", "show", "move", "purge", "part", "redo", "revert", "version",
    "project", "exclude", "transcript", "transcript",
)  # fmt: skip
PROJECT = dict.fromkeys(RECORDS, "project") | {"prompts": "''"}
EDITED = {
    "Observation": ("title", "narrative", "subtitle", "text"), "Summary": ("learned", "request"),
    "Prompt": ("text",), "Note": ("text",),
}  # fmt: skip


START_MS = 1_795_000_000_000
"""When rounds begin."""


class Clocks:
    """Stands in for the modules `time` and `posix` of the store's clock: each thread has an offset, and
    what it is told of time and chance follows from what was asked before."""

    def __init__(self) -> None:
        self.local = threading.local()
        self.begin()

    def begin(self, at_ms: int | None = None, turns: int = 0) -> None:
        """Begin anew, now or at a time, after so many turns: of each machine that does something, a second
        each."""
        self.start_ms = time.time_ns() // 1_000_000 if at_ms is None else at_ms
        self.turns = turns

    def set(self, hours: float) -> None:
        """Give the thread a clock that is so many hours off."""
        self.turns += 1
        self.local.ms = self.start_ms + int(hours * 3_600_000) + self.turns * 1_000
        self.local.chance = random.Random(f"{hours} {self.turns}")

    def time_ns(self) -> int:
        self.local.ms = getattr(self.local, "ms", self.start_ms) + 1
        return int(self.local.ms) * 1_000_000

    def urandom(self, size: int) -> bytes:
        chance = getattr(self.local, "chance", None)
        return chance.randbytes(size) if chance else os.urandom(size)


class Machine:
    """A store whose clock is hours off, and who uses it."""

    def __init__(
        self, folder: Path, name: str, hours: float, clocks: Clocks, chance: random.Random
    ) -> None:
        self.name = name
        self.path = folder / name / "memory.db"
        self.path.parent.mkdir()
        self.hours = hours
        self.clocks = clocks
        self.chance = chance
        self.backup: Path | None = None
        self.done: list[str] = []
        self.written: dict[tuple[str, str], str] = {}
        """The uids of the records of the texts that were made here, by table and text."""
        self.taken_away: set[tuple[str, str]] = set()
        self.purged: set[str] = set()
        self.purged_before: set[str] = set()
        """What was purged when the backup was made: what was since, a restored backup brings back."""
        self.count = 0
        self.set_clock()
        with Store.open(self.path) as store:
            Machines(store).exclude(f"project:{EXCLUDED}")

    def set_clock(self) -> None:
        self.clocks.set(self.hours)

    def open(self) -> Store:
        self.set_clock()
        store = Store.open(self.path)
        store.db.pragma("synchronous", "OFF")
        store.db.create_scalar_function("unixepoch", self.unixepoch, 1, flags=apsw.SQLITE_INNOCUOUS)
        return store

    def unixepoch(self, *of: object) -> float:
        """What triggers are told of the time."""
        assert of == ("subsec",)
        return self.clocks.time_ns() / 1e9

    def words(self) -> str:
        self.count += 1
        return f"{' '.join(self.chance.choices(WORDS, k=4))} {self.name}{self.count:04}"

    def do_something(self, store: Store) -> None:
        """Do one of the things that people, agents and imports do, to some kind of record."""
        action = self.chance.choice(ACTIONS)
        self.done.append(action)
        before = said(store)
        with suppress(StoreError):
            getattr(self, f"_{action}")(store)
        self.note_said(before, said(store))

    def note_said(self, before: dict[tuple[str, str], str], after: dict[tuple[str, str], str]) -> None:
        """Note which texts were made here, and which taken away by someone who had read them."""
        self.taken_away |= before.keys() - after.keys()
        self.written |= {key: after[key] for key in after.keys() - before.keys()}

    def pick(self, store: Store, *kinds: str, deleted: bool = False) -> list[str]:
        """One uid of the records of some tables, or none."""
        condition = "deleted_at IS NOT NULL" if deleted else "deleted_at IS NULL AND private = 0"
        uids = [
            str(uid)
            for kind in kinds or RECORDS
            for (uid,) in store.db.execute(
                f"SELECT uid FROM {kind} WHERE {condition} AND {PROJECT[kind]} NOT IN {KEPT} "
                "ORDER BY updated_at DESC, uid LIMIT 12"
            )
        ]
        return self.chance.sample(uids, min(1, len(uids)))

    def pair(self, store: Store) -> list[str]:
        """Two uids of one table."""
        kind = self.chance.choice(("observations", "observations", "facts"))
        uids = {*self.pick(store, kind), *self.pick(store, kind), *self.pick(store, kind)}
        return sorted(uids)[:2] if len(uids) > 1 else []

    def session(self) -> str:
        return f"{self.chance.choice(PROJECTS)}-{self.chance.randrange(3)}"

    def _add(self, store: Store) -> None:
        session = self.session()
        with store.change("added") if self.chance.random() < 0.5 else nullcontext():
            store.observations.add(
                session, title=self.words(), narrative=self.words(), project=session.split("-")[0],
                tags=self.chance.sample(WORDS, 2), facts=[self.words()], event_id=self.words(),
            )  # fmt: skip

    def _excluded(self, store: Store) -> None:
        store.observations.add("taxes-1", title=f"{CANARY} {self.words()}", project=EXCLUDED)

    def _private(self, store: Store) -> None:
        store.observations.add(self.session(), title=f"{CANARY} {self.words()}", private=True)

    def _imported(self, store: Store) -> None:
        number = self.chance.randrange(6)
        project = self.chance.choice(("", "atlas"))
        # What was purged no import brings back.
        if not is_purged(store.db, "observations", "", "codex", f"n-{number}"):
            store.observations.add(
                f"imported-{number % 2}", title=f"step {number}", source="codex", native_id=f"n-{number}",
                project=project,
            )  # fmt: skip

    def _session(self, store: Store) -> None:
        session = store.sessions.start(self.session(), title=self.words())
        act = self.chance.choice(("end", "rename", "link", "move", "resume"))
        if act == "end":
            store.sessions.end(session)
        elif act == "rename":
            store.edit(session.uid, {"title": self.words()})
        elif act == "link":
            store.sessions.link(session, f"memory {session.content_session_id}")
        elif act == "move":
            store.sessions.move(session, self.chance.choice(PROJECTS), "/somewhere")
        else:
            store.sessions.resume(session)

    def _fact(self, store: Store) -> None:
        content = f"the {self.chance.choice(WORDS)} is {self.chance.randrange(4)}"
        store.facts.add(
            content, project=self.chance.choice(PROJECTS), evidence=self.pick(store, "observations"),
            confidence=self.chance.choice((0.5, 0.8, 1.0)), entities=self.chance.sample(WORDS, 1),
        )  # fmt: skip

    def _reworded(self, store: Store) -> None:
        for uid in self.pick(store, "facts"):
            fields: tuple[dict[str, Any], ...] = (
                {"content": f"it is {self.words()}"}, {"kind": "world"}, {"confidence": 0.25},
                {"add_entities": [self.chance.choice(WORDS)]},
            )  # fmt: skip
            store.edit(uid, self.chance.choice(fields))

    def _prompt(self, store: Store) -> None:
        store.prompts.add(self.session(), self.words())

    def _transcript(self, store: Store) -> None:
        """Read what all machines have of one transcript, as far as it came to this one."""
        for turn in range(self.chance.randrange(1, 5)):
            event = Event(
                kind="prompt", agent="codex", session="read", text=f"turn {turn} of all", key=f"k-{turn}",
                at=1_790_000_000_000 + turn * 1_000,
            )  # fmt: skip
            ingest_event(store, event, "transcript")

    def _summary(self, store: Store) -> None:
        store.summaries.add(self.session(), learned=self.words(), next_steps=self.words())

    def _note(self, store: Store) -> None:
        path = self.chance.choice(("MEMORY.md", "plan.md"))
        store.notes.upsert(path, self.words(), project=self.chance.choice(PROJECTS))

    def _edit(self, store: Store) -> None:
        for uid in self.pick(store, "observations", "summaries", "prompts", "notes"):
            names = EDITED[type(store.any_record(uid)).__name__]
            store.edit(uid, {self.chance.choice(names): self.words()})

    def _retype(self, store: Store) -> None:
        for uid in self.pick(store, "observations"):
            store.edit(uid, {"type": self.chance.choice(("bugfix", "decision")), "facts": [self.words()]})

    def _tag(self, store: Store) -> None:
        tag = (self.chance.choice(WORDS),)
        action = Action("tag", add=tag) if self.chance.random() < 0.7 else Action("tag", remove=tag)
        store.change_many(self.pick(store, "observations"), action)

    def _flag(self, store: Store) -> None:
        name: Any = self.chance.choice(("pin", "pin", "unpin", "delete", "delete", "hide"))
        store.change_many(self.pick(store), Action(name))

    def _restore(self, store: Store) -> None:
        store.change_many(self.pick(store, deleted=True), Action("restore"))

    def _show(self, store: Store) -> None:
        sql = f"SELECT uid FROM observations WHERE private = 1 AND title NOT LIKE '{CANARY}%'"
        hidden = [str(uid) for (uid,) in store.db.execute(sql)]
        store.change_many(self.chance.sample(hidden, min(1, len(hidden))), Action("show"))

    def _move(self, store: Store) -> None:
        action = Action("project", project=self.chance.choice(PROJECTS))
        store.change_many(self.pick(store, "observations", "facts", "summaries", "notes"), action)

    def _purge(self, store: Store) -> None:
        for uid in self.pick(store, "observations", "observations", "prompts", "notes", "summaries"):
            record: Any = store.any_record(uid)
            texts = (getattr(record, name, None) for name in ("narrative", "text", "learned"))
            # What all read in one transcript may be another machine's, who changed it.
            self.purged |= {text for text in texts if text and not text.endswith(" of all")}
            purge_for_good(store, of_uids(store.db, [uid]))

    def _merge(self, store: Store) -> None:
        store.merge(self.pair(store))

    def _part(self, store: Store) -> None:
        store.not_duplicates(self.pair(store))

    def _report(self, store: Store) -> None:
        for uid in self.pick(store, "observations", "facts", "prompts"):
            record = store.any_record(uid)
            if self.chance.random() < 0.8:
                verdict: Any = self.chance.choice(("wrong", "useful"))
                store.reporting.report(record, verdict, self.words(), self.chance.choice((None, "codex")))
            else:
                store.reporting.clear(record)

    def _search(self, store: Store) -> None:
        name = self.chance.choice(WORDS[:3])
        if self.chance.random() < 0.8:
            store.searches.save(name, self.words())
        else:
            store.searches.forget(name)

    def _supersede(self, store: Store) -> None:
        facts = [*store.facts.list()]
        if len(facts) > 1:
            one, other = self.chance.sample(facts, 2)
            act = self.chance.choice((
                lambda: store.supersede(one.uid, other.uid),
                lambda: store.supersede_by_text(one.uid, f"rather {self.words()}"),
                lambda: store.reinstate(one.uid),
            ))  # fmt: skip
            act()

    def _undo(self, store: Store) -> None:
        store.undo()

    def _redo(self, store: Store) -> None:
        store.redo()

    def _revert(self, store: Store) -> None:
        entries = store.changes(limit=10)
        if entries:
            store.revert(self.chance.choice(entries).id)

    def _version(self, store: Store) -> None:
        for uid in self.pick(store, "observations", "facts", "summaries", "notes"):
            store.restore_version(uid, 1)

    def _project(self, store: Store) -> None:
        if self.chance.random() < 0.3:
            store.known_projects.merge(*self.chance.sample(PROJECTS, 2))
        elif self.chance.random() < 0.3:
            store.known_projects.assign("codex", "atlas")
        else:
            store.sessions.start("s-moved", project="atlas", project_path="/w/a")
            store.known_projects.move_folder(*self.chance.sample(("/w/a", "/w/b", "/w/c"), 2))

    def _exclude(self, store: Store) -> None:
        machines = Machines(store)
        if "tag:lease" in machines.exclusions():
            machines.include("tag:lease")
        else:
            machines.exclude("tag:lease")

    def back_up(self) -> None:
        """Make a copy of the store, in place of the last one."""
        self.backup = self.path.with_name("backup.db")
        self.purged_before = {*self.purged}
        with self.open() as store:
            store.db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        shutil.copyfile(self.path, self.backup)

    def put_back(self) -> None:
        """Put the copy in the store's place."""
        if self.backup is not None:
            with self.open() as store:
                before = said(store)
            for name in ("-wal", "-shm"):
                self.path.with_name(self.path.name + name).unlink(missing_ok=True)
            shutil.copyfile(self.backup, self.path)
            self.purged = {*self.purged_before}
            with self.open() as store:
                self.note_said(before, said(store))


def said(store: Store) -> dict[tuple[str, str], str]:
    """The uids of the visible records of which both texts are kept, by table and what they say."""
    return {
        (kind, str(text)): str(uid)
        for kind, names in COPIED.items()
        for name in names
        for text, uid in store.db.execute(
            f"SELECT {name}, uid FROM {kind} WHERE private = 0 AND deleted_at IS NULL AND {name} <> '[]'"
        )
    }


def versions(store: Store) -> dict[tuple[str, str], tuple[int, str]]:
    """The version of each record but hidden ones, deleted ones too."""
    found: dict[tuple[str, str], tuple[int, str]] = {}
    for kind in RECORDS:
        for uid, hlc, editor in store.db.execute(f"SELECT uid, hlc, editor FROM {kind} WHERE private = 0"):
            found[kind, uid] = hlc, editor
        sql = "SELECT uid, hlc, editor FROM sync_tombstones WHERE kind = ?"
        for uid, hlc, editor in store.db.execute(sql, (kind,)):
            found[kind, uid] = hlc, editor
    return found


def contents(store: Store) -> dict[str, list[Any]]:
    """All that travels, as lines, without what each machine has of its own."""
    found: dict[str, list[Any]] = {}
    for kind in ORDER:
        own = {"id", "at"} if kind in ("purged", "not_duplicates") else {"id"}
        own |= {"uid"} if kind == "fact_sources" else set()
        # Made of a session's prompts, whoever has these.
        own |= {"first_prompt", "prompt_counter"} if kind == "sessions" else set()
        lines = [
            {
                key: sorted(value) if isinstance(value, list) else value
                for key, value in line.items()
                if key not in own
            }
            for line in rows(store.db, kind, TABLES[kind], Scope())
        ]
        found[kind] = sorted(lines, key=str)
    found["labels"] = sorted(
        store.db.execute(
            "SELECT l.kind, l.value, o.uid FROM labels l JOIN documents d ON d.id = l.document_id "
            "JOIN observations o ON d.kind = 'o' AND o.id = d.record_id"
        )
    )
    return found


def digests_of(store: Store) -> dict[str, Any]:
    """Digests of all that travels, of what records say too."""
    state = RowState(store)
    state.compare_rows()
    return dict(state.digests())


def play_rounds(rounds: int, folder: Path, play: Callable[[Path, random.Random], None]) -> None:
    """Play so many rounds, each in a directory and with a seed of its own, which a failure names. They are
    the same each time; MEMTUI_SEED has that of one round that is played, or `random` for new ones."""
    given = os.environ.get("MEMTUI_SEED", "")
    chance = random.SystemRandom() if given == "random" else random.Random(0)
    seeds = [int(given)] if given.isdecimal() else [chance.getrandbits(32) for _ in range(rounds)]
    for seed in seeds:
        place = folder / str(seed)
        place.mkdir()
        try:
            play(place, random.Random(seed))
        except BaseException as error:
            again = f"MEMTUI_SEED={seed} plays this round again"
            raise AssertionError(again) from error
