"""What a context's tokens are spent on: several sessions, each thing once, words rather than output."""

import os
import sys
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.context.block import compose
from memtui.store.context.wrapper import mem_command

HOUR = 3_600_000


def told(store: Store, budget: int = 1_500) -> str:
    return compose(store.db, "atlas", budget=budget).text


def test_several_sessions_are_told_and_what_is_left_of_the_last_ones(store: Store) -> None:
    for number in range(9):
        store.summaries.add(
            f"c-{number}", request=f"Work on part {number}", completed=f"Built part {number}",
            next_steps=f"Ship part {number}",
            project="atlas", at=number * HOUR,
        )  # fmt: skip
    text = told(store)
    assert text.index("Work on part 8") < text.index("Left: Ship part 8") < text.index("Work on part 7")
    # What older ones left is done by now, or forgotten.
    assert "Work on part 5" in text and "part 4" not in text


def test_what_one_session_left_and_a_later_one_did_is_not_left(store: Store) -> None:
    left = "- Import the March file again by its locale\n- Label the machine in the hall"
    store.summaries.add(
        "c-1", request="Read the amounts", completed="Read amounts by locale", next_steps=left,
        project="atlas", at=1,
    )  # fmt: skip
    store.summaries.add(
        "c-2", request="Go on", completed="Imported the March file again by its locale",
        project="atlas", at=HOUR,
    )  # fmt: skip
    text = told(store)
    assert "Label the machine" in text
    assert "Import the March file" not in text


def test_decisions_come_first_and_what_the_user_answered_is_told(store: Store) -> None:
    store.summaries.add("c-1", request="Store tokens", completed="Added a table", project="atlas")
    store.observations.add("c-1", title="Tokens live in SQLite", type="decision", project="atlas")
    store.observations.add(
        "c-1", title="Declined by the user: edit env.go", narrative="+ x", type="note",
        facts=["the user said: that file is too large"], tool_name="Edit", event_id="e-1",
        project="atlas",
    )  # fmt: skip
    text = told(store)
    assert text.split("\n")[2:4][0] == "## Decisions" and "Tokens live in SQLite" in text.split("\n")[3]
    assert "the user said: that file is too large" in text


def test_a_reply_is_told_in_its_words_and_what_a_tool_printed_is_not(store: Store) -> None:
    for tool in ("reply", "Bash"):
        store.observations.add(
            "c-1", title=f"Why it fails, by {tool}", narrative=f"It is DNS, says {tool}.",
            type="finding", tool_name=tool, event_id=tool, project="atlas",
        )  # fmt: skip
    text = told(store)
    assert "It is DNS, says reply." in text
    assert "It is DNS, says Bash." not in text


def test_nothing_is_told_twice(store: Store) -> None:
    said = "The root cause was the drifting clock of the laptop."
    store.summaries.add("c-1", request="Login fails", learned=said, project="atlas")
    store.observations.add(
        "c-1", title=said, narrative=f"{said} NTP was off.", type="finding", project="atlas"
    )
    store.facts.add("the root cause was the drifting clock of the laptop", project="atlas")
    text = told(store)
    assert text.lower().count("drifting clock") == 1
    assert "NTP was off." in text


def test_what_does_not_fit_ends_at_a_sentence_with_an_ellipsis(store: Store) -> None:
    story = " ".join(f"Step {number} went as it was planned." for number in range(80))
    store.observations.add(
        "c-1", title="A long story", narrative=story, type="plan", project="atlas"
    )  # fmt: skip
    assert "planned. …" in told(store, budget=300)


def test_room_that_one_section_leaves_is_taken_by_others(store: Store) -> None:
    for number in range(6):
        story = " ".join(f"Thing {number}.{part} is so." for part in range(60))
        store.observations.add("c-1", title=f"Story {number}", narrative=story, project="atlas")
    given = compose(store.db, "atlas")
    assert 1_300 < given.tokens <= 1_500


def test_mem_is_called_by_its_path_where_the_agent_does_not_find_it(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.observations.add("c-1", title="A lesson", project="atlas")
    found, own = tmp_path / "found", tmp_path / "my tools"
    for folder in (found, own):
        folder.mkdir()
        (folder / "mem").write_text("")
        (folder / "mem").chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(own / "python"))
    monkeypatch.setenv("PATH", os.pathsep.join(("/nowhere", str(found))))
    assert mem_command() == "mem"
    assert "`mem search --for-agent WORDS`" in told(store)
    monkeypatch.setenv("PATH", "/nowhere")
    assert mem_command() == f"'{own}/mem'"
    assert f"`'{own}/mem' search --for-agent WORDS`" in told(store)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    assert mem_command() == "mem"


def test_a_session_that_was_only_told_to_go_on_is_named_by_what_came_of_it(store: Store) -> None:
    store.summaries.add("c-1", request="ok, do it", completed="- Added a cache\n- Ran it", project="atlas")
    request = "- Draw the map\n- Then colour it"
    store.summaries.add("c-2", request=request, completed="It hangs in the hall", project="atlas", at=1)
    store.summaries.add("c-3", request="What came of nothing", project="atlas", at=2)
    text = told(store)
    assert "do it" not in text and text.count("Added a cache") == 1
    assert "Draw the map; Then colour it" in text
    assert "came of nothing" not in text


def test_what_leads_to_nothing_that_is_told_is_left_out(store: Store) -> None:
    store.observations.add(
        "c-1", title="The cache is never emptied", type="finding", tool_name="reply", event_id="e-1",
        narrative="The cache is never emptied. It grows by `put`. Here is what it takes:",
        project="atlas",
    )  # fmt: skip
    text = told(store)
    assert "It grows by `put`." in text and "Here is what it takes" not in text


def test_what_tools_did_days_before_the_last_session_is_not_told(store: Store) -> None:
    for number, day in enumerate((1, 8, 8)):
        store.observations.add(
            f"c-{number}", title=f"Edited part_{number}.py", type="change", tool_name="Edit",
            files_modified=[f"part_{number}.py"], event_id=f"e-{number}", project="atlas",
            at=(day * 24 + number) * HOUR,
        )  # fmt: skip
    text = told(store)
    assert "part_2.py" in text and "part_1.py" in text and "part_0.py" not in text


def test_a_lead_whose_items_were_told_is_no_memory(store: Store) -> None:
    store.summaries.add("c-1", request="修超时", next_steps="- 压测一小时\n- 加告警", project="atlas")
    store.observations.add(
        "c-1", title="压测一小时", type="finding", tool_name="reply", event_id="e-1",
        narrative="接下来:\n- 压测一小时\n- 加告警", project="atlas",
    )  # fmt: skip
    assert "接下来" not in told(store) and "## Found" not in told(store)
