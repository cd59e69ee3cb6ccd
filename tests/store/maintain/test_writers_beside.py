"""What replaces a memory's pages keeps what others write meanwhile."""

from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.drain import drain
from memtui.store.maintain.backups import restore_backup
from memtui.store.maintain.rebuild import rebuild_from
from tests.promises import Tally, promise
from tests.sizes import sizes
from tests.store.formats.fillings import exported, fill

from .writers import acknowledged, writers_beside

KINDS = ("store", "lean")


def all_titles(path: Path) -> set[str]:
    with Store.open(path) as store:
        assert store.doctor(thorough=True).ok
        return {str(title) for (title,) in store.db.execute("SELECT title FROM observations")}


def earlier_of(kind: str, titles: set[str]) -> set[str]:
    return {title for title in titles if title.startswith(kind)}


Replace = Callable[[Path, Path, Callable[..., None]], Path | None]
"""Replaces the memory at a path by what a folder holds, calls what it is given once it has begun, and
returns where the memory of before is."""


def rebuild(path: Path, folder: Path, begun: Callable[..., None]) -> Path | None:
    return rebuild_from(path, folder / "export.jsonl", progress=begun).before


def restore(path: Path, folder: Path, begun: Callable[..., None]) -> Path | None:
    begun()
    return restore_backup(path, folder / "backup.db").before


@promise("acknowledged-survives")
@sizes("rounds", 2, 10)
@pytest.mark.parametrize("replace", [rebuild, restore])
def test_two_writers_beside_lose_nothing(
    tmp_path: Path, replace: Replace, rounds: int, tally: Tally
) -> None:
    path, work = tmp_path / "memory.db", tmp_path / "work"
    work.mkdir()
    with Store.open(tmp_path / "source.db") as store:
        fill(store)
        (work / "export.jsonl").write_bytes(exported(store))
        store.backup(work / "backup.db")
    earlier: list[set[str]] = []
    for _ in range(rounds):
        earlier.clear()
        with writers_beside(path, KINDS, work) as go_on:
            before = replace(path, work, lambda *_: earlier.append(acknowledged(work)))
            go_on()
        assert before is not None
        told = acknowledged(work)
        held, kept = all_titles(path), all_titles(before)
        lost = told - held - kept
        tally(tried=len(told), lost=len(lost))
        assert not lost
        if replace is rebuild:
            # What each had under way then may have been written before it began.
            begun = {f"{kind}-work-{len(earlier_of(kind, earlier[0])) + 1}" for kind in KINDS}
            assert told - earlier[0] - begun <= held
        # What was told last was told after the memory was replaced.
        for kind in KINDS:
            last = (work / f"{kind}.txt").read_text().splitlines()[-1]
            assert last in held
        assert "Clock drift 缓存" in held
        path.unlink()


@promise("acknowledged-survives")
@sizes("rounds", 1, 10)
@pytest.mark.parametrize("replace", [rebuild, restore])
def test_events_that_are_drained_beside_are_stored_once(
    tmp_path: Path, replace: Replace, rounds: int, tally: Tally
) -> None:
    work = tmp_path / "work"
    work.mkdir()
    with Store.open(tmp_path / "source.db") as store:
        fill(store)
        (work / "export.jsonl").write_bytes(exported(store))
        store.backup(work / "backup.db")
    for number in range(rounds):
        path = tmp_path / f"memory{number}.db"
        with writers_beside(path, ("hooks",), work):
            before = replace(path, work, lambda *_: None)
        assert before is not None
        told = acknowledged(work)
        with Store.open(path) as store, Store.open(before) as old:
            drain(store)
            held, kept = [
                [str(text) for (text,) in one.db.execute("SELECT text FROM prompts")]
                for one in (store, old)
            ]
            assert store.doctor(thorough=True).ok
        lost = told - set(held) - set(kept)
        tally(tried=len(told), lost=len(lost), twice=len(held) - len(set(held)))
        assert not lost
        assert len(held) == len(set(held))


@promise("acknowledged-survives")
def test_what_was_written_since_the_rebuild_began_is_in_the_new_memory(
    tmp_path: Path, tally: Tally
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(tmp_path / "source.db") as store:
        fill(store)
        (tmp_path / "export.jsonl").write_bytes(exported(store))
    with Store.open(path) as store:
        store.sessions.start("c-1", project="atlas")
        store.observations.add("c-1", title="old")
        going = store.observations.add("c-1", title="going")
    import_began = False

    def write_once(_done: int, _total: int) -> None:
        nonlocal import_began
        if import_began:
            return
        import_began = True
        with Store.open(path) as other:
            other.observations.add("c-1", title="late", pinned=True, private=True)
            other.facts.add("late fact", project="atlas")
            other.notes.upsert("late.md", "late note")
            other.observations.delete(going)

    before = rebuild_from(path, tmp_path / "export.jsonl", progress=write_once).before
    assert import_began
    assert before is not None
    with Store.open(path) as store:
        found = {one.title: one for one in store.observations.recent(limit=99)}
        held = {str(t): (p, x) for t, p, x in store.db.execute(
            "SELECT title, pinned, private FROM observations WHERE deleted_at IS NULL")}  # fmt: skip
        assert held["late"] == (1, 1)
        assert "old" not in found
        assert "going" not in found
        assert store.db.execute("SELECT count(*) FROM facts WHERE content = 'late fact'").get == 1
        assert store.doctor(thorough=True).ok
    assert {"old", "late", "going"} <= all_titles(before)
    tally(tried=4, lost=0)


def test_what_others_make_where_nothing_was_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(tmp_path / "source.db") as store:
        fill(store)
        (tmp_path / "export.jsonl").write_bytes(exported(store))

    def write(_done: int, _total: int) -> None:
        with Store.open(path) as other:
            other.observations.add("c-1", title="late")

    assert rebuild_from(path, tmp_path / "export.jsonl", progress=write).before is not None
    assert {"late", "Clock drift 缓存"} <= all_titles(path)
