"""A session is started once, found by any of its names, ended, linked and counted."""

import pytest

from memtui.store import InvalidRecordError, NotFoundError, Store
from memtui.store.platform.clock import now_ms
from memtui.store.records.rows import QUIET_MS


def test_starting_a_session_again_gives_the_same_one(store: Store) -> None:
    first = store.sessions.start("c-1", agent="claude-code", project="atlas", at=1_000)
    again = store.sessions.start("c-1", agent="claude-code", project="other", at=9_000)
    assert again == first
    assert store.sessions.count() == 1


def test_starting_again_fills_in_what_was_unknown(store: Store) -> None:
    store.sessions.start("c-1", agent="codex")
    filled = store.sessions.start("c-1", agent="codex", project="atlas", title="Refresh")
    assert (filled.project, filled.title) == ("atlas", "Refresh")


def test_two_agents_may_use_the_same_content_id(store: Store) -> None:
    one = store.sessions.start("same", agent="codex")
    other = store.sessions.start("same", agent="gemini")
    assert one.id != other.id


def test_without_an_id_it_is_the_projects_manual_session(store: Store) -> None:
    assert store.sessions.start(project="atlas").content_session_id == "manual-atlas"
    assert store.sessions.start().content_session_id == "manual-notes"


def test_the_memory_id_is_unknown_until_it_is_linked_and_may_change(store: Store) -> None:
    session = store.sessions.start("c-1")
    assert session.memory_session_id is None
    assert store.sessions.link(session, "m-1").memory_session_id == "m-1"
    assert store.sessions.link("c-1", "m-2").memory_session_id == "m-2"
    assert store.sessions.get("m-2").id == session.id


def test_a_memory_id_belongs_to_one_session_only(store: Store) -> None:
    store.sessions.link(store.sessions.start("c-1"), "m-1")
    other = store.sessions.start("c-2")
    with pytest.raises(InvalidRecordError, match="belongs to session @1"):
        store.sessions.link(other, "m-1")
    assert store.sessions.get(other.id).memory_session_id is None


def test_a_session_ends_completed_or_failed(store: Store) -> None:
    session = store.sessions.start("c-1", at=1_000)
    assert session.status == "active"
    ended = store.sessions.end(session, at=5_000)
    assert (ended.status, ended.completed_at) == ("completed", 5_000)
    assert store.sessions.end("c-1", status="failed").status == "failed"
    with pytest.raises(InvalidRecordError, match="completed or failed"):
        store.sessions.end(session, status="active")


@pytest.mark.parametrize("ref", [1, "@1", "c-123456", "m-1", "c-12"])
def test_a_session_is_found_by_any_of_its_names(store: Store, ref: int | str) -> None:
    session = store.sessions.link(store.sessions.start("c-123456"), "m-1")
    assert store.sessions.get(ref) == session
    assert store.sessions.get(session.uid) == session


def test_a_content_id_of_digits_is_not_taken_for_a_number(store: Store) -> None:
    store.sessions.start("first")
    digits = store.sessions.start("1")
    assert store.sessions.get("1") == digits
    assert store.sessions.get("@1").content_session_id == "first"
    assert store.sessions.get(1).content_session_id == "first"
    assert store.sessions.get("2") == digits


def test_the_start_of_an_id_has_to_tell_which(store: Store) -> None:
    store.sessions.start("abcd-1")
    store.sessions.start("abcd-2")
    with pytest.raises(NotFoundError, match="Several sessions begin with abcd"):
        store.sessions.get("abcd")
    with pytest.raises(NotFoundError):
        store.sessions.get("abc")


@pytest.mark.parametrize("ref", [7, "@7", "nobody", "", "@", "@x", "9" * 40, "a\0b", "\ud800"])
def test_an_unknown_session_is_not_found(store: Store, ref: int | str) -> None:
    with pytest.raises(NotFoundError):
        store.sessions.get(ref)


def test_an_unknown_sessions_counts_are_not_found(store: Store) -> None:
    with pytest.raises(NotFoundError):
        store.sessions.row(7)


