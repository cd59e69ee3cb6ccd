"""What a session was given at its start, rebuilt, beside what it would be given now."""

from pathlib import Path

import pytest

from memtui.store import NotFoundError, Store
from memtui.store.context.block import compose
from memtui.store.context.log import append_log_entry
from memtui.store.context.log_entries import start_entry
from memtui.store.context.scope import Profile, save_profile
from memtui.store.curation.word_diff import line_diff
from memtui.store.maintain.past import ThenAndNow, then_and_now
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.clock import now_ms
from memtui.store.tables.removal.purge_selection import Selection

from .test_past import tick


def give(store: Store, session: str = "c-9", occasion: str = "startup") -> str:
    """Give a session of atlas its context, as its hook does; the text."""
    with store.transaction():
        given = compose(store.db, "atlas")
    append_log_entry(store.db, "codex", session, "atlas", given, occasion)
    tick()
    return given.text


def compared(store: Store, session: str = "c-9") -> ThenAndNow:
    return then_and_now(store, start_entry(store, session))


def without_tag(text: str) -> list[str]:
    return text.split("\n")[1:-1]


@pytest.fixture
def atlas(store: Store) -> Store:
    at = now_ms()
    for number in range(1, 6):
        # All of one moment, as those of a quick machine may be.
        store.observations.add(
            "c-1", title=f"Lesson {number}", narrative="The clock drifts.", project="atlas", at=at
        )
    store.facts.add("Times are UTC", project="atlas")
    tick()
    return store


def test_the_text_of_then_is_rebuilt_whatever_was_done_since(atlas: Store) -> None:
    given = give(atlas)
    atlas.edit("1", {"title": "Another lesson"})
    atlas.observations.delete(2)
    atlas.observations.pin(3)
    atlas.observations.add("c-2", title="Newest", narrative="Told later.", project="atlas")
    with atlas.change("project renamed"):
        atlas.notes.upsert("MEMORY.md", "A rule", project="atlas")
    found = compared(atlas)
    assert without_tag(found.then.text) == without_tag(given)
    assert found.is_exact and found.notes == ()
    assert "Newest" in found.now.text and "Newest" not in found.then.text
    assert "2" in found.then.refs and "2" not in found.now.refs


def test_the_profile_is_that_of_then(atlas: Store) -> None:
    save_profile(atlas, "atlas", Profile(first=["4"], left_out=["5"]))
    tick()
    given = give(atlas)
    save_profile(atlas, "atlas", Profile(budget=200))
    found = compared(atlas)
    assert without_tag(found.then.text) == without_tag(given)
    assert found.is_exact


def test_what_was_purged_is_not_rebuilt_and_that_is_said(atlas: Store) -> None:
    give(atlas)
    purge_for_good(atlas, Selection({"observations": (2,)}))
    found = compared(atlas)
    assert not found.is_exact
    assert found.notes[0].startswith("Not exact: ")
    assert "Missing: 1 memory purged since." in found.notes


def test_what_the_log_names_and_is_gone_is_named(atlas: Store) -> None:
    give(atlas)
    atlas.db.execute("DELETE FROM observations WHERE id = 2")
    assert "Missing: 2." in compared(atlas).notes[0]


def test_a_session_is_compared_at_its_first_start(atlas: Store) -> None:
    given = give(atlas)
    atlas.observations.add("c-2", title="Newest", narrative="Told later.", project="atlas")
    tick()
    give(atlas, occasion="clear")
    give(atlas, occasion="prompt")
    assert without_tag(compared(atlas).then.text) == without_tag(given)


def test_a_resumed_session_is_compared_by_what_it_held_already(atlas: Store) -> None:
    atlas.sessions.start("c-9", agent="codex", project="atlas")
    atlas.observations.add("c-9", title="Its own", agent="codex", project="atlas")
    tick()
    give(atlas, occasion="resume")
    found = compared(atlas)
    assert "Its own" not in found.then.text + found.now.text
    assert "Lesson 1" in found.then.text and "Lesson 1" in found.now.text


def test_a_session_that_was_given_nothing_is_told(atlas: Store) -> None:
    with pytest.raises(NotFoundError, match="c-9 was given at its start"):
        start_entry(atlas, "c-9")


def test_the_memory_itself_stays_as_it_is(atlas: Store) -> None:
    give(atlas)
    before = Path(atlas.path).read_bytes(), sorted(atlas.path.parent.iterdir())
    compared(atlas)
    assert (Path(atlas.path).read_bytes(), sorted(atlas.path.parent.iterdir())) == before


def test_lines_of_the_same_memory_are_compared_word_by_word() -> None:
    before = "head\n- 1 old words\n- 2 goes\nsame"
    after = "head\n- 1 new words\n- 3 comes\nsame"
    assert line_diff(before, after) == [
        ("same", [("same", "head")]),
        ("removed", [("removed", "- 2 goes")]),
        ("changed", [("same", "- 1 "), ("removed", "old"), ("added", "new"), ("same", " words")]),
        ("added", [("added", "- 3 comes")]),
        ("same", [("same", "same")]),
    ]
    assert line_diff("", "a") == [("added", [("added", "a")])]
