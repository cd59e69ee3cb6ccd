"""`mem doctor` says what keeps hooks from writing to the spool; what others could read is taken back."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from memtui.store import Check, Store
from memtui.store.capture.health import capture_checks
from memtui.store.maintain.place import place_checks

from ...promises import promise
from ...unprivileged import without_privileges
from .faults import linked_to, sparse
from .hooks import Machine, modes_below, prompt

Breaking = Callable[[Path], object]


def replace_with(make: Breaking) -> Breaking:
    """What puts something else in the place of the spool."""

    def change(spool: Path) -> None:
        shutil.rmtree(spool)
        make(spool)

    return change


def put(name: str, make: Breaking) -> Breaking:
    """What puts something into the spool."""

    def change(spool: Path) -> None:
        path = spool / name
        path.unlink(missing_ok=True)
        make(path)

    return change


BROKEN: dict[str, Breaking] = {
    "a file as the spool": replace_with(Path.touch),
    "a pipe as the spool": replace_with(os.mkfifo),
    "a link that leads nowhere as the spool": replace_with(linked_to("nowhere")),
    "a link to itself as the spool": replace_with(linked_to("memory.db-spool")),
    "a directory as a segment": put("2026-02-01.jsonl", Path.mkdir),
    "a pipe as a segment": put("2026-02-01.jsonl", os.mkfifo),
    "a link as a segment": put("2026-02-01.jsonl", linked_to("elsewhere")),
    "a directory as `paused`": put("paused", Path.mkdir),
    "a directory as `excluded`": put("excluded", Path.mkdir),
    "a pipe as `lost`": put("lost", os.mkfifo),
    "too many exclusions": put("excluded", sparse),
    "an event that was lost": put("lost", lambda path: path.write_text("1\n")),
}


def checks_of(machine: Machine) -> list[Check]:
    with Store.open(machine.database) as store:
        return capture_checks(store) + place_checks(machine.database)


def faults_of(machine: Machine) -> list[str]:
    """What is not well."""
    return [check.found for check in checks_of(machine) if not check.ok]


@promise("doctor-says-so")
@pytest.mark.parametrize("broken", BROKEN.values(), ids=list(BROKEN))
def test_whatever_is_wrong_with_the_spool_is_said(machine: Machine, broken: Breaking) -> None:
    machine.hook(prompt("a prompt"))
    machine.drained()
    assert faults_of(machine) == []
    broken(machine.spool)
    assert faults_of(machine) != []


@promise("doctor-says-so")
def test_a_spool_that_can_not_be_written_is_said(machine: Machine) -> None:
    machine.hook(prompt("a prompt"))
    machine.drained()
    machine.database.parent.chmod(0o700)

    def look() -> None:
        shutil.rmtree(machine.spool)
        machine.database.parent.chmod(0o500)
        try:
            found = place_checks(machine.database)
        finally:
            machine.database.parent.chmod(0o700)
        assert "spool directory" in [check.name for check in found if not check.ok]

    assert without_privileges(look) == 0


@promise("files-are-ours-only")
def test_what_others_could_use_is_the_owners_alone_after_the_next_drain(machine: Machine) -> None:
    machine.hook(prompt("first"))
    (segment,) = machine.spool.glob("*.jsonl")
    machine.spool.chmod(0o755)
    segment.chmod(0o666)
    machine.drained()
    assert modes_below(machine.spool.parent) == {"directories": {0o700}, "files": {0o600}}
    machine.spool.chmod(0o777)
    assert faults_of(machine) == []
    assert modes_below(machine.spool.parent)["directories"] == {0o700}


@promise("files-are-ours-only")
def test_a_link_gives_no_other_file_a_mode(machine: Machine) -> None:
    machine.hook(prompt("first"))
    other = machine.folder / "other"
    other.mkdir(mode=0o755)
    (other / "file").touch(0o644)
    (other / "file").chmod(0o644)
    (machine.spool / "2026-02-01.jsonl").symlink_to(other / "file")
    (machine.spool / "excluded").symlink_to(other / "file")
    machine.drained()
    shutil.rmtree(machine.spool)
    machine.spool.symlink_to(other)
    machine.drained()
    assert (other.stat().st_mode & 0o777, (other / "file").stat().st_mode & 0o777) == (0o755, 0o644)


@promise("acknowledged-survives")
def test_events_in_a_directory_that_nobody_may_use_are_stored_all_the_same(machine: Machine) -> None:
    machine.hook(prompt("first"))
    (segment,) = machine.spool.glob("*.jsonl")

    def drain_as_owner() -> None:
        segment.chmod(0)
        machine.spool.chmod(0)
        machine.drained()
        assert machine.prompts() == ["first"]

    assert without_privileges(drain_as_owner) == 0
