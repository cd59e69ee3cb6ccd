"""Brief and detailed are two levels of one summary: listed and found once, and one when it goes."""

from pathlib import Path

import pytest

from memtui.store import Action, Store, Summary
from memtui.store.leaves.foreign.database_import import import_database
from memtui.store.maintain.purge import purge
from memtui.store.observe.jobs.job import process
from tests.store.formats.foreign_files import TraeMemFile
from tests.store.observe.turns import FIX, take_turn

REPLY = "Fixed the drift.\n\n## Root cause\nThe zone was read twice.\n\nNext: deploy it to staging"


def observed(store: Store) -> tuple[Summary, Summary]:
    """Both levels of the summary that the rules made of a turn."""
    take_turn(store, FIX, reply=REPLY, at=1_000)
    process(store, None)
    brief, detailed = store.summaries.where("true ORDER BY level")
    return brief, detailed


def pair(store: Store) -> tuple[Summary, Summary]:
    """Both levels, as a person writes them: the brief one says part of the other."""
    return (
        store.summaries.add("c-1", level="brief", completed="fixed", at=1_000),
        store.summaries.add("c-1", request="the clock drifts", completed="It is fixed.", at=1_000),
    )


def refs(store: Store, query: str = "kind:summary") -> list[str]:
    return [row.ref for row in store.find(query).rows(0, 50)]


def test_a_summary_with_two_levels_is_listed_and_found_once(store: Store) -> None:
    _, detailed = observed(store)
    ref = f"s{detailed.id}"
    assert refs(store) == [ref]
    assert [hit.row.ref for hit in store.find("zone kind:summary").page().hits] == [ref]
    assert store.find("kind:summary").count().value == 1
    assert store.sessions.row(store.sessions.get("c-1")).summaries == 1
    around = store.timeline(store.list_row(detailed)).rows
    assert [row.ref for row in around if row.kind == "summary"] == [ref]
    assert store.summaries.latest() == detailed


def test_its_headline_says_what_was_asked_for_and_what_came_of_it(store: Store) -> None:
    _, detailed = observed(store)
    assert store.list_row(detailed).title == "why does the clock drift? → Fixed the drift."
    listed = store.summaries.add("c-2", request="- one\n- two", completed="- All is well\n- more")
    assert store.list_row(listed).title == "one → All is well"
    told = store.summaries.add("c-3", text="## Intent:\n- to migrate the orders\n- and more")
    assert store.list_row(told).title == "Intent: to migrate the orders"


def test_a_brief_level_leads_to_its_summary(store: Store) -> None:
    brief, detailed = observed(store)
    assert store.list_row(brief).record_id == detailed.id
    assert store.summaries.brief_levels(detailed) == [brief]
    assert store.summaries.with_levels(detailed.session_id) == [(detailed, [brief])]


def test_a_brief_summary_alone_is_one(store: Store) -> None:
    brief = store.summaries.add("c-1", level="brief", completed="fixed")
    assert refs(store) == [f"s{brief.id}"]


@pytest.mark.parametrize("reverse", [False, True])
def test_what_a_person_wrote_briefly_is_a_level_only_where_the_other_says_it_too(
    store: Store, reverse: bool
) -> None:
    levels = [("brief", "fixed"), ("detailed", "It is fixed.")]
    for level, completed in reversed(levels) if reverse else levels:
        store.summaries.add("c-1", level=level, completed=completed, at=1_000)  # type: ignore[arg-type]
    assert len(refs(store)) == 1
    other = store.summaries.add("c-1", level="brief", completed="The cursor moved.")
    assert [hit.row.ref for hit in store.find("cursor").page().hits] == [f"s{other.id}"]
    assert len(refs(store)) == 2


def test_a_level_that_is_reworded_is_found_by_its_own_words(store: Store) -> None:
    brief, detailed = pair(store)
    store.summaries.revise(brief.id, completed="zebra")
    assert [hit.row.ref for hit in store.find("zebra").page().hits] == [f"s{brief.id}"]
    store.summaries.revise(detailed.id, completed="It is fixed, zebra or not.")
    assert [hit.row.ref for hit in store.find("zebra").page().hits] == [f"s{detailed.id}"]


def test_both_levels_go_and_come_back_together(store: Store) -> None:
    brief, detailed = observed(store)
    for one in (brief, detailed):
        store.summaries.delete(one)
        assert refs(store) == [] and store.summaries.of_session(detailed.session_id) == []
        store.undo()
        assert refs(store) == [f"s{detailed.id}"]
        store.summaries.set_private(one)
        assert refs(store) == [] and refs(store, "is:private") != []
        store.summaries.set_private(one, False)
        assert refs(store) == [f"s{detailed.id}"]


def test_many_at_once_take_both_levels(store: Store) -> None:
    _, detailed = observed(store)
    store.change_many([f"s{detailed.id}"], Action("delete"))
    assert not store.summaries.of_session(detailed.session_id) and refs(store) == []
    store.undo()
    assert refs(store) == [f"s{detailed.id}"]


def test_a_purge_takes_both_levels(store: Store) -> None:
    _, detailed = observed(store)
    purge(store, "summaries", [detailed.id])
    assert store.summaries.where("true") == []


def test_a_brief_level_stands_for_itself_where_the_other_is_gone(store: Store) -> None:
    brief, detailed = pair(store)
    store.db.execute("DELETE FROM summaries WHERE id = ?", (detailed.id,))
    assert refs(store) == [f"s{brief.id}"]


@pytest.mark.parametrize("many", [3, 40])
def test_what_trae_mem_holds_is_listed_once(store: Store, tmp_path: Path, many: int) -> None:
    (tmp_path / "trae").mkdir()
    file = TraeMemFile(tmp_path / "trae" / "trae_mem.sqlite3")
    for number in range(many):
        session = f"session-{number}"
        file.add("sessions", id=session)
        order = ("brief", "detailed") if number % 2 else ("detailed", "brief")
        for level in order:
            file.summary(
                f"{level}-{number}", f"- goals\n- walrus {number}", session_id=session, level=level
            )
    import_database(store, file.path)
    assert len(store.summaries.where("true")) == 2 * many
    assert store.find("kind:summary").count().value == many
    assert {row.title.split()[0] for row in store.find("kind:summary").rows(0, 50)} == {"goals:"}
    assert len({hit.row.session_id for hit in store.find("walrus").page().hits}) == many
    assert import_database(store, file.path).changes == 0


def test_a_rebuilt_memory_lists_them_once(store: Store) -> None:
    _, detailed = observed(store)
    store.rebuild()
    assert refs(store) == [f"s{detailed.id}"]
