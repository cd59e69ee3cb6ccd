"""A directory and the store are kept in step: what is new in either comes to the other, once."""

import itertools
import json
import os
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from memtui.store import SourceError, Store, StoreError
from memtui.store.formats.scheme_c.sync import lock, sync
from memtui.store.maintain.purge import purge
from tests.places import PYTHONPATH
from tests.promises import promise

from .directories import DAY, directory, everything, fact, line, public

AT = 1_771_236_000_000
"""2026-02-16 10:00 UTC, ms."""


def fill(store: Store) -> None:
    """One or two of everything."""
    session = store.sessions.start("c-1", agent="codex", project="atlas", title="Drift", at=AT)
    store.sessions.link(session, "memory-1")
    store.prompts.add(session, "why does it drift", at=AT + 1)
    seen = store.observations.add(
        session, title="Clocks drift", type="bugfix", narrative="By 5 s a day.", facts=["5 s"],
        concepts=["time"], files_modified=["a.py"], tags=["t"], tool_name="Edit", prompt_number=1,
        discovery_tokens=9, event_id="e-1", extra='{"odd": 1}', at=AT + 2,
    )  # fmt: skip
    store.observations.pin(store.observations.add("c-2", title="刷新", at=AT + 90_000_000))
    store.summaries.add(session, request="Stop it", completed="- a\n- b", text="Done.", at=AT + 3)
    store.facts.add("Clocks drift", kind="W", confidence=0.6, evidence=[seen.uid], project="atlas")
    store.facts.add("clocks drift.", kind="W", confidence=0.5, sources=["docs"], project="atlas")
    store.notes.upsert("MEMORY.md", "# Rules\n- no sleeping\n")
    store.notes.upsert("MEMORY.md", "of a project", project="atlas")
    store.sessions.end(session, "failed", at=AT + 4)


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(text) for text in path.read_text("utf-8").splitlines()]


def test_the_store_can_be_made_again_of_the_directory_alone(
    store: Store, open_store: Any, tmp_path: Path
) -> None:
    fill(store)
    sync(store, tmp_path / "c")
    again = open_store(tmp_path / "again.db")
    sync(again, tmp_path / "c")
    assert public(again) == public(store)
    assert {table for table, _ in public(store).values()} == {
        "sessions", "prompts", "observations", "summaries", "facts", "notes",
    }  # fmt: skip


def test_so_it_can_with_lines_of_others_and_changes_to_what_they_say(
    store: Store, open_store: Any, tmp_path: Path
) -> None:
    path = directory(
        tmp_path / "c",
        d16=[
            line(1, "session_start", workspace="/w/atlas"),
            line(2, content="deleted here"),
            line(3, content="pinned here"),
            line(4, content="left alone"),
            fact(5, "deleted fact"),
            fact(6, "told here too"),
            "no json",
        ],
        facts=[
            {"id": "fact-1", "type": "W", "content": "told here too", "confidence": 0.6},
            {"id": "fact-2", "type": "W", "content": "deleted final"},
        ],
        sessions=[{"id": "s-1", "session_id": "conv-1", "topic": "gone"}],
        NOTES_md="# Notes\n- <private>hush</private> no sleeping\n",
    )
    sync(store, path)
    fill(store)
    store.observations.delete(1)
    store.observations.pin(2)
    store.summaries.delete(1)
    store.facts.add("Told here too", kind="W", project="atlas", sources=["docs"], confidence=0.5)
    for one in store.facts.list():
        if one.content.startswith("deleted"):
            store.facts.delete(one)
    sync(store, path)
    again = open_store(tmp_path / "again.db")
    sync(again, path)
    assert public(again) == public(store)
    told = next(one for one in again.facts.list() if one.content == "told here too")
    assert len(again.facts.sources_of(told)) == 3


def test_twice_changes_no_byte_and_no_row(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="x"), fact(2, "y"), "bad"])
    fill(store)
    assert not sync(store, path).is_in_step
    before, rows = everything(path), public(store)
    assert sync(store, path).is_in_step
    assert (everything(path), public(store)) == (before, rows)


def test_lines_of_others_stay_byte_for_byte(store: Store, tmp_path: Path) -> None:
    odd = '{"id": "f-1",  "type":"W","content":"caf\\u00e9", "their": [1,2]}\r\n\n{"cut": \n[1]\n'
    path = directory(tmp_path / "c", d16='{"id":"1","type":"x","content":"y"}', facts=odd)
    fill(store)
    sync(store, path)
    assert (path / "facts.jsonl").read_bytes().startswith(odd.encode())
    day = (path / "daily" / f"{DAY}.jsonl").read_text().split("\n")
    assert day[0] == '{"id":"1","type":"x","content":"y"}'
    assert json.loads(day[1])["type"] == "session_start"


