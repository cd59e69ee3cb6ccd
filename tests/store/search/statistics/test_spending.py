"""Spending: tokens by model, project, session and day, as transcripts tell them, and what they cost."""

import pytest

from memtui.store import Store
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.config.prices import Price, Prices
from memtui.store.leaves.statistics.counts import period_of
from memtui.store.leaves.statistics.spending import cost, costs, spending
from memtui.store.records.events import Event, Usage

NOW = 1_771_300_000_000
DAY = 86_400_000
PRICES = Prices("2026-01-01", {"large": Price(10, 50, 1, 10, 20), "small": Price(1, 5, 0.1, 1, 2)})


def answer(session: str, key: str, model: str, at: int, *tokens: int) -> Event:
    return Event(
        kind="usage", agent="codex", session=session, key=key, at=at, model=model,
        usage=Usage(*tokens), cwd="/w/atlas",
    )  # fmt: skip


@pytest.fixture
def spent(store: Store) -> Store:
    """Two sessions and three models, one of them without a price; on two days."""
    for session, project in (("s-1", "atlas"), ("s-2", "orders")):
        store.sessions.start(session, agent="codex", project=project, at=NOW - 3 * DAY)
    for event in (
        answer("s-1", "a", "large", NOW, 100_000, 10_000, 1_000_000, 0),
        answer("s-1", "b", "small", NOW - DAY, 1_000_000, 0, 0, 0),
        answer("s-2", "c", "mine", NOW, 7, 3, 0, 0),
    ):
        ingest_event(store, event, "transcript", at=NOW)
    return store


def test_tokens_are_told_by_model_project_session_and_day(spent: Store) -> None:
    period = period_of(spent.db, "30d", NOW)
    found = spending(spent.db, period)
    by_model = {item.value: item for item in costs(found, PRICES, "model")}
    assert list(by_model) == ["large", "small", "mine"]
    assert by_model["large"].dollars == pytest.approx(1 + 0.5 + 1)
    assert by_model["large"].usage == Usage(100_000, 10_000, 1_000_000, 0)
    assert by_model["mine"].dollars == 0 and by_model["mine"].unpriced == 10
    assert [item.value for item in costs(found, PRICES, "project")] == ["atlas", "orders"]
    assert [item.value for item in costs(found, PRICES, "session")] == ["@1", "@2"]
    days = {item.day for item in found}
    assert len(days) == 2 and max(days) == period.days - 1
    assert cost(found, PRICES).dollars == pytest.approx(3.5)


def test_an_answer_told_again_counts_once_and_one_project_alone_is_counted(spent: Store) -> None:
    again = answer("s-1", "a", "large", NOW, 100_000, 10_000, 1_000_000, 0)
    ingest_event(spent, again, "transcript", at=NOW)
    period = period_of(spent.db, "30d", NOW)
    assert cost(spending(spent.db, period, "atlas"), PRICES).dollars == pytest.approx(3.5)
    assert cost(spending(spent.db, period, "orders"), PRICES).tokens == 10


def test_hidden_sessions_count_nowhere(spent: Store) -> None:
    spent.sessions.set_private(spent.sessions.get("s-1"))
    period = period_of(spent.db, "30d", NOW)
    assert {item.project for item in spending(spent.db, period)} == {"orders"}


def test_what_was_stored_before_models_were_known_is_of_its_sessions_day(spent: Store) -> None:
    spent.db.execute("UPDATE token_usage SET model = '', at = NULL")
    period = period_of(spent.db, "30d", NOW)
    found = spending(spent.db, period)
    assert {item.day for item in found} == {period.days - 4}
    assert cost(found, PRICES).unpriced == cost(found, PRICES).tokens


def test_what_is_kept_for_an_hour_is_summed_with_what_is_written_and_priced_apart(store: Store) -> None:
    ingest_event(store, answer("s-1", "a", "large", NOW, 0, 0, 0, 500_000), "transcript", at=NOW)
    for hour in (0, 300_000):
        # The same answer again, as a version before this one stored it, and as it is told now.
        event = answer("s-1", "b", "large", NOW, 0, 0, 0, 500_000, hour)
        ingest_event(store, event, "transcript", at=NOW)
        whole = cost(spending(store.db, period_of(store.db, "30d", NOW)), PRICES)
        assert whole.usage == Usage(0, 0, 0, 1_000_000, hour)
        assert whole.dollars == pytest.approx(10 + hour * 10 / 1e6)
    assert store.sessions.usage("s-1").cache_written == 1_000_000
