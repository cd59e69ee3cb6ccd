"""Where events wait when the spool can't be written: where every process of the user looks."""

import json
import os
import posix
import shutil
from pathlib import Path

import pytest

from memtui.store.capture.ingest.catch_up import is_there
from memtui.store.capture.ingest.spool import lost_events
from memtui.store.capture.ingest.spool_files import append
from memtui.store.platform.paths import fallback_spools, make_last_two

from .faults import spool_is_a_file
from .hooks import Ended, Machine, Start, modes_below, prompt

DATABASE = b"/home/me/memory.db"


def places(monkeypatch: pytest.MonkeyPatch, **variables: str) -> list[bytes]:
    """The fallback directories of a process with these variables."""
    for name in ("XDG_RUNTIME_DIR", "TMPDIR"):
        monkeypatch.delitem(posix.environ, name.encode(), raising=False)
    for name, value in variables.items():
        monkeypatch.setitem(posix.environ, name.encode(), value.encode())
    return fallback_spools(DATABASE)


def test_what_only_one_environment_tells_comes_after_what_all_know(monkeypatch: pytest.MonkeyPatch) -> None:
    runtime = f"/run/user/{os.geteuid()}"
    known = places(monkeypatch)
    assert known[0].startswith(runtime.encode())
    assert places(monkeypatch, XDG_RUNTIME_DIR=runtime) == known
    assert places(monkeypatch, TMPDIR="/var/folders/x")[:-1] == known


def test_no_directory_of_the_system_is_made(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        make_last_two(bytes(tmp_path / "run" / "user" / "memtui" / "spool"))
    assert list(tmp_path.iterdir()) == []
    make_last_two(bytes(tmp_path / "memtui" / "spool"))
    assert modes_below(tmp_path)["directories"] == {0o700}


def hook_into_fallback(machine: Machine, text: str) -> None:
    """Report a prompt while the spool can't be written."""
    with spool_is_a_file(machine, b""):
        machine.hook(prompt(text))


def remove_memory(machine: Machine, *, spool: bool) -> None:
    """Remove the memory, and its spool or not; the fallbacks stay."""
    for path in machine.database.parent.glob("memory.db*"):
        if path.is_file():
            path.unlink()
    if spool:
        shutil.rmtree(machine.spool, ignore_errors=True)


@pytest.mark.parametrize("spool", [True, False], ids=["with its spool", "without"])
def test_what_a_removed_memory_had_stored_does_not_come_into_a_new_one(
    machine: Machine, spool: bool
) -> None:
    machine.hook(prompt("old"))
    hook_into_fallback(machine, "old in a fallback")
    machine.drained()
    assert len(machine.prompts()) == 2
    remove_memory(machine, spool=spool)
    assert not is_there(machine.database)
    hook_into_fallback(machine, "new in a fallback")
    machine.hook(prompt("new"))
    assert is_there(machine.database)
    assert machine.drained().stored == 2
    assert machine.prompts() == ["new in a fallback", "new"]
    remove_memory(machine, spool=False)
    machine.drained()
    assert machine.prompts() == []


def test_what_nobody_has_stored_comes_into_a_new_memory(machine: Machine) -> None:
    hook_into_fallback(machine, "before there was a memory")
    machine.hook(prompt("and this"))
    assert is_there(machine.database)
    machine.drained()
    assert machine.prompts() == ["before there was a memory", "and this"]
    hook_into_fallback(machine, "never stored")
    remove_memory(machine, spool=True)
    machine.drained()
    assert machine.prompts() == ["never stored"]


def test_an_event_whose_file_was_removed_meanwhile_is_written_elsewhere(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    segment = machine.spool / "2026-02-01.jsonl"
    monkeypatch.setattr(posix, "fdatasync", lambda _file: segment.unlink(missing_ok=True))
    append(bytes(machine.database), bytes(machine.spool), b"/2026-02-01.jsonl", b"\nan event\n")
    assert not segment.exists()
    (found,) = machine.fallback.rglob("*.jsonl")
    assert found.read_bytes() == b"\nan event\n"


def test_a_memory_behind_several_links_has_one_spool(machine: Machine) -> None:
    links = [machine.folder / "one.db", machine.folder / "two.db"]
    links[0].symlink_to("two.db")
    links[1].symlink_to(machine.database)
    machine.remember("there is a memory")
    named = ("claude-code", "--db", str(links[0]))
    assert machine.run(Start(json.dumps(prompt("by a link")).encode(), named)).code == 0
    assert list(machine.spool.glob("*.jsonl"))
    machine.drained()
    assert machine.prompts() == ["by a link"]


def test_nothing_is_written_where_exclusions_can_not_be_read(machine: Machine) -> None:
    machine.hook(prompt("before"))
    excluded = machine.spool / "excluded"
    excluded.write_text("secret-project\n" * 10_000)
    machine.hook(prompt("not to be written"))
    assert lost_events(machine.database) == 1
    excluded.write_text("secret-project\n")
    machine.hook(prompt("behind"))
    machine.drained()
    assert machine.prompts() == ["before", "behind"]


@pytest.mark.parametrize(
    "event",
    [
        prompt("what next?"),
        {"session_id": "s-1", "hook_event_name": "Stop", "last_assistant_message": "done"},
        {"session_id": "s-1", "hook_event_name": "SessionEnd", "reason": "exit"},
    ],
    ids=lambda event: event["hook_event_name"],
)
def test_an_event_that_no_disk_takes_is_counted(machine: Machine, event: dict[str, str]) -> None:
    machine.remember("there is a memory")
    told = json.dumps(event | {"padding": "x" * 4_000}).encode()
    # No file may have more than a few bytes, as on a disk whose last page is taken.
    small = ("sh", "-c", 'ulimit -f 1; exec "$@"', "sh")
    assert machine.run(Start(told, before=small)) == Ended(0, b"", b"")
    assert lost_events(machine.database) == 1