def test_an_id_with_a_lone_surrogate_still_names_one_session(store: Store) -> None:
    first = store.sessions.start("c-\ud83d")
    assert store.sessions.start("c-\ud83d") == first
    assert store.sessions.get("c-\ud83d") == first


def test_an_id_that_begins_with_an_at_sign_is_made_when_unknown(store: Store) -> None:
    added = store.observations.add("@home", title="t")
    assert store.sessions.get(added.session_id).content_session_id == "@home"


def test_lists_show_counts_and_the_last_summary(store: Store) -> None:
    session = store.sessions.start("c-1", project="atlas", at=1_000)
    store.prompts.add(session, "why?", at=2_000)
    store.observations.add(session, title="one", at=3_000)
    store.observations.add(session, title="two", at=4_000)
    store.observations.add(session, title="secret", private=True, at=90_000)
    store.summaries.add(session, completed="early", at=5_000)
    store.summaries.add(session, completed="\nLate line\nand more", at=6_000)
    store.summaries.add(session, completed="hidden", private=True, at=7_000)
    (row,) = store.sessions.list()
    assert (row.prompts, row.observations, row.summaries) == (1, 2, 2)
    assert row.summary_line == "Late line"
    assert row.last_at == 6_000
    assert row == store.sessions.row(session)


def test_lists_are_newest_first_narrowed_and_paged(store: Store) -> None:
    for number in range(5):
        project = "atlas" if number % 2 else "orders"
        store.sessions.start(f"c-{number}", agent="codex", project=project, at=1_000 + number)
    listed = [row.session.content_session_id for row in store.sessions.list()]
    assert listed == ["c-4", "c-3", "c-2", "c-1", "c-0"]
    assert [row.session.id for row in store.sessions.list(limit=2, offset=2)] == [3, 2]
    assert store.sessions.count(project="atlas") == len(store.sessions.list(project="atlas")) == 2
    assert store.sessions.count(agent="gemini") == 0


def test_hidden_sessions_are_not_listed(store: Store) -> None:
    private, deleted = store.sessions.start("c-1"), store.sessions.start("c-2")
    store.sessions.set_private(private)
    store.sessions.delete(deleted)
    assert store.sessions.list() == []
    assert store.sessions.count() == 0


def test_a_renamed_project_reaches_the_prompts(store: Store) -> None:
    session = store.sessions.start("c-1")
    store.prompts.add(session, "why does it drift")
    store.sessions.start("c-1", project="atlas")
    assert [hit.row.project for hit in store.find("drift project:atlas").page().hits] == ["atlas"]
    assert store.projects() == [("atlas", 1)]


def test_a_session_that_nobody_ended_goes_on_while_something_comes(store: Store) -> None:
    session = store.sessions.start("c-1", at=1_000_000)
    store.observations.add("c-1", title="x", at=2_000_000)

    def status(now: int) -> str:
        return store.sessions.row(session).status_at(now)

    assert status(2_000_000 + QUIET_MS - 1) == "active"
    assert status(2_000_000 + QUIET_MS) == "ended"
    assert status(2_000_000 - QUIET_MS) == "ended"
    store.sessions.end(session, "failed", at=3_000_000)
    assert status(2_000_000 + 9 * QUIET_MS) == "failed"


def test_what_was_imported_today_is_not_live_for_that(store: Store) -> None:
    long_ago = now_ms() - 40 * 86_400_000
    store.sessions.start("old", agent="codex", project="atlas", at=long_ago)
    store.observations.add("old", title="x", at=long_ago)
    assert store.sessions.live("codex", "atlas") is None
    store.observations.add("old", title="y")
    assert store.sessions.live("codex", "atlas") is not None


def test_sessions_are_found_by_the_words_of_their_titles(store: Store) -> None:
    store.sessions.start("c-1", title="Voucher rounding in the checkout", at=1_000)
    store.sessions.start("c-2", title="100% done_ok", at=2_000)

    def titled(*words: str) -> list[str]:
        return [one.content_session_id for one in store.sessions.titled(words)]

    assert titled("checkout", "VOUCHER") == ["c-1"]
    assert titled("voucher", "done") == []
    assert titled("0%") == ["c-2"]
    assert titled("_") == ["c-2"]
    assert titled() == []