def test_a_changed_line_keeps_the_keys_that_others_gave_it(store: Store, tmp_path: Path) -> None:
    final = {"id": "fact-1", "type": "W", "content": "tea", "their": [1, 2]}
    path = directory(tmp_path / "c", facts=[final, final | {"id": "fact-2", "content": "water"}])
    sync(store, path)
    store.facts.delete(store.facts.list()[0])
    sync(store, path)
    first, second = lines(path / "facts.jsonl")
    assert [one.items() >= final.items() for one in (first,)] == [True]
    assert ("deleted_at" in first) != ("deleted_at" in second)


def test_days_only_grow(store: Store, tmp_path: Path) -> None:
    fill(store)
    sync(store, tmp_path / "c")
    before = {name: text for name, text in everything(tmp_path / "c").items() if "daily" in name}
    store.observations.delete(1)
    store.observations.revise(2, title="otherwise")
    report = sync(store, tmp_path / "c")
    assert report.gone == 1
    after = everything(tmp_path / "c")
    assert all(after[name].startswith(text) for name, text in before.items())
    assert sum(len(after[name]) > len(text) for name, text in before.items()) == 2
    gone = lines(tmp_path / "c" / "daily" / f"{DAY}.jsonl")[-1]
    assert gone["deleted_at"] and "Clocks" not in json.dumps(gone)


def test_new_lines_come_in(store: Store, tmp_path: Path) -> None:
    fill(store)
    sync(store, tmp_path / "c")
    with (tmp_path / "c" / "daily" / f"{DAY}.jsonl").open("a") as file:
        file.write(json.dumps(line(1, content="by another tool")) + "\n")
    report = sync(store, tmp_path / "c")
    assert report.read.of("observations").new == 1
    assert not report.files
    assert [hit.row.title for hit in store.find("another tool").page().hits] == ["by another tool"]


@promise("private-never-findable")
def test_what_is_private_never_goes_out(store: Store, tmp_path: Path) -> None:
    hidden = store.sessions.start("c-9", title="CANARY")
    store.sessions.set_private(hidden)
    store.observations.add("c-9", title="CANARY in a hidden session")
    store.observations.add("c-1", title="CANARY", private=True)
    store.facts.add("CANARY", private=True)
    store.notes.upsert("NOTES.md", "CANARY", private=True)
    prompt = store.prompts.add("c-1", "CANARY prompt")
    store.prompts.set_private(prompt)
    sync(store, tmp_path / "c")
    assert b"CANARY" not in b"".join(everything(tmp_path / "c").values())


def test_what_became_private_is_told_to_be_gone_and_stays_here(store: Store, tmp_path: Path) -> None:
    fact = store.facts.add("CANARY")
    sync(store, tmp_path / "c")
    store.facts.set_private(fact)
    sync(store, tmp_path / "c")
    (gone,) = lines(tmp_path / "c" / "facts.jsonl")
    assert gone["deleted_at"] and "CANARY" not in json.dumps(gone)
    (tmp_path / "c" / "facts.jsonl").open("a").write("\n")
    sync(store, tmp_path / "c")
    assert store.facts.get(fact.id).deleted_at is None


def test_a_line_that_tells_what_became_private_is_named_as_long_as_it_is_there(
    store: Store, tmp_path: Path
) -> None:
    path = directory(
        tmp_path / "c",
        d16=[line(1, content="theirs"), line(2, content="left alone")],
        facts=[{"id": "f-1", "type": "W", "content": "told"}],
    )
    mine = store.observations.add("c-1", title="mine", at=AT)
    sync(store, path)
    assert sync(store, path).notes == []
    store.observations.set_private(mine)
    store.observations.set_private(store.observations.where("title = 'theirs'")[0])
    store.facts.set_private(store.facts.list()[0])
    day = path / "daily" / f"{DAY}.jsonl"
    written = [one.get("memtui", {}).get("uid") for one in lines(day)]
    number = written.index(mine.uid) + 1
    for _ in range(2):
        told = " ".join(sync(store, path).notes)
        assert f"daily/{DAY}.jsonl still tells what is private or purged here (line 1, {number})" in told
        assert "facts.jsonl still tells what is private or purged here (line 1)" in told
    kept = day.read_text("utf-8").splitlines(keepends=True)
    day.write_text("".join(kept[1 : number - 1] + kept[number:]), "utf-8")
    (path / "facts.jsonl").unlink()
    assert "still tells" not in " ".join(sync(store, path).notes)


