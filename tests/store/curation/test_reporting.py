"""What agents and people report of memories: kept for whoever curates, undone, purged and exported with
them."""

import pytest

from memtui.store import Store
from memtui.store.platform.errors import InvalidRecordError


@pytest.fixture
def reported(store: Store) -> Store:
    """Three memories, of which an agent reported one as wrong and a person another as useful."""
    for title in ("Clock drift broke logins", "A queue for mails", "Retries with a jitter"):
        store.observations.add("c-1", title=title, project="atlas")
    store.reporting.report(store.record("1"), "wrong", "It was a proxy", "codex")
    store.reporting.report(store.record("2"), "useful")
    return store


def found(store: Store, query: str) -> set[str]:
    return {hit.row.ref for hit in store.find(query).page().hits}


def test_filters_find_what_was_reported(reported: Store) -> None:
    assert found(reported, "is:reported") == {"1", "2"}
    assert found(reported, "is:wrong") == {"1"} == found(reported, "is:有误")
    assert found(reported, "is:reported -is:wrong") == {"2"}
    assert found(reported, "-is:reported") == {"3"}
    assert found(reported, "drift is:wrong") == {"1"} and not found(reported, "queue is:wrong")


def test_it_says_who_said_so_and_why(reported: Store) -> None:
    (one,) = reported.reporting.of(reported.record("1"))
    assert (one.verdict, one.reason, one.by) == ("wrong", "It was a proxy", "codex")
    assert reported.reporting.of(reported.record("2"))[0].by == "a person"
    assert reported.reporting.of(reported.record("3")) == []


def test_who_reports_again_replaces_what_it_said_and_others_stay(reported: Store) -> None:
    record = reported.record("1")
    reported.reporting.report(record, "useful", "", "codex")
    reported.reporting.report(record, "wrong", "", "gemini")
    assert {(one.agent, one.verdict) for one in reported.reporting.of(record)} == {
        ("codex", "useful"), ("gemini", "wrong"),
    }  # fmt: skip


def test_undo_takes_a_report_back_and_redo_makes_it_again(reported: Store) -> None:
    assert reported.undo() is not None
    assert found(reported, "is:reported") == {"1"}
    assert reported.redo() is not None
    assert found(reported, "is:reported") == {"1", "2"}
    assert reported.changes()[0].what == "observation 2 reported as useful"


def test_settled_reports_are_cleared(reported: Store) -> None:
    assert reported.reporting.clear(reported.record("1")) == 1
    assert found(reported, "is:reported") == {"2"}


def test_reports_of_what_is_hidden_show_in_no_list(reported: Store) -> None:
    reported.observations.set_private(reported.observations.get(1))
    reported.observations.delete(reported.observations.get(2))
    assert found(reported, "is:reported") == set()
    assert found(reported, "is:reported is:private") == {"1"}


def test_a_reason_is_stored_without_secrets(store: Store) -> None:
    store.observations.add("c-1", title="Deploys")
    key = "sk-ant-api03-" + "aB3" * 31 + "AA"
    store.reporting.report(store.record("1"), "wrong", f"the key is {key} <private>mine</private>")
    (one,) = store.reporting.of(store.record("1"))
    assert key not in one.reason and "mine" not in one.reason


@pytest.mark.parametrize("kind", ["note", "deleted", "long"])
def test_what_can_not_be_reported_says_why(store: Store, kind: str) -> None:
    added = store.observations.add("c-1", title="Deploys")
    if kind == "note":
        with pytest.raises(InvalidRecordError, match="can't be reported"):
            store.reporting.report(store.notes.upsert("N.md", "x"), "wrong")
    elif kind == "deleted":
        store.observations.delete(added)
        with pytest.raises(InvalidRecordError, match="deleted already"):
            store.reporting.report(store.observations.get(added.id), "wrong")
    else:
        with pytest.raises(InvalidRecordError, match="at most 2,000"):
            store.reporting.report(added, "wrong", "x " * 2_000)
