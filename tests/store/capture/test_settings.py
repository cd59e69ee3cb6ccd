"""What the user told capture not to remember is not remembered, by hooks and transcripts alike."""

import os
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from memtui.store import InvalidRecordError, Store
from memtui.store.capture import settings
from memtui.store.capture.ingest.exclusion import Exclusions
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.platform.paths import make_spool_directory
from memtui.store.records.events import Event, ToolUse

from .hooks import Machine, files_below, prompt


def test_while_it_is_paused_nothing_is_written(machine: Machine) -> None:
    settings.pause(machine.database)
    machine.hook(prompt("PAUSEDWORDS"))
    assert not [path for path, content in files_below(machine.folder) if b"PAUSEDWORDS" in content]
    assert settings.resume(machine.database)
    machine.hook(prompt("heard again"))
    machine.drained()
    assert machine.prompts() == ["heard again"]
    assert not settings.resume(machine.database)


def test_a_pause_ends_by_itself(machine: Machine) -> None:
    settings.pause(machine.database, seconds=3_600)
    machine.hook(prompt("not this"))
    paused = machine.spool / "paused"
    paused.write_text(str(int(time.time()) - 10))
    assert settings.paused_until(machine.database) is None
    machine.hook(prompt("but this"))
    machine.drained()
    assert machine.prompts() == ["but this"]


def test_what_a_transcript_tells_of_a_pause_is_not_remembered(store: Store) -> None:
    def told(text: str, at: float) -> Event:
        return Event(kind="prompt", agent="codex", session="c-1", text=text, at=int(at * 1_000))

    settings.pause(store.path)
    begun = time.time() - 100
    os.utime(make_spool_directory(store.path) / "paused", (begun, begun))
    assert not ingest_event(store, told("during", begun + 50), "transcript")
    settings.resume(store.path)
    assert not ingest_event(store, told("during", begun + 50), "transcript")
    assert ingest_event(store, told("before", begun - 50), "transcript")
    assert ingest_event(store, told("after", time.time() + 50), "transcript")
    assert len(settings.pauses(store.path)) == 1


@pytest.mark.parametrize(
    ("glob", "covered", "others"),
    [
        ("/home/dev/private", ["/home/dev/private", "/home/dev/private/a/b.py"], ["/home/dev/privates"]),
        ("~/private/*", ["/home/dev/private/a"], ["/home/dev/private"]),
        ("*.pem", ["/srv/key.pem"], ["/srv/key.pem.txt"]),
        (".env", ["/work/.env", "/work/.env/x"], ["/work/env"]),
    ],
)
def test_a_glob_covers_what_lies_below(
    glob: str, covered: list[str], others: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/dev")
    exclusions = Exclusions([glob])
    assert all(exclusions.cover_path(path) for path in covered)
    assert not any(exclusions.cover_path(path) for path in others)


EVENTS = {
    "where it happens": {"cwd": "/srv/secret/src"},
    "a root": {"workspace_roots": ["/srv/secret"]},
    "a file": {"tool_input": {"file_path": "/srv/secret/a.py"}},
    "a file from here": {"cwd": "/srv", "tool_input": {"path": "secret/a.py"}},
    "a command": {"tool_input": {"command": "cat '/srv/secret/a.py' | head"}},
    "a patch": {"tool_input": {"command": "*** Begin Patch\n*** Add File: /srv/secret/a b.py\n+x"}},
    "a list of files": {"tool_info": {"files": ["/tmp/x", "/srv/secret/a.py"]}},
}


@pytest.mark.parametrize("event", EVENTS.values(), ids=EVENTS)
def test_what_touches_an_excluded_place_is_never_written(event: dict[str, Any], machine: Machine) -> None:
    settings.exclude(machine.database, ["/srv/secret"])
    machine.hook(prompt("EXCLUDEDWORDS", **event), prompt("kept", cwd="/srv/other"))
    found = [path for path, content in files_below(machine.folder) if b"EXCLUDEDWORDS" in content]
    assert found == []
    machine.drained()
    assert machine.prompts() == ["kept"]


@pytest.mark.parametrize("glob", ["/srv/secret/*", "/srv/secret/**"])
def test_who_works_in_a_directory_works_in_all_of_it(glob: str, machine: Machine) -> None:
    settings.exclude(machine.database, [glob])
    machine.hook(
        prompt("in it", cwd="/srv/secret"),
        prompt("below", cwd="/srv/secret/a/b"),
        prompt("beside", cwd="/srv/secrets"),
        prompt("above", cwd="/srv"),
    )
    machine.drained()
    assert machine.prompts() == ["beside", "above"]


def test_a_project_is_excluded_by_its_name(machine: Machine) -> None:
    clone = machine.folder / "clone"
    (clone / ".git").mkdir(parents=True)
    (clone / ".git" / "config").write_text('[remote "origin"]\n\turl = git@host:acme/hidden.git\n')
    settings.exclude(machine.database, ["hidden"])
    machine.hook(prompt("not this", cwd=str(clone)), prompt("this", cwd=str(machine.folder)))
    machine.drained()
    assert machine.prompts() == ["this"]


def test_transcripts_keep_to_the_exclusions(store: Store) -> None:
    settings.exclude(store.path, ["/srv/secret"])
    used = ToolUse("Read", {"file_path": "/srv/secret/a.py"}, "text")
    told = Event(kind="prompt", agent="codex", session="c-1", text="x", cwd="/srv/secret")
    assert not ingest_event(store, told, "transcript")
    assert not ingest_event(store, replace(told, kind="tool", tool=used, cwd="/srv"), "transcript")
    assert store.stats().sessions == 0


def test_exclusions_are_listed_and_taken_away(store: Store) -> None:
    assert settings.exclude(store.path, ["*.pem", "~/private"]) == ["*.pem", "~/private"]
    assert settings.exclude(store.path, ["*.pem"]) == ["*.pem", "~/private"]
    assert settings.include(store.path, ["*.pem"]) == ["~/private"]
    with pytest.raises(InvalidRecordError, match="mem exclude"):
        settings.include(store.path, ["*.pem"])
    with pytest.raises(InvalidRecordError):
        settings.exclude(store.path, [" "])
    mode = (make_spool_directory(store.path) / "excluded").stat().st_mode
    assert mode & 0o777 == 0o600
    assert Path(make_spool_directory(store.path)).stat().st_mode & 0o777 == 0o700


def test_no_setting_is_written_through_a_link(machine: Machine) -> None:
    foreign = machine.folder / "of somebody else"
    foreign.write_text("as it was\n")
    for name in ("excluded", "paused", "pauses"):
        (make_spool_directory(machine.database) / name).symlink_to(foreign)
    with pytest.raises(InvalidRecordError, match="is a link"):
        settings.exclude(machine.database, ["*.pem"])
    with pytest.raises(InvalidRecordError, match="is a link"):
        settings.pause(machine.database)
    assert foreign.read_text() == "as it was\n"
