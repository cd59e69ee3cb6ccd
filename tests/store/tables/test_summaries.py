"""A session may have many summaries; the latest visible one counts."""

import pytest

from memtui.store import InvalidRecordError, Store


def test_a_summary_keeps_all_it_was_given(store: Store) -> None:
    added = store.summaries.add(
        "c-1",
        level="brief",
        request="fix the refresh",
        investigated="the clock",
        learned="drift",
        completed="fixed",
        next_steps="deploy",
        notes="careful",
        text="all",
        files_read=["a.py"],
        files_edited=["b.py"],
        project="atlas",
        prompt_number=2,
        discovery_tokens=900,
        at=1_000,
    )
    assert store.summaries.get("s1") == store.summaries.get(1) == added
    assert (added.level, added.next_steps, added.files_edited) == ("brief", "deploy", ("b.py",))
    assert store.sessions.get("c-1").project == "atlas"


def test_a_summary_is_brief_or_detailed(store: Store) -> None:
    with pytest.raises(InvalidRecordError, match="brief or detailed"):
        store.summaries.add("c-1", level="long")  # type: ignore[arg-type]
    assert store.sessions.count() == 0


def test_the_latest_is_the_newest_visible_of_the_project(store: Store) -> None:
    assert store.summaries.latest() is None
    old = store.summaries.add("c-1", request="old", project="atlas", at=1_000)
    new = store.summaries.add("c-1", request="new", project="atlas", at=3_000)
    other = store.summaries.add("c-2", request="other", project="orders", at=2_000)
    assert store.summaries.latest() == new
    assert store.summaries.latest("orders") == other
    store.summaries.set_private(new)
    assert store.summaries.latest("atlas") == old
    assert store.summaries.latest("nothing") is None


def test_a_session_may_have_many_in_time_order(store: Store) -> None:
    late = store.summaries.add("c-1", request="late", at=2_000)
    early = store.summaries.add("c-1", request="early", at=1_000)
    assert store.summaries.of_session(store.sessions.get("c-1")) == [early, late]
