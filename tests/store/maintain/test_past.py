"""The memory as it was: exactly what was there then, in a private copy that leaves nothing behind."""

import os
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings

from memtui.store import DatabaseError, Observation, ReadOnlyError, Store, StoreError
from memtui.store.maintain.past import Past, as_of, moment_of
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.clock import DAY_MS, now_ms
from memtui.store.records.dataclasses import replace
from memtui.store.records.kinds import TABLES
from memtui.store.tables.fact_sources import session_source
from memtui.store.tables.removal.purge_selection import Selection
from tests.promises import promise

from ..curation.test_everything import ALL, STEPS
from ..database.test_journal import AT, fill, rows

UID, PRIVATE = 1, 4
"""The places of these columns in the rows of every table of records."""


@contextmanager
def looking_back(path: Path, at: int) -> Iterator[Store]:
    with as_of(path, at) as found, Store.open(found.path, read_only=True) as store:
        yield store


def tick() -> int:
    """The present, when nothing that is done later bears it."""
    at = now_ms()
    while now_ms() == at:
        pass
    return at


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "tmp"
    folder.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(folder))
    return folder


def hidden_too(was: dict[str, list[Any]], now: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Rows as they were, but for what is private now, which stays so."""
    expected = dict(was)
    for table in TABLES.values():
        hidden = {row[UID] for row in now[table] if row[PRIVATE]}
        changed = [
            (*row[:PRIVATE], 1, *row[PRIVATE + 1 :]) if row[UID] in hidden else row for row in was[table]
        ]
        expected[table] = sorted(changed, key=repr)
    return expected


@promise("undo-exact")
@settings(max_examples=max(10, settings().max_examples // 10))
@given(STEPS)
def test_after_any_history_it_is_what_was_there_at_each_step(steps: list[tuple[str, int]]) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "memory.db"
        with Store.open(path) as store:
            fill(store)
            states = [(tick(), rows(store))]
            for what, number in steps:
                if what == "own":
                    ALL[number % len(ALL)](store, number)
                elif what in ("undo", "redo"):
                    getattr(store, what)()
                states.append((tick(), rows(store)))
        few = states[:: max(1, len(states) // 3)]
        for at, was in few:
            with looking_back(path, at) as past:
                assert rows(past) == hidden_too(was, states[-1][1])
        with looking_back(path, few[-1][0]) as past:
            assert past.doctor(thorough=True).ok


def test_what_is_private_now_was_never_to_be_seen(store: Store) -> None:
    session = store.sessions.start("c-1", at=AT, project="atlas")
    ids = [store.observations.add(session, title=f"drift {n}", at=AT).id for n in range(3)]
    before = tick()
    with store.change():
        store.observations.set_private(ids[0])
    store.undo()
    with store.change():
        store.observations.set_private(ids[1])
    with looking_back(store.path, before) as past:
        assert [hit.row.title for hit in past.find("drift").page().hits] == ["drift 0", "drift 2"]
        assert [hit.row.title for hit in past.find("drift is:private").page().hits] == ["drift 1"]
        assert past.doctor(thorough=True).ok


def test_what_is_dated_later_is_left_out_also_from_every_list(store: Store) -> None:
    for number in range(40):
        session = store.sessions.start(f"c-{number % 4}", at=AT, project="atlas")
        at = AT + (number + 1) * DAY_MS
        store.observations.add(session, title=f"drift {number}", concepts=["clock"], at=at)
        store.prompts.add(session, f"asked {number}", at=at)
    with looking_back(store.path, AT + 10 * DAY_MS) as past:
        assert len(past.find("drift").page().hits) == 10
        assert past.find("").count().value == 20
        assert past.projects() == [("atlas", 20)]
        assert [past.sessions.get(number).prompt_counter for number in (1, 2, 3, 4)] == [3, 3, 2, 2]
        assert past.doctor(thorough=True).ok
    assert len(store.find("drift").page().hits) == 40


def test_memories_that_were_brought_in_later_count_from_their_own_date(store: Store) -> None:
    with store.change("observation added"):
        store.observations.add("c-1", title="told of January", at=AT)
    with store.change("note put"):
        store.notes.upsert("NEW.md", "today")
    with as_of(store.path, AT + 1) as found, Store.open(found.path, read_only=True) as past:
        assert [hit.record.id for hit in past.find("january").page().hits] == [1]
        assert past.notes.list() == []
        assert found.notes[0].startswith("Shown as of now: 1 memory that ")


def test_sessions_and_facts_are_what_agents_had_told_by_then(store: Store) -> None:
    session = store.sessions.start("c-1", at=AT, project="atlas")
    fact = store.facts.add("tea is green", project="atlas", at=AT, confidence=0.5, entities=["tea"])
    later = session_source(
        fact.uid, session, at=AT + DAY_MS, confidence=0.9, entities=["leaf"], evidence=[], places=[]
    )
    with store.transaction():
        told = store.facts.add_source(fact, later)
    store.sessions.end(session, at=AT + DAY_MS)
    with looking_back(store.path, AT + 1) as past:
        found = past.facts.get(fact.id)
        assert (found.confidence, found.entities) == (0.5, ("tea",))
        assert past.sessions.get(1).status == "active"
        assert past.sessions.get(1).completed_at is None
    with looking_back(store.path, AT + 2 * DAY_MS) as past:
        assert past.facts.get(fact.id).entities == told.entities
        assert past.sessions.get(1).status == "completed"


def test_the_history_of_then_knows_no_later_change(store: Store) -> None:
    one = store.observations.add("c-1", title="first")
    store.observations.pin(one)
    before = tick()
    store.undo()
    undone = tick()
    store.redo()
    store.edit("1", {"title": "second"})
    with looking_back(store.path, before) as past:
        assert [(change.what, change.undone_at) for change in past.changes()] == [
            ("observation 1 pinned", None)
        ]
    with looking_back(store.path, undone) as past:
        assert past.changes()[0].undone_at is not None
        assert not past.observations.get(1).pinned


@promise("purge-final")
def test_what_was_purged_stays_purged(store: Store) -> None:
    one = store.observations.add("c-1", title="canary", at=AT)
    store.edit("1", {"title": "canary again"})
    store.observations.delete(one)
    store.undo()
    store.redo()
    before = tick()
    purge_for_good(store, Selection({"observations": (1,)}))
    with as_of(store.path, before) as found, Store.open(found.path, read_only=True) as past:
        assert past.db.execute("SELECT count(*) FROM observations").get == 0
        assert b"canary" not in found.path.read_bytes()
        assert found.notes == ("Missing: 1 memory purged since.",)


def test_it_says_where_the_journal_begins(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configured = tmp_path / "config.toml"
    configured.write_text("[history]\ndays = 7\n")
    monkeypatch.setenv("MEMTUI_CONFIG", str(configured))
    store.observations.pin(store.observations.add("c-1", title="t", at=AT))
    store.db.execute("UPDATE changes SET at = ?", (AT + DAY_MS,))
    store.observations.pin(1, False)
    with as_of(store.path, AT) as found:
        assert found.notes[0].startswith("Changes before 2")
        assert "aren't known: what they changed is shown" in found.notes[0]
    with as_of(store.path, now_ms()) as found:
        assert found.notes == ()


@promise("files-are-ours-only")
def test_the_copy_is_for_its_owner_only_and_gone_afterwards(store: Store, temporary: Path) -> None:
    store.observations.add("c-1", title="t")
    before = sorted(store.path.parent.iterdir())
    mask = os.umask(0)
    try:
        with as_of(store.path, now_ms()) as found:
            assert stat.S_IMODE(found.path.parent.stat().st_mode) == 0o700
            assert {stat.S_IMODE(one.stat().st_mode) for one in found.path.parent.iterdir()} == {0o600}
            with pytest.raises(ReadOnlyError), Store.open(found.path, read_only=True) as past:
                past.observations.add("c-1", title="never")
    finally:
        os.umask(mask)
    assert list(temporary.iterdir()) == []
    assert sorted(store.path.parent.iterdir()) == before


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt])
def test_an_error_takes_it_away_too(store: Store, temporary: Path, error: type[BaseException]) -> None:
    with pytest.raises(error), as_of(store.path, now_ms()):
        raise error
    assert list(temporary.iterdir()) == []


@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_takes_it_away_too(store: Store, temporary: Path, name: str) -> None:
    before = signal.getsignal(getattr(signal, name))
    with pytest.raises(SystemExit), as_of(store.path, now_ms()):
        os.kill(os.getpid(), getattr(signal, name))
    assert list(temporary.iterdir()) == []
    assert signal.getsignal(getattr(signal, name)) is before


def test_without_room_it_is_refused_in_a_sentence(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.store.maintain.past.free_bytes", lambda _directory: 0)
    with pytest.raises(DatabaseError, match="There is no room for a copy"), as_of(store.path, AT):
        pass


def test_where_the_temporary_directory_is_full_it_lies_beside_the_memory(
    store: Store, temporary: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def free(directory: Path) -> int:
        return 0 if directory == temporary else 1 << 40

    monkeypatch.setattr("memtui.store.maintain.past.free_bytes", free)
    with as_of(store.path, AT) as found:
        assert found.path.parents[2] == store.path.parent
    assert not found.path.parent.exists()


def test_others_may_write_meanwhile(store: Store) -> None:
    one = store.observations.add("c-1", title="before")
    at = tick()

    def write(_done: int, _all: int) -> None:
        store.observations.add("c-1", title="meanwhile")

    with as_of(store.path, at, write) as found, Store.open(found.path, read_only=True) as past:
        assert past.observations.recent() == [_as_it_was(one, past)]


def _as_it_was(one: Observation, past: Store) -> Observation:
    return replace(one, updated_at=past.observations.get(1).updated_at)


NOW = datetime(2026, 2, 18, 14, 30)


def ms(*parts: int) -> int:
    return round(datetime(*parts).timestamp() * 1000)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ("2026-02-17", ms(2026, 2, 18) - 1),
        ("2026/2/17", ms(2026, 2, 18) - 1),
        ("yesterday", ms(2026, 2, 18) - 1),
        ("昨天", ms(2026, 2, 18) - 1),
        ("2026-01", ms(2026, 2, 1) - 1),
        ("today", ms(2026, 2, 18, 14, 30)),
        ("2026", ms(2026, 2, 18, 14, 30)),
        ("2026-02-17T18:00", ms(2026, 2, 17, 18)),
        ("2026-02-17 18:00", ms(2026, 2, 17, 18)),
        ("3d", ms(2026, 2, 15, 14, 30)),
        ("2小时前", ms(2026, 2, 18, 12, 30)),
        ("2h", ms(2026, 2, 18, 12, 30)),
        ("1771000000000", 1771000000000),
        ("2026-02-19", None),
        ("2026-02-30", None),
        ("soon", None),
        ("", None),
    ],
)
def test_a_day_is_its_end_and_a_time_is_that_moment(text: str, at: int | None) -> None:
    if at is None:
        with pytest.raises(StoreError):
            moment_of(text, NOW)
    else:
        assert moment_of(text, NOW) == at


def test_its_title_tells_the_local_minute() -> None:
    assert Past(Path("m.db"), ms(2026, 2, 17, 18), ()).title == "as of 2026-02-17 18:00"
