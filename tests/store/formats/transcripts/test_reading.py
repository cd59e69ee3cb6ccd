"""Transcripts read into a store: on from where they were read last, and nothing twice."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Store
from memtui.store.capture.ingest import transcripts
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.capture.ingest.transcripts import read_transcript, reconcile
from memtui.store.formats.common.report import Counts, Report
from memtui.store.formats.transcripts import slices
from memtui.store.platform.errors import DatabaseError
from memtui.store.records.events import Event, EventKind

from .claude_records import (
    FORK,
    SESSION,
    WORK,
    Record,
    answered,
    asked,
    call,
    compacted,
    forked,
    record,
    result,
    write,
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The transcript of one session."""
    return write(tmp_path / "projects" / "atlas" / f"{SESSION}.jsonl", WORK)


def read(store: Store, path: Path) -> Report:
    """Read it to its end; what became of it."""
    report = Report("claude-code")
    assert read_transcript(store, path, "claude-code", report=report)
    return report


def held(store: Store) -> dict[str, list[Any]]:
    """What the store says of sessions."""
    return {
        "sessions": [one.content_session_id for one in store.sessions.where("TRUE ORDER BY id")],
        "prompts": [one.text for one in store.prompts.where("TRUE ORDER BY created_at, id")],
        "tools": [one.tool_name for one in store.observations.where("TRUE ORDER BY created_at, id")],
        "summaries": [one.text for one in store.summaries.where("TRUE ORDER BY id")],
    }


ALL = {
    "sessions": [SESSION],
    "prompts": ["fix the login", "and test it", "thanks"],
    "tools": ["Bash", "Read", "Write"],
    "summaries": ["The login is fixed."],
}


def test_a_transcript_becomes_a_session_with_all_that_it_tells(store: Store, path: Path) -> None:
    report = read(store, path)
    assert held(store) == ALL
    assert report.counts == {
        "sessions": Counts(1, 1),
        "prompts": Counts(3, 3),
        "observations": Counts(3, 3),
        "summaries": Counts(1, 1),
        "tokens": Counts(50, 50),
    }


def test_reading_it_again_changes_nothing(store: Store, path: Path) -> None:
    read(store, path)
    assert read(store, path) == Report("claude-code")
    assert held(store) == ALL


def test_only_what_is_new_is_read(store: Store, path: Path) -> None:
    read(store, path)
    write(path, [result(17, "t-3"), asked(18, "and now?", promptId="p-3")], "a")
    report = read(store, path)
    assert report.of("prompts") == Counts(1, 1)
    assert held(store)["prompts"] == [*ALL["prompts"], "and now?"]
    assert held(store)["tools"] == ALL["tools"]


def test_a_line_at_a_time_gives_the_same(store: Store, tmp_path: Path) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    for one in WORK:
        read(store, write(path, [one], "a"))
    assert held(store) == ALL


