"""Starting anew: all that belongs to a memory moves aside, or goes."""

import os
import shutil
from pathlib import Path

from memtui.store import Store
from memtui.store.capture.ingest.spool import settle
from memtui.store.leaves.archive.archive import Archive
from memtui.store.platform.paths import fallback_spools, spool_directory
from tests.promises import promise
from tests.store.cli.runner import Mem


def prompt(mem: Mem, text: str) -> None:
    """An event that waits in the spool."""
    event = f'{{"hook_event_name":"UserPromptSubmit","session_id":"c-9","prompt":"{text}"}}'
    mem.process("hook", "claude-code", input=event.encode())


def test_nothing_is_wrong_right_afterwards(mem: Mem) -> None:
    mem.ok("add", "old")
    mem.ok("reset", "--yes")
    told = mem.ok("doctor")
    assert "BAD" not in told
    assert f"ok\tstore\tnone at {mem.db} yet;" in told


@promise("logs-left-behind")
def test_what_was_there_and_what_waits_moves_aside_under_one_name(mem: Mem) -> None:
    mem.ok("add", "old")
    prompt(mem, "waiting")
    mem.ok("exclude", "secret/**")
    done = mem.json("reset", "--yes")
    assert not mem.db.exists()
    assert mem.ok("exclude") == "secret/**"
    aside = [Path(one) for one in done["aside"]]
    assert {one.parent for one in aside} > {mem.db.parent}
    assert mem.ok("add", "new")
    assert mem.json("stats")["prompts"] == 0
    assert mem.json("stats")["observations"] == 1
    kept = next(one for one in aside if one.suffix == ".db")
    with Store.open(kept) as store:
        assert len(store.find("old").page().hits) == 1
        assert len(store.find("waiting").page().hits) == 0
    assert any(b"waiting" in one.read_bytes() for one in aside)


def test_events_in_fallback_spools_do_not_come_into_the_new_one(mem: Mem) -> None:
    mem.ok("add", "old")
    prompt(mem, "waiting")
    assert settle(mem.db)
    (segment,) = spool_directory(mem.db).glob("*.jsonl")
    place = Path(os.fsdecode(fallback_spools(os.fsencode(mem.db))[-1]))
    place.mkdir(parents=True, mode=0o700)
    try:
        shutil.move(segment, place / segment.name)
        mem.ok("reset", "--yes", "--delete")
        assert list(place.iterdir()) == []
        mem.ok("add", "new")
        assert mem.json("stats")["prompts"] == 0
    finally:
        place.rmdir()


def test_it_asks_first_and_is_refused_while_another_process_has_it_open(mem: Mem) -> None:
    mem.ok("add", "old")
    assert "--yes" in mem.refused("reset", code=2)
    with Store.open(mem.db):
        told = mem.process("reset", "--yes")
        assert told.returncode == 1
        assert b"Another process has" in told.stderr
    assert mem.json("stats")["observations"] == 1
    mem.ok("reset", "--yes", "--delete")
    assert not mem.db.exists()
    assert "no store" in mem("reset").stderr


def test_an_empty_file_and_a_damaged_one_are_started_anew(mem: Mem) -> None:
    for content in (b"", b"\xff" * 9_000):
        mem.db.write_bytes(content)
        mem.refused("add", "x")
        mem.ok("reset", "--yes")
        mem.ok("add", "new")
        mem.ok("reset", "--yes", "--delete")


def test_the_index_of_agents_files_goes_along_and_the_archive_is_said_to_stay(mem: Mem) -> None:
    mem.ok("add", "old")
    index = mem.db.with_name("files.db")
    index.write_bytes(b"derived")
    unit = Archive(mem.db).path / "sessions"
    assert "The archive stays" not in mem.process("reset", "--yes").stderr.decode()
    assert not index.exists()
    assert not unit.exists()
