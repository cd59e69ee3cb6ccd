"""The numbers that the store keeps are those that counting gives, for every question they answer."""

from collections import Counter
from contextlib import closing

import apsw
import pytest

from memtui.store import Store
from memtui.store.leaves.statistics import counts
from memtui.store.platform.clock import now_ms
from memtui.store.records.rows import FACT_KINDS, FactKind
from memtui.store.search.index.documents import counted, number_after, number_between, skipped
from memtui.store.search.query.filters import where

HOUR = 3_600_000
NOW = 1_771_400_000_000
BOUNDS = (None, NOW - 400 * HOUR, NOW - 31 * HOUR + 7, NOW - HOUR, NOW - 5, NOW, NOW + 1, 1 << 62)
QUERIES = (
    *("", "project:atlas", "project:ATLAS", "type:bugfix", "kind:fact", "kind:observation,prompt"),
    *("agent:codex", "agent:Cursor", "-agent:codex", "-project:atlas type:note", "project:none"),
    *("since:2026-02-01 project:orders", "until:2026-02-10", "kind:summary agent:codex"),
    *("is:pinned", "concept:clock", "project:atlas concept:clock"),
)


@pytest.fixture
def spread(store: Store) -> Store:
    """Memories of three sessions over a month, one long before 1970, and one of the future."""
    with store.transaction():
        for number, (agent, project) in enumerate(
            (("codex", "atlas"), ("cursor", "orders"), ("", "atlas"))
        ):
            session = store.sessions.start(f"c-{number}", agent=agent, project=project, at=NOW)
            for step in range(40):
                at = NOW - step * step * HOUR // (number + 1)
                type = ("bugfix", "note", "change")[step % 3]
                store.observations.add(
                    session, title=f"{step}", type=type, concepts=["clock"] * (step % 2), at=at
                )
            store.prompts.add(session, "why", at=NOW - HOUR)
            store.summaries.add(session, request="stop", at=NOW - 5)
        kinds: tuple[FactKind, ...] = ("W", "W", "B", "O", "S")
        for number, kind in enumerate(kinds):
            store.facts.add(f"fact {number}", kind=kind, project=("", "atlas")[number % 2], at=NOW)
        store.observations.add("c-0", title="old", at=-(1 << 40))
        store.observations.add("c-0", title="late", at=1 << 50)
        store.observations.set_private(store.observations.get(3))
        store.observations.delete(store.observations.get(4))
    return store


@pytest.mark.parametrize("since", BOUNDS)
@pytest.mark.parametrize("until", BOUNDS)
@pytest.mark.sampled
def test_a_range_of_time_has_as_many_as_there_are(
    spread: Store, since: int | None, until: int | None
) -> None:
    held = Counter[object]()
    for *values, at in spread.db.execute(
        "SELECT project, kind, type, agent, created_at FROM counted_documents"
    ):
        if (since is None or at >= since) and (until is None or at < until):
            held[tuple(values)] += 1
    found = Counter[object]()
    for *values, number in spread.db.execute(f"SELECT * FROM {counted(since, until)}"):
        found[tuple(values)] += int(number)
    assert +found == held
    if since is not None and until is not None:
        assert number_between(spread.db, since, until) == held.total()


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.sampled
def test_a_list_has_as_many_rows_as_it_says(spread: Store, query: str) -> None:
    rows = spread.find(query).rows(0, 1_000)
    assert spread.find(query).count().value == len(rows)
    facets = spread.find(query).facets().counts
    for name in ("project", "type", "kind", "agent"):
        held = Counter(getattr(row, name) for row in rows)
        assert dict(facets[name]) == held, name


def test_numbers_are_kept_of_what_they_are_kept_by(spread: Store) -> None:
    kept = {query for query in QUERIES if where(spread.db, spread.parse(query)).numbers}
    assert kept == {*QUERIES[:14]}


