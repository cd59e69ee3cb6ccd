"""What is not worth remembering, as capture meets it: the row stays, and tells nothing."""

from dataclasses import replace

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.records.events import Event, ToolUse
from memtui.store.records.kinds import NOISE
from memtui.store.records.rows import Observation

AT = 1_770_000_000_000
ROOT = "/home/dev/atlas"


def used(key: str, name: str, given: object, response: object = "ok") -> Event:
    return Event(
        kind="tool", agent="claude-code", session="c-1", at=AT, key=key, shared=True, cwd=ROOT,
        tool=ToolUse(name, given, response),
    )  # fmt: skip


def read(key: str, path: str = "a.py", response: object = "import os") -> Event:
    return used(key, "Read", {"file_path": f"{ROOT}/{path}"}, response)


def types(store: Store) -> list[str]:
    return [one.type for one in told(store)]


def told(store: Store) -> list[Observation]:
    return store.observations.where("TRUE ORDER BY id")


def test_noise_is_a_row_that_no_observer_is_asked_about(store: Store) -> None:
    ingest_event(store, used("1", "Bash", {"command": "ls"}, {"stdout": "plans.md"}), "hook")
    ingest_event(store, used("2", "TodoWrite", {"todos": []}), "hook")
    ingest_event(store, used("3", "Bash", {"command": "make build"}), "hook")
    assert types(store) == [NOISE, NOISE, "discovery"]
    assert [message.event_id for message in store.pending.list()] == ["claude-code:c-1:tool:3"]
    assert store.find("plans.md").page().hits == []
    assert [one.title for one in told(store)][2:] == ["Ran make build"]


def test_noise_is_told_once_too(store: Store) -> None:
    listing = used("1", "Bash", {"command": "ls"})
    assert ingest_event(store, listing, "hook")
    assert not ingest_event(store, listing, "transcript")
    assert types(store) == [NOISE]


def test_a_filter_leaves_noise_out(store: Store) -> None:
    ingest_event(store, used("1", "Bash", {"command": "ls atlas"}), "hook")
    ingest_event(store, used("2", "Bash", {"command": "make atlas"}), "hook")
    assert [hit.row.title for hit in store.find("atlas -type:noise").page().hits] == ["Ran make atlas: ok"]


def test_to_read_a_file_again_is_no_news_in_its_session(store: Store) -> None:
    for key in ("1", "2"):
        ingest_event(store, read(key), "hook")
    ingest_event(store, replace(read("1"), session="c-2"), "hook")
    assert types(store) == ["discovery", NOISE, "discovery"]


def test_to_read_what_was_just_written_is_no_news(store: Store) -> None:
    ingest_event(store, used("1", "Write", {"file_path": f"{ROOT}/a.py", "content": "x = 1"}), "hook")
    ingest_event(store, read("2"), "hook")
    ingest_event(store, read("3", "b.py"), "hook")
    assert types(store) == ["change", NOISE, "discovery"]


def test_a_read_that_failed_makes_nothing_known(store: Store) -> None:
    failed = read("1")
    assert failed.tool
    ingest_event(store, replace(failed, tool=replace(failed.tool, failed=True)), "hook")
    ingest_event(store, read("2"), "hook")
    assert types(store) == ["error", "discovery"]


@pytest.mark.parametrize("response", ["import os", {"content": "import os"}])
def test_the_end_of_a_read_is_no_second_read(store: Store, response: object) -> None:
    ingest_event(store, read("1", response=None), "transcript")
    assert ingest_event(store, read("1", response=response), "transcript")
    (one,) = told(store)
    assert (one.type, one.title) == ("discovery", "Read a.py")
    assert one.narrative == "import os"


def test_what_turns_out_to_be_noise_becomes_it(store: Store) -> None:
    given = {"file_path": f"{ROOT}/a.py", "old_string": "a", "new_string": "b"}
    ingest_event(store, used("1", "Edit", given, None), "transcript")
    answer = {"is_error": True, "content": "File has not been read yet. Read it first."}
    assert ingest_event(store, used("1", "Edit", given, answer), "transcript")
    (one,) = told(store)
    assert one.type == NOISE
    assert one.files_modified == ()
