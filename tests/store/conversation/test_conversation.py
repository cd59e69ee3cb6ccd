"""A session as a conversation: in order, with what its transcript adds, and without what was taken away."""

from pathlib import Path
from typing import Any

import pytest

from memtui.store import Action, Store
from memtui.store.capture import settings
from memtui.store.capture.conversation import conversation
from memtui.store.capture.conversation_entries import (
    Conversation,
    Entry,
    conversation_markdown,
    fenced,
    use_markdown,
)
from memtui.store.capture.ingest.transcripts import read_transcript
from memtui.store.maintain.purge import purge, purge_for_good
from memtui.store.records.events import ToolUse
from memtui.store.records.kinds import TABLES, parse_ref
from memtui.store.tables.removal.purge_selection import of_uids, with_what_belongs
from tests.store.formats.transcripts.claude_records import (
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

TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9" * 2
CHATTER = "I will look at it now."
ANSWER = "The cause is the clock: the laptop was five minutes ahead of the server."


def edit(key: str, before: str, after: str) -> Record:
    return call(key, "Edit", file_path="/home/dev/atlas/clock.py", old_string=before, new_string=after)


TALK: list[Record] = [
    asked(1, "why does the login fail?", promptId="p-1"),
    answered(2, "m-1", text(CHATTER), call("t-1", command="pytest -q")),
    result(3, "t-1", "3 failed"),
    answered(4, "m-2", edit("t-2", "leeway = 0\n", "leeway = 60\n")),
    result(5, "t-2"),
    answered(6, "m-3", call("t-3", command="git status")),
    result(7, "t-3"),
    answered(8, "m-4", edit("t-4", "skew = 0\n", "skew = 5\n")),
    result(9, "t-4"),
    answered(10, "m-5", text(ANSWER)),
    record("system", 11, subtype="stop_hook_summary"),
    asked(12, "thanks", promptId="p-2"),
    answered(13, "m-6", text("You are welcome.")),
    record("system", 14, subtype="stop_hook_summary"),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return write(tmp_path / "projects" / "atlas" / f"{SESSION}.jsonl", TALK)


@pytest.fixture
def read(store: Store, path: Path) -> Store:
    """A store that has read the transcript."""
    read_transcript(store, path, "claude-code")
    return store


def talk(store: Store) -> Conversation:
    session = store.sessions.find(SESSION, "claude-code")
    assert session is not None
    return conversation(store, session)


def said(store: Store) -> list[str]:
    return [f"{entry.kind}: {entry.title}" for entry in talk(store).entries]


def of_kind(store: Store, kind: str) -> list[Entry]:
    return [entry for entry in talk(store).entries if entry.kind == kind]


def test_prompts_steps_and_replies_stand_in_the_order_in_which_they_were(read: Store) -> None:
    kinds = [entry.kind for entry in talk(read).entries]
    assert kinds == [
        "prompt", "reply", "step", "step", "step", "reply", "prompt", "reply",
    ]  # fmt: skip
    assert said(read)[0] == "prompt: why does the login fail?"
    assert talk(read).entries[5].text == ANSWER


def test_what_became_no_memory_is_read_from_the_transcript(read: Store, path: Path) -> None:
    chatter = next(entry for entry in talk(read).entries if entry.text == CHATTER)
    assert chatter.refs == ()
    assert str(path) in talk(read).source
    path.unlink()
    assert f"reply: {CHATTER}" not in said(read)
    assert "isn't on this machine" in talk(read).source


def test_all_edits_of_a_file_in_a_turn_are_one_step(read: Store) -> None:
    [edited] = [entry for entry in talk(read).entries if entry.path == "clock.py"]
    assert edited.times == len(edited.uses) == len(edited.refs) == 2
    diffs = [use_markdown(use) for use in edited.uses]
    assert "-leeway = 0\n+leeway = 60" in diffs[0]
    assert "-skew = 0\n+skew = 5" in diffs[1]


def test_steps_of_a_sub_agent_stand_below_the_call_that_started_it(store: Store, path: Path) -> None:
    delegated = [
        asked(20, "look into the tests", promptId="p-3"),
        answered(21, "m-7", call("t-5", "Agent", description="look", prompt="look at the tests")),
    ]
    answer = {"agentId": "a-1", "content": [{"type": "text", "text": "All tests are slow."}]}
    ended = result(25, "t-5", "All tests are slow.") | {"toolUseResult": answer}
    write(path, [*delegated, ended], "a")
    below: list[Record] = [
        answered(22, "n-1", call("n-t-1", command="pytest --durations=3"), agentId="a-1"),
        result(23, "n-t-1", "slow") | {"agentId": "a-1"},
    ]
    own = [one | {"isSidechain": True} for one in below]
    part = write(path.with_suffix("") / "subagents" / "agent-a-1.jsonl", own)
    for file in (part, path):
        read_transcript(store, file, "claude-code")

    entries = talk(store).entries
    at = next(at for at, one in enumerate(entries) if one.title.startswith("Delegated"))
    step = entries[at + 1]
    assert (entries[at].below, step.parent, step.depth) == (1, at, 1)
    assert "pytest" in step.title


@pytest.mark.parametrize("kind", ["prompt", "step", "reply"])
@pytest.mark.parametrize("how", ["delete", "hide", "purge"])
def test_what_was_taken_away_never_comes_back_through_the_transcript(
    read: Store, kind: str, how: Any
) -> None:
    entry = next(item for item in talk(read).entries if item.kind == kind and item.refs)
    if how == "purge":
        kept, number = parse_ref(entry.refs[0]) or ("", 0)
        purge(read, TABLES[kept], [number])
    else:
        read.change_many([entry.refs[0]], Action(how))
    after = talk(read)
    assert not any(entry.refs[0] in one.refs for one in after.entries)
    if kind != "step":
        assert entry.text not in conversation_markdown(after, "all")
    else:
        assert entry.title not in [one.title for one in after.entries]


def test_what_a_person_corrected_is_told_as_it_is_now(read: Store) -> None:
    reply = next(one for one in of_kind(read, "reply") if one.refs)
    read.edit(reply.refs[0], {"narrative": "The cause is known."})
    assert "five minutes" not in conversation_markdown(talk(read), "all")


def test_a_purged_session_is_read_from_no_transcript(read: Store) -> None:
    session = read.sessions.find(SESSION, "claude-code")
    assert session is not None
    chosen = of_uids(read.db, [session.uid])
    purge_for_good(read, with_what_belongs(read.db, chosen, read.facts))
    assert conversation(read, session.id).entries == ()


@pytest.mark.parametrize("state", ["hidden", "deleted"])
def test_it_is_said_why_no_transcript_is_read(read: Store, state: str) -> None:
    session = read.sessions.get(SESSION)
    read.sessions.delete(session) if state == "deleted" else read.sessions.set_private(session, True)
    assert f"The session is {state}:" in conversation(read, read.sessions.get(SESSION)).source


def test_what_is_excluded_since_is_not_read(read: Store) -> None:
    assert f"reply: {CHATTER}" in said(read)
    settings.exclude(read.path, ["/home/dev/atlas"])
    assert f"reply: {CHATTER}" not in said(read)


def test_what_a_transcript_says_passes_the_redaction(store: Store, path: Path) -> None:
    write(path, [answered(20, "m-9", text(f"It is {TOKEN} <private>plum</private>"))], "a")
    store.sessions.start(SESSION, agent="claude-code")
    store.db.execute("INSERT INTO transcripts (path, agent) VALUES (?, ?)", (str(path), "claude-code"))
    told = conversation_markdown(talk(store), "all")
    assert "It is" in told
    assert TOKEN not in told
    assert "plum" not in told


def test_what_nobody_stored_is_not_told_when_anything_was_purged_since(read: Store, path: Path) -> None:
    write(path, [answered(20, "m-9", text("Not stored yet, so nobody knows it."))], "a")
    assert "reply: Not stored yet, so nobody knows it." in said(read)
    other = read.observations.add(None, title="Something else")
    purge(read, "observations", [other.id])
    assert "reply: Not stored yet, so nobody knows it." not in said(read)


def test_lines_of_a_diff_are_numbered_where_the_file_is_known() -> None:
    given = {"file_path": "a.py", "old_string": "x = 1\n", "new_string": "x = 2\n"}
    unknown = use_markdown(ToolUse("Edit", given, {}))
    known = use_markdown(ToolUse("Edit", given, {"originalFile": "import re\n\nx = 1\n"}))
    assert unknown == "```diff\n--- a.py\n+++ a.py\n@@\n-x = 1\n+x = 2\n```"
    assert known == unknown.replace("@@\n", "@@ -3 +3 @@\n")


def test_no_text_ends_its_fence() -> None:
    assert fenced("a\n````\nb", "sh") == "`````sh\na\n````\nb\n`````"


def test_a_command_stands_above_what_it_printed() -> None:
    use = ToolUse("Bash", {"command": "ls"}, {"stdout": "a.py\n", "stderr": ""})
    assert use_markdown(use) == "```sh\nls\n```\n\n```\na.py\n```"


def test_markdown_names_the_memories_of_each_step(read: Store) -> None:
    told = conversation_markdown(talk(read), "Login")
    assert told.startswith("# Login\n\n## Prompt [mem p1]\n\nwhy does the login fail?\n")
    assert "(2 edits) [mem " in told