@pytest.mark.parametrize("few", [1, 1_000])
def test_every_page_and_position_is_that_of_the_whole_list(
    spread: Store, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("memtui.store.search.index.documents.FEW", few)
    late = spread.observations.get(spread.find("").rows(0, 1_000)[-1].record_id)
    for _ in range(2):
        rows = spread.find("").rows(0, 1_000)
        for start in range(len(rows) + 1):
            assert spread.find("").rows(start, 5) == rows[start : start + 5]
        assert [spread.find("").position(row) for row in rows] == [*range(len(rows))]
        # Then without what lies ahead, which comes last and is counted row by row.
        spread.observations.delete(late)
    assert late.created_at > now_ms()


def test_what_is_skipped_ends_where_a_span_does(spread: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("memtui.store.search.index.documents.FEW", 1)
    total = int(spread.db.execute("SELECT count(*) FROM documents").get)
    for number in range(total + 3):
        at, left = skipped(spread.db, number)
        after = 0 if at is None else number_after(spread.db, at, -(1 << 63))
        assert after + left == number


def test_facts_are_counted_by_kind_and_project(spread: Store) -> None:
    for kind in (None, *FACT_KINDS):
        for project in (None, "", "atlas", "orders"):
            listed = spread.facts.list(kind, project)
            assert spread.facts.count(kind, project) == len(listed)
    fact = spread.facts.list("W")[0]
    spread.facts.set_private(fact)
    assert spread.facts.count("W") == 1
    spread.facts.delete(fact)
    assert spread.facts.count("W") == 1


def test_messages_are_counted_by_state(store: Store) -> None:
    session = store.sessions.start("c-1")
    for _ in range(3):
        store.pending.add(session, "observation", tool_name="Bash")
    (message, *_) = store.pending.claim("me", 1)
    assert store.pending.counts() == {"pending": 2, "processing": 1}
    store.pending.confirm([message])
    assert store.pending.counts() == {"pending": 2, "processed": 1}


@pytest.mark.parametrize("range", counts.RANGES)
@pytest.mark.parametrize("project", [None, "atlas"])
@pytest.mark.sampled
def test_a_period_divides_into_what_it_has(
    spread: Store, range: counts.RangeName, project: str | None
) -> None:
    period = counts.period_of(spread.db, range, NOW, project)
    rows = [
        row
        for row in spread.find("" if project is None else f"project:{project}").rows(0, 1_000)
        if period.since <= row.created_at < period.until
    ]
    assert sum(counts.memories_by_day(spread.db, period, project)) == len(rows)
    divided = counts.divisions(spread.db, period, project)
    for name in ("type", "agent"):
        bars = divided[name].bars
        assert {bar.value: bar.memories for bar in bars} == Counter(
            row.kind if name == "type" and row.kind != "observation" else getattr(row, name) for row in rows
        )
        assert all(sum(bar.by_step) == bar.memories for bar in bars)


def test_a_name_goes_with_the_last_that_has_it(store: Store) -> None:
    session = store.sessions.start("c-1", agent="codex", project="canary")
    observation = store.observations.add(session, title="one", type="canary")
    fact = store.facts.add("one", project="canary")
    store.observations.set_private(observation)
    store.facts.delete(fact)
    for table in ("document_counts", "span_counts", "value_counts", "token_counts", "fact_counts"):
        assert not store.db.execute(f"SELECT count(*) FROM {table}").get, table


def test_an_index_that_is_damaged_is_told_and_made_anew(spread: Store) -> None:
    spread.db.execute("UPDATE document_counts SET number = number + 1 WHERE kind = 'o'")
    (wrong,) = [check for check in spread.doctor().checks if not check.ok]
    assert wrong.name == "counts"
    spread.rebuild()
    assert spread.doctor().ok


def test_a_session_may_be_stored_after_what_it_holds(store: Store) -> None:
    session = store.sessions.start("c-1", agent="codex", project="atlas")
    store.observations.add(session, title="one")
    with closing(apsw.Connection(str(store.path))) as other:
        other.pragma("foreign_keys", False)
        row = other.execute("SELECT * FROM sessions").fetchone()
        assert row is not None
        other.execute("DELETE FROM sessions")
        assert dict(store.find("").facets().counts["agent"]) == {"": 1}
        other.execute(f"INSERT INTO sessions VALUES ({', '.join('?' * len(row))})", row)
    assert dict(store.find("").facets().counts["agent"]) == {"codex": 1}
    assert store.doctor().ok