def test_a_line_that_is_still_being_written_waits(store: Store, path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    assert not read(store, path).warnings
    path.write_bytes(whole)
    read(store, path)
    assert held(store) == ALL


def test_a_reading_that_is_killed_goes_on_where_it_stopped(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "SLICE_BYTES", 1)
    left = 9

    def keep_some(*told: Any, **more: Any) -> bool:
        nonlocal left
        left -= 1
        if not left:
            raise KeyboardInterrupt
        return ingest_event(*told, **more)

    monkeypatch.setattr(transcripts, "ingest_event", keep_some)
    with pytest.raises(KeyboardInterrupt):
        read_transcript(store, path, "claude-code")
    before = held(store)
    assert before["prompts"]
    assert before != ALL
    monkeypatch.setattr(transcripts, "ingest_event", ingest_event)
    report = read(store, path)
    assert held(store) == ALL
    assert report.of("prompts").new == len(ALL["prompts"]) - len(before["prompts"])
    assert not report.of("prompts").unchanged


def test_a_slice_that_fails_leaves_nothing_behind(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(store: Store, event: Event, *told: Any, **more: Any) -> bool:
        if event.kind == "compaction":
            raise DatabaseError("The disk is full.")
        return ingest_event(store, event, *told, **more)

    monkeypatch.setattr(transcripts, "ingest_event", refuse)
    with pytest.raises(DatabaseError):
        read_transcript(store, path, "claude-code")
    assert held(store) == {kind: [] for kind in ALL}


def test_without_time_it_stops_after_a_slice_and_says_so(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "SLICE_BYTES", 1)
    readings = 1
    while not read_transcript(store, path, "claude-code", seconds=0):
        readings += 1
    assert readings == len(WORK) + 1
    assert held(store) == ALL


def test_two_processes_that_read_one_file_tell_it_once(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slices, "SLICE_BYTES", 1)
    with Store.open(store.path) as other:
        done = False
        while not done:
            done = read_transcript(store, path, "claude-code", seconds=0)
            read_transcript(other, path, "claude-code", seconds=0)
    assert held(store) == ALL


def test_a_file_in_its_place_is_read_anew_and_told_once(store: Store, path: Path) -> None:
    read(store, path)
    path.unlink()
    write(path, [*WORK[:2], asked(30, "something new", promptId="p-9")])
    read(store, path)
    assert held(store)["prompts"] == [*ALL["prompts"], "something new"]


def test_a_bad_line_is_told_by_its_number_and_costs_nothing_else(store: Store, path: Path) -> None:
    text = path.read_text().splitlines(keepends=True)
    path.write_text("".join([*text[:2], "{nonsense\n", "[]\n", *text[2:]]))
    report = read(store, path)
    assert held(store) == ALL
    assert [(one.table, one.native_id, one.message) for one in report.warnings] == [
        (str(path), "line 3", "is not JSON"),
        (str(path), "line 4", "is not a JSON object"),
    ]


def test_a_later_line_is_told_by_its_number_too(store: Store, path: Path) -> None:
    read(store, path)
    with path.open("a") as file:
        file.write("nonsense\n")
    assert [one.native_id for one in read(store, path).warnings] == [f"line {len(WORK) + 1}"]


def test_a_fork_keeps_what_it_repeats_with_the_session_that_told_it_first(store: Store, path: Path) -> None:
    read(store, path)
    own = asked(40, "another way", sessionId=FORK, promptId="p-fork")
    copy = write(path.with_name(f"{FORK}.jsonl"), [*forked(WORK), own])
    report = read(store, copy)
    assert held(store)["prompts"] == [*ALL["prompts"], "another way"]
    assert held(store)["tools"] == ALL["tools"]
    assert held(store)["summaries"] == ALL["summaries"]
    assert report.of("copies").skipped
    assert store.prompts.where("text = 'another way'")[0].session_id == 2


FAR_BACK = [
    record
    for number in range(0, 300, 2)
    for record in (
        asked(100 + number, f"question {number}", promptId=f"p-{number}"),
        answered(101 + number, f"m-{number}", call(f"t-{number}", "Edit", file_path=f"/{number}.py")),
    )
]
DELIVERED = {"type": "queued_command", "prompt": "and the docs", "commandMode": "prompt"}
ON_THE_WAY = record("attachment", 400, attachment=DELIVERED)


@pytest.mark.parametrize("reading", ["at once", "a part at a time", "another file each time"])
def test_history_that_a_compaction_appends_again_counts_once(
    store: Store, tmp_path: Path, reading: str
) -> None:
    history = [*FAR_BACK, ON_THE_WAY]
    parts = [history, compacted(401, "one"), [asked(403, "between", promptId="p-b")], history]
    parts += [compacted(404, "two"), [result(406, "t-298"), asked(407, "after", promptId="p-a")]]
    path = tmp_path / f"{SESSION}.jsonl"
    for number, part in enumerate(parts):
        write(path, part, "a")
        if reading == "another file each time":
            path.write_bytes(path.rename(tmp_path / f"old-{number}").read_bytes())
        if reading != "at once":
            read(store, path)
    read(store, path)

    questions = [one["message"]["content"] for one in FAR_BACK[::2]]
    assert held(store)["prompts"] == [*questions, "and the docs", "between", "after"]
    assert held(store)["tools"] == ["Edit"] * len(questions)
    assert held(store)["summaries"] == ["one", "two"]
    assert not store.prompts.where("extra LIKE '%taken_back%'")
    assert not store.observations.where("extra LIKE '%taken_back%'")


def renamed(records: list[Record], name: str, **more: Any) -> list[Record]:
    """Copies of those that have an id, under other ids."""
    return [one | {"uuid": f"{name}-{one['uuid']}"} | more for one in records if "uuid" in one]


THIRD = "5e551011-0000-4000-8000-000000000003"
COPIES: dict[str, list[tuple[str, list[Record]]]] = {
    "a fork": [(FORK, renamed(WORK, "f", sessionId=FORK, promptId="p-f"))],
    "a fork of a fork": [
        (FORK, renamed(WORK, "f", sessionId=FORK)),
        (THIRD, renamed(WORK, "g", sessionId=THIRD)),
    ],
    "a part of the history": [(FORK, renamed(WORK[2:9], "f", sessionId=FORK))],
    "another file of the session": [("again", renamed(WORK, "f", promptId="p-f"))],
    "the file itself": [(SESSION, [*WORK, *renamed(WORK, "f", promptId="p-f")])],
    "links of other records": [(FORK, renamed(WORK, "f", sessionId=FORK, parentUuid="f-u-1"))],
}


@pytest.mark.parametrize("copies", COPIES.values(), ids=COPIES)
def test_history_copied_under_other_ids_counts_once(
    store: Store, path: Path, copies: list[tuple[str, list[Record]]]
) -> None:
    own = asked(40, "fix the login", promptId="p-own", uuid="own")
    for _time in range(2):
        read(store, path)
        for name, records in copies:
            file = write(path.with_name(f"{name}.jsonl"), records)
            read(store, file)
            # Another file in its place, of which its beginning is known.
            file.rename(file.with_suffix(".old"))
            write(file, [*records, own])
            read(store, file)
    assert held(store)["prompts"] == [*ALL["prompts"], "fix the login"]
    assert (held(store)["tools"], held(store)["summaries"]) == (ALL["tools"], ALL["summaries"])
    assert not store.prompts.where("extra LIKE '%taken_back%'")


@pytest.mark.parametrize(
    "named",
    [
        [{"type": "custom-title", "customTitle": "Login", "sessionId": FORK}],
        [{"type": "ai-title", "aiTitle": "Login", "sessionId": FORK}] * 2,
        [{"type": "ai-title", "aiTitle": "Log in", "sessionId": FORK},
         {"type": "custom-title", "customTitle": "Login", "sessionId": FORK}],
    ],
)  # fmt: skip
@pytest.mark.parametrize("place", ["first", "last", "both"])
def test_a_fork_is_not_called_as_its_origin_is(
    store: Store, path: Path, place: str, named: list[Record]
) -> None:
    read(store, write(path, [{"type": "custom-title", "customTitle": "Login", "sessionId": SESSION}], "a"))
    own = asked(40, "try it with a token instead", sessionId=FORK, uuid="own")
    first, last = (named if place in (at, "both") else [] for at in ("first", "last"))
    copy = write(path.with_name(f"{FORK}.jsonl"), [*first, *forked(WORK), own, *last])
    read(store, copy)
    origin, fork = store.sessions.where("TRUE ORDER BY id")
    assert store.sessions.titles([origin.id, fork.id]) == {
        origin.id: "Login",
        fork.id: "try it with a token instead",
    }
    assert fork.started_at == store.prompts.where("session_id = ?", (fork.id,))[0].created_at
    read(store, write(copy, [{"type": "custom-title", "customTitle": "Token", "sessionId": FORK}], "a"))
    assert store.sessions.titles([fork.id]) == {fork.id: "Token"}


def test_a_result_is_that_of_its_call_where_the_file_is_read_anew_half_way(
    store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read(store, path)
    path.write_bytes(path.rename(path.with_suffix(".old")).read_bytes())
    write(path, [result(17, "t-3", "written to b")], "a")
    monkeypatch.setattr(slices, "SLICE_EVENTS", 1)
    while not read_transcript(store, path, "claude-code", seconds=0):
        pass
    assert held(store) == ALL
    assert json.loads(store.db.execute("SELECT state FROM transcripts").get)["reader"]["calls"] == {}


def test_sub_agents_work_belongs_to_the_session(store: Store, path: Path) -> None:
    side: dict[str, Any] = {"isSidechain": True, "agentId": "a1"}
    below = path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    write(below, [asked(50, "look", **side), answered(51, "m-9", call("t-9", "Grep"), **side)])
    read(store, path)
    read(store, below)
    assert held(store)["sessions"] == [SESSION]
    assert held(store)["prompts"] == ALL["prompts"]
    assert sorted(held(store)["tools"]) == ["Bash", "Grep", "Read", "Write"]


def test_a_file_that_is_gone_or_none_is_a_warning(store: Store, tmp_path: Path) -> None:
    (tmp_path / "folder.jsonl").mkdir()
    os.mkfifo(tmp_path / "pipe.jsonl")
    for name in ("none.jsonl", "folder.jsonl", "pipe.jsonl"):
        (warning,) = read(store, tmp_path / name).warnings
        assert "can't be read" in warning.message


def test_what_hooks_leave_a_note_of_is_read(store: Store, path: Path) -> None:
    side: dict[str, Any] = {"isSidechain": True, "agentId": "a1"}
    below = path.with_suffix("") / "subagents" / "agent-a1.jsonl"
    write(below, [answered(51, "m-9", call("t-9", "Grep"), **side)])
    for kind in ("session_start", "reply"):
        told = Event(kind=kind, agent="claude-code", session=SESSION, transcript=str(path))
        ingest_event(store, told, "hook")
    assert reconcile(store, seconds=60)
    assert held(store)["prompts"] == ALL["prompts"]
    assert "Grep" in held(store)["tools"]
    assert not store.db.execute("SELECT 1 FROM transcripts WHERE is_due = 1").fetchall()


def told(kind: EventKind, path: Path, session: str, **more: Any) -> Event:
    """What a hook of Claude Code tells."""
    return Event(kind=kind, agent="claude-code", session=session, transcript=str(path), text="x", **more)


def test_what_was_missed_of_a_killed_session_is_read_once_another_starts(store: Store, path: Path) -> None:
    ingest_event(store, told("prompt", path, SESSION), "hook")
    assert reconcile(store, seconds=60)
    assert held(store)["tools"] == []
    ingest_event(store, Event(kind="session_start", agent="codex", session="other"), "hook")
    assert reconcile(store, seconds=60)
    assert held(store)["tools"] == []
    ingest_event(store, told("session_start", path.with_name("next.jsonl"), "next"), "hook")
    assert reconcile(store, seconds=60)
    assert held(store)["tools"] == ALL["tools"]


def test_what_is_read_to_its_end_is_not_read_again_when_a_session_starts(store: Store, path: Path) -> None:
    gone = path.with_name("gone.jsonl")
    for file, session in ((path, SESSION), (gone, "gone")):
        ingest_event(store, told("session_end", file, session), "hook")
    read(store, write(path.with_name("imported.jsonl"), WORK))
    assert reconcile(store, seconds=60)
    ingest_event(store, Event(kind="session_start", agent="claude-code", session="next"), "hook")
    assert store.db.execute("SELECT path FROM transcripts WHERE is_due = 1").fetchall() == []


def test_a_note_of_a_file_that_nothing_reads_is_withdrawn(store: Store, tmp_path: Path) -> None:
    for agent, name in (("windsurf", "a.jsonl"), ("claude-code", "gone.jsonl")):
        told = Event(kind="reply", agent=agent, session="s", text="x", transcript=str(tmp_path / name))
        ingest_event(store, told, "hook")
    assert reconcile(store, seconds=60)
    assert not store.db.execute("SELECT 1 FROM transcripts WHERE is_due = 1").fetchall()


@pytest.mark.parametrize(
    "odd", ["/", ".", "..", "", "~", "x" * 300, "/" + "a/" * 3_000, "a\0b", "/dev/zero"]
)
def test_a_note_of_what_no_file_can_be_called_keeps_no_other_from_being_read(
    store: Store, path: Path, odd: str
) -> None:
    for name in (odd, str(path)):
        sql = "INSERT INTO transcripts (path, agent, is_due) VALUES (?, 'claude-code', 1)"
        store.db.execute(sql, (name,))
    assert reconcile(store, seconds=60)
    assert held(store)["tools"] == ALL["tools"]
    assert not store.db.execute("SELECT 1 FROM transcripts WHERE is_due = 1").fetchall()


def test_a_compaction_is_one_summary_in_a_session(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "s.jsonl", [*compacted(1, "one"), *compacted(3, "two")])
    read(store, path)
    assert held(store)["summaries"] == ["one", "two"]
