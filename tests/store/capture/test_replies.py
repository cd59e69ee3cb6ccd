"""What an agent says is one observation of its turn, whichever way it comes, and within bounds."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.agents.registry import AGENTS
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.capture.ingest.rows import CHARACTERS_OF_REMARKS, MOST_REMARKS
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.records.events import Event
from memtui.store.records.kinds import REPLY
from memtui.store.records.rows import Observation
from memtui.store.tables.removal.purge import purge_rows

from ..formats.transcripts.claude_records import (
    SESSION,
    Record,
    answered,
    asked,
    call,
    record,
    result,
    text,
    write,
)

CAUSE = "Found it. The build breaks because npm 8 can't read the lock file. Let me mend that."
ANSWER = "Pinned npm 9 in `package.json`. What is left: tell CI to use it."
NOW = 1_770_000_000_000

TALK: list[Record] = [
    asked(1, "why does the build break?", promptId="p-1"),
    answered(2, "m-1", text("Let me look at the log."), call("t-1", command="npm ci")),
    result(3, "t-1", "lockfileVersion 3"),
    answered(4, "m-2", text(CAUSE), call("t-2", "Write", file_path="/package.json", content="{}")),
    result(5, "t-2"),
    answered(6, "m-3", text(ANSWER)),
    record("system", 7, subtype="stop_hook_summary"),
    asked(8, "thanks", promptId="p-2"),
    answered(9, "m-4", text("You are welcome.")),
]


def said(store: Store) -> list[Observation]:
    return store.observations.where("tool_name = ? ORDER BY created_at, id", (REPLY,))


def transcript(folder: Path, records: list[Record] = TALK) -> Path:
    path = folder / "projects" / "atlas" / f"{SESSION}.jsonl"
    write(path, records)
    return path


def reply(text: str, **more: object) -> Event:
    fields: dict[str, object] = {"agent": "claude-code", "session": SESSION, "at": NOW}
    return Event(kind="reply", text=text, **fields | more)  # type: ignore[arg-type]


def test_a_transcript_s_finding_and_answer_are_kept_with_their_turn_and_no_chatter(
    store: Store, tmp_path: Path
) -> None:
    assert read_transcript(store, transcript(tmp_path), "claude-code")
    assert [(one.type, one.title, one.prompt_number) for one in said(store)] == [
        ("finding", "The build breaks because npm 8 can't read the lock file", 1),
        ("answer", "Pinned npm 9 in package.json", 1),
    ]
    assert said(store)[1].narrative == ANSWER
    assert [hit.row.record_id for hit in store.find("lock file npm 8").page().hits] == [said(store)[0].id]


@pytest.mark.parametrize("agent", AGENTS)
def test_a_reply_that_any_agent_s_hook_told_is_one_observation(store: Store, agent: str) -> None:
    ingest_event(store, Event(kind="prompt", agent=agent, session="s", text="go", at=NOW), "hook")
    told = Event(kind="reply", agent=agent, session="s", text=ANSWER, at=NOW + 9)
    assert ingest_event(store, told, "hook")
    assert not ingest_event(store, told, "hook")
    assert not ingest_event(store, told, "transcript")
    assert [one.title for one in said(store)] == ["Pinned npm 9 in package.json"]


def test_what_the_hook_told_the_transcript_does_not_tell_again(store: Store, tmp_path: Path) -> None:
    moment = 1_769_997_606_000
    start = Event(kind="prompt", agent="claude-code", session=SESSION, text="why does the build break?")
    for event in (start, reply(ANSWER, key="stop-1", at=None)):
        ingest_event(store, event, "hook", at=moment)
    read_transcript(store, transcript(tmp_path), "claude-code")
    assert [one.narrative for one in said(store)].count(ANSWER) == 1


def test_nothing_is_kept_of_a_reply_to_a_hidden_prompt(store: Store) -> None:
    ingest_event(
        store, Event(kind="prompt", agent="claude-code", session=SESSION, text="secret plan", at=NOW),
        "hook",
    )  # fmt: skip
    (prompt,) = store.prompts.where("TRUE")
    store.prompts.set_private(prompt)
    ingest_event(store, reply(ANSWER, at=NOW + 5), "hook")
    assert said(store) == []


def test_what_is_private_or_secret_in_a_reply_is_not_kept(store: Store) -> None:
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9" * 2
    words = f"The key was `{token}`, which <private>plums</private> expired because of its age."
    ingest_event(store, reply(words), "hook")
    (one,) = said(store)
    kept = f"{one.title} {one.narrative}"
    assert token not in kept
    assert "plums" not in kept
    assert "expired because of its age" in kept


def test_a_turn_keeps_only_so_many_remarks_and_always_its_end(store: Store) -> None:
    for number in range(3 * MOST_REMARKS):
        words = f"The cause {number} is in `module_{number}.py`, because it {'really ' * 60}fails."
        ingest_event(store, reply(words, at=NOW + number, is_final=False), "transcript")
    ingest_event(store, reply(ANSWER, at=NOW + 999), "transcript")
    *remarks, last = said(store)
    assert 0 < len(remarks) <= MOST_REMARKS
    assert sum(len(one.narrative or "") for one in remarks) < CHARACTERS_OF_REMARKS + 1_300
    assert last.title == "Pinned npm 9 in package.json"


def test_a_memory_from_before_gets_the_replies_once_when_transcripts_are_imported_again(
    store: Store, tmp_path: Path
) -> None:
    path = transcript(tmp_path)
    read_transcript(store, path, "claude-code")
    wanted = [one.title for one in said(store)]
    # What a memory from before replies were kept has: their events, marked as to be read, without a row.
    with store.transaction():
        store.db.execute("DELETE FROM observations WHERE tool_name = ?", (REPLY,))
        store.db.execute("DELETE FROM captured_events WHERE kind = 'reply' AND key LIKE '%m-2'")
        store.db.execute("UPDATE captured_events SET record_id = 0 WHERE kind = 'reply'")
        store.db.execute("UPDATE transcripts SET file = '', read_bytes = 0, state = '{}'")
    others = store.stats()
    for _ in range(2):
        read_transcript(store, path, "claude-code")
    assert [one.title for one in said(store)] == wanted
    assert store.stats().prompts == others.prompts
    assert store.stats().observations == others.observations + len(wanted)
    assert {one.prompt_number for one in said(store)} == {1}


def test_a_purged_reply_does_not_come_back_with_its_transcript(store: Store, tmp_path: Path) -> None:
    path = transcript(tmp_path)
    read_transcript(store, path, "claude-code")
    with store.transaction():
        purge_rows(store.db, "observations", [one.id for one in said(store)])
    store.db.execute("UPDATE transcripts SET file = '', read_bytes = 0, state = '{}'")
    read_transcript(store, path, "claude-code")
    assert said(store) == []


def test_stats_tell_how_many_replies_are_kept_and_how_long_they_are(store: Store, tmp_path: Path) -> None:
    read_transcript(store, transcript(tmp_path), "claude-code")
    stats = store.stats()
    assert stats.replies == 2
    length = sum(len(one.title or "") + len(one.narrative or "") for one in said(store))
    assert stats.reply_characters == length