def test_a_line_that_tells_what_was_purged_is_named(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="theirs")])
    mine = store.observations.add("c-1", title="mine", at=AT)
    sync(store, path)
    for one in (mine, store.observations.where("title = 'theirs'")[0]):
        store.observations.delete(one)
        purge(store, "observations", [one.id])
    told = " ".join(sync(store, path).notes)
    assert f"daily/{DAY}.jsonl still tells" in told


def test_two_stores_meet_in_a_directory_and_the_newer_change_wins(
    store: Store, open_store: Any, tmp_path: Path
) -> None:
    fill(store)
    sync(store, tmp_path / "c")
    other = open_store(tmp_path / "other.db")
    sync(other, tmp_path / "c")
    store.observations.revise(1, title="mine")
    other.observations.revise(other.observations.get(store.observations.get(1).uid).id, title="theirs")
    other.facts.add("Clocks drift", kind="W", project="atlas", sources=["theirs"], confidence=0.5)
    for _ in range(2):
        sync(store, tmp_path / "c")
        sync(other, tmp_path / "c")
    assert public(store) == public(other)
    assert store.observations.get(1).title == "theirs"
    before = everything(tmp_path / "c")
    assert sync(store, tmp_path / "c").is_in_step and sync(other, tmp_path / "c").is_in_step
    assert everything(tmp_path / "c") == before


@promise("files-are-ours-only")
def test_files_and_directories_that_it_makes_are_only_the_owners(store: Store, tmp_path: Path) -> None:
    fill(store)
    before = os.umask(0)
    try:
        sync(store, tmp_path / "deep" / "c")
    finally:
        os.umask(before)
    for one in (tmp_path / "deep", *(tmp_path / "deep").rglob("*")):
        wanted = 0o700 if one.is_dir() else 0o600
        assert stat.S_IMODE(one.stat().st_mode) == wanted, one


def test_two_syncs_do_not_collide(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="x")])
    monkeypatch.setattr("memtui.store.formats.scheme_c.sync.PATIENCE_SECONDS", 0)
    before = everything(path)
    with lock(path), pytest.raises(StoreError, match="under way"):
        sync(store, path)
    assert {name: text for name, text in everything(path).items() if "lock" not in name} == before
    assert sync(store, path).read.of("observations").new == 1


def test_a_dry_run_tells_and_does_nothing(store: Store, tmp_path: Path) -> None:
    path = directory(tmp_path / "c", d16=[line(1, content="x")], MEMORY_md="# a")
    fill(store)
    before, rows = everything(path), public(store)
    told = sync(store, path, dry_run=True)
    assert told.read.of("observations").new == 1 and told.written["observation"] == 2
    assert (everything(path), public(store)) == (before, rows)
    done = sync(store, path)
    assert (done.written, done.files) == (told.written, told.files)
    fresh = sync(store, tmp_path / "none", dry_run=True)
    assert fresh.written["observation"] == 3 and not (tmp_path / "none").exists()


def test_a_path_that_is_a_file_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(SourceError, match="is a file"):
        sync(store, tmp_path / "file")


KILLED = """
import os, sys
from pathlib import Path
from memtui.store import Store
from memtui.store.formats.scheme_c import sync

calls = 0
def counting(real):
    def counted(*arguments, **named):
        global calls
        calls += 1
        if calls == int(sys.argv[3]):
            os._exit(9)
        return real(*arguments, **named)
    return counted

os.fsync, os.write, os.open = counting(os.fsync), counting(os.write), counting(os.open)
Path.replace = counting(Path.replace)
with Store.open(sys.argv[1]) as store:
    sync.sync(store, Path(sys.argv[2]))
"""


@promise("acknowledged-survives")
@pytest.mark.parametrize("stride", [9, pytest.param(1, marks=pytest.mark.long)])
def test_a_kill_at_any_step_loses_nothing_and_doubles_nothing(
    store: Store, tmp_path: Path, stride: int
) -> None:
    fill(store)
    store.close()
    killed = 0
    for step in itertools.count(1, stride):
        db, path = tmp_path / f"{step}.db", tmp_path / f"c{step}"
        shutil.copy(store.path, db)
        command = [sys.executable, "-c", KILLED, str(db), str(path), str(step)]
        ended = subprocess.run(command, env=os.environ | {"PYTHONPATH": PYTHONPATH})
        with Store.open(db) as again:
            sync(again, path)
            wanted = public(again)
            before = everything(path)
            assert sync(again, path).is_in_step and everything(path) == before
        with Store.open(tmp_path / f"{step}-again.db") as rebuilt:
            sync(rebuilt, path)
            assert public(rebuilt) == wanted
        ids = [one["id"] for file in path.rglob("*.jsonl") for one in lines(file)]
        assert len(ids) == len(set(ids)), step
        if ended.returncode == 0:
            break
        killed += 1
    assert killed > 10 // stride and ended.returncode == 0
