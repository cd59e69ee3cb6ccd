"""What Codex's hooks can't tell, its rollout does: the row that stands is corrected."""

from typing import Any

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import Event, ToolUse

OUTPUT = "Looking for tomli-w\nnetwork unreachable"


def tool_event(command: str, response: Any, **told: Any) -> Event:
    tool = ToolUse("shell", {"command": command}, response, **told)
    return Event(kind="tool", agent="codex", session="s", at=5_000, key="c1", shared=True, tool=tool)


def only_row(store: Store) -> Any:
    (row,) = store.observations.where("deleted_at IS NULL")
    return row


def test_a_failure_that_the_rollout_tells_corrects_the_row(store: Store) -> None:
    hook = tool_event("pip install tomli-w==99.9", OUTPUT)
    assert ingest_event(store, hook, "hook")
    assert only_row(store).title == "Ran pip install tomli-w==99.9"
    told = tool_event("pip install tomli-w==99.9", OUTPUT, failed=True, exit_code=1)
    assert not ingest_event(store, told, "transcript")
    row = only_row(store)
    assert (row.type, row.title) == ("error", "Failed to install tomli-w==99.9 (network unreachable)")
    assert "exit code 1" in row.facts


def test_a_success_that_the_rollout_tells_is_one(store: Store) -> None:
    ingest_event(store, tool_event("pip install -q tomli-w", ""), "hook")
    assert only_row(store).title == "Ran pip install -q tomli-w"
    ingest_event(store, tool_event("pip install -q tomli-w", "", exit_code=0), "transcript")
    assert only_row(store).title == "Installed tomli-w"


def test_what_a_user_wrote_stays(store: Store) -> None:
    ingest_event(store, tool_event("pip install tomli-w", OUTPUT), "hook")
    store.edit(str(only_row(store).id), {"title": "my own words"})
    told = tool_event("pip install tomli-w", OUTPUT, failed=True, exit_code=1)
    ingest_event(store, told, "transcript")
    assert only_row(store).title == "my own words"
