"""Machines for tests: stores with clocks of their own, that do what chance says."""

import random
import shutil
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from memtui.store import Store, StoreError
from memtui.store.curation.many import Action
from memtui.store.formats.common.scope import RECORDS, Scope
from memtui.store.formats.jsonl.export import rows
from memtui.store.formats.jsonl.layout import TABLES
from memtui.store.leaves.sync.rows import ORDER, RowState
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge_selection import of_uids
from tests.promises import Tally

WORDS = ("gateway", "token", "redis", "clock", "drift", "queue", "lease", "schema", "retry", "cursor")


class Clocks:
    """Stands in for the module `time` of the store's clock: each thread has an offset."""

    def __init__(self) -> None:
        self.local = threading.local()
        self.ticks = 0

    def time_ns(self) -> int:
        self.ticks += 1
        return time.time_ns() + getattr(self.local, "offset_ns", 0) + self.ticks * 1_000_000


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
        self.purged: set[str] = set()
        self.purged_before: set[str] = set()
        """What was purged when the backup was made: what was since, a restored backup brings back."""
        self.count = 0
        self.set_clock()
        with Store.open(self.path) as store:
            store.db.pragma("synchronous", "OFF")

    def set_clock(self) -> None:
        self.clocks.local.offset_ns = int(self.hours * 3_600_000_000_000)

    def open(self) -> Store:
        self.set_clock()
        store = Store.open(self.path)
        store.db.pragma("synchronous", "OFF")
        return store

    def words(self) -> str:
        self.count += 1
        return f"{' '.join(self.chance.choices(WORDS, k=4))} {self.name}{self.count:04}"

    def do_something(self, store: Store) -> None:
        """Add, change, delete, purge, merge, supersede or undo something."""
        action = self.chance.choice(
            ("add", "add", "add", "fact", "fact", "prompt", "edit", "edit", "tag", "delete", "restore",
             "hide", "purge", "merge", "supersede", "undo", "redo", "part", "summary", "project")
        )  # fmt: skip
        refs = self._refs(store)
        with suppress(StoreError):
            getattr(self, f"_{action}")(store, refs)

    def _refs(self, store: Store) -> list[str]:
        return [item.uid for item in store.observations.recent(limit=30)]

    def _add(self, store: Store, refs: list[str]) -> None:
        project = self.chance.choice(("atlas", "borealis"))
        session = f"{project}-{self.chance.randrange(4)}"
        store.observations.add(session, title=self.words(), narrative=self.words(), project=project,
                               tags=self.chance.sample(WORDS, 2))  # fmt: skip

    def _fact(self, store: Store, refs: list[str]) -> None:
        content = f"the {self.chance.choice(WORDS)} is {self.chance.randrange(4)}"
        store.facts.add(content, project="atlas", evidence=self.chance.sample(refs, min(1, len(refs))))

    def _prompt(self, store: Store, refs: list[str]) -> None:
        store.prompts.add(f"atlas-{self.chance.randrange(4)}", self.words())

    def _summary(self, store: Store, refs: list[str]) -> None:
        store.summaries.add(f"atlas-{self.chance.randrange(4)}", learned=self.words())

    def _edit(self, store: Store, refs: list[str]) -> None:
        store.edit(self.chance.choice(refs), {"narrative": self.words()}) if refs else None

    def _tag(self, store: Store, refs: list[str]) -> None:
        store.change_many(refs[:1], Action("tag", add=(self.chance.choice(WORDS),)))

    def _delete(self, store: Store, refs: list[str]) -> None:
        store.change_many(self.chance.sample(refs, min(1, len(refs))), Action("delete"))

    def _restore(self, store: Store, refs: list[str]) -> None:
        trash = [item.ref for item in store.trash()]
        store.change_many(self.chance.sample(trash, min(1, len(trash))), Action("restore"))

    def _hide(self, store: Store, refs: list[str]) -> None:
        store.change_many(self.chance.sample(refs, min(1, len(refs))), Action("hide"))

    def _purge(self, store: Store, refs: list[str]) -> None:
        if refs and self.chance.random() < 0.5:
            uid = self.chance.choice(refs)
            record: Any = store.record(uid)
            self.purged.add(record.narrative)
            purge_for_good(store, of_uids(store.db, [uid]))

    def _merge(self, store: Store, refs: list[str]) -> None:
        store.merge(self.chance.sample(refs, min(2, len(refs))))

    def _part(self, store: Store, refs: list[str]) -> None:
        store.not_duplicates(self.chance.sample(refs, min(2, len(refs))))

    def _supersede(self, store: Store, refs: list[str]) -> None:
        facts = store.facts.list()
        if len(facts) > 1:
            one, other = self.chance.sample(facts, 2)
            store.supersede(one.uid, other.uid)

    def _undo(self, store: Store, refs: list[str]) -> None:
        store.undo()

    def _redo(self, store: Store, refs: list[str]) -> None:
        store.redo()

    def _project(self, store: Store, refs: list[str]) -> None:
        if self.chance.random() < 0.2:
            store.known_projects.merge("borealis", "atlas")
        else:
            store.sessions.start("s-moved", project="atlas", project_path="/w/a")
            store.known_projects.move_folder(*self.chance.sample(("/w/a", "/w/b", "/w/c"), 2))

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
            for name in ("-wal", "-shm"):
                self.path.with_name(self.path.name + name).unlink(missing_ok=True)
            shutil.copyfile(self.backup, self.path)
            self.purged = {*self.purged_before}


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
    state.compare_texts()
    return dict(state.digests())


def play_rounds(
    tally: Tally, rounds: int, folder: Path, play: Callable[[Path, random.Random], None]
) -> None:
    """Play so many rounds, each in a directory and with a seed of its own, which a failure names."""
    seeds = tally.random()
    for number in range(rounds):
        seed = seeds.randrange(1 << 32)
        place = folder / str(number)
        place.mkdir()
        try:
            play(place, random.Random(seed))
        except BaseException as error:
            raise AssertionError(f"seed {seed}") from error
