"""Searches by kind and filter, the counts beside them, and the facets of a query."""

import pytest

from memtui.store import Store

T0 = 1_771_400_000_000


@pytest.fixture
def filled(store: Store) -> Store:
    """A project's two sessions and another project's one."""
    for number, project in enumerate(("atlas", "atlas", "orders"), 1):
        session = store.sessions.start(f"c-{number}", agent="codex", project=project, at=T0 + number)
        store.prompts.add(session, f"why does clock {number} drift")
        store.observations.add(
            session,
            title=f"Clock {number} drift",
            type="bugfix" if number == 1 else "note",
            concepts=["time, space"],
            files_modified=[f"src/clock,{number}.py"],
        )
        store.summaries.add(session, request=f"stop drift {number}", completed="done")
    store.facts.add("clocks drift", project="atlas")
    store.observations.add("c-1", title="hidden drift", type="bugfix", private=True)
    return store


@pytest.mark.parametrize("kind", ["observation", "summary", "prompt"])
def test_each_kind_is_searched_by_itself(filled: Store, kind: str) -> None:
    assert [hit.kind for hit in filled.find(f"kind:{kind} drift").page().hits] == [kind] * 3


def test_all_kinds_are_searched_together(filled: Store) -> None:
    kinds = {hit.kind for hit in filled.find("drift").page().hits}
    assert kinds == {"observation", "prompt", "summary", "fact"}
    assert len(filled.find("drift").page(limit=4).hits) == 4


@pytest.mark.parametrize(
    ("query", "refs"),
    [
        ('concept:"time, space"', ["3", "2", "1"]),
        ('concept:"time"', []),
        ('file:"clock,2"', ["2"]),
        ('file:"src/" project:atlas 1', ["1"]),
        ("type:bugfix", ["1"]),
    ],
)
def test_filters_by_concept_file_and_type(filled: Store, query: str, refs: list[str]) -> None:
    assert [hit.row.ref for hit in filled.find(query).page().hits] == refs


def test_facets_count_what_a_query_matches(filled: Store) -> None:
    facets = filled.find("drift").facets().counts
    assert facets["project"] == [("atlas", 7), ("orders", 3)]
    assert facets["type"] == [("prompt", 3), ("summary", 3), ("note", 2), ("bugfix", 1), ("fact", 1)]
    assert facets["agent"] == [("codex", 9), ("", 1)]
    assert dict(facets["kind"]) == {"observation": 3, "prompt": 3, "summary": 3, "fact": 1}
    assert filled.find("").facets().counts == facets
    assert filled.find("drift project:orders kind:prompt").facets().counts["project"] == [("orders", 1)]
    assert not any(filled.find("nowhere").facets().counts.values())


def test_counts_are_exact_and_read_well(filled: Store) -> None:
    assert str(filled.find("drift").count()) == "10"
    assert filled.find("drift is:private").count().value == 1
    assert filled.find("").count().exact


def test_projects_are_those_with_most_first(filled: Store) -> None:
    assert filled.projects() == [("atlas", 7), ("orders", 3)]


def test_stats_tell_what_the_store_holds(filled: Store) -> None:
    filled.notes.upsert("MEMORY.md", "text")
    filled.pending.add("c-1")
    stats = filled.stats()
    assert (stats.observations, stats.prompts, stats.summaries, stats.facts) == (3, 3, 3, 1)
    assert (stats.notes, stats.sessions, stats.pending, stats.hidden) == (1, 3, 1, 1)
    assert stats.projects == 2
    assert stats.bytes > 4_096
    assert stats.first_at is not None
    assert stats.last_at is not None
    assert stats.first_at <= stats.last_at


def test_an_empty_store_answers_everything(store: Store) -> None:
    assert store.find("").page().hits == store.find("x").page().hits == []
    assert store.find("").rows(0, 9) == []
    assert store.stats().first_at is None
    assert store.projects() == []
    assert store.timeline(T0).rows == ()


def test_list_rows_read_as_one_line(store: Store) -> None:
    store.prompts.add("c-1", "\n first line\nsecond line")
    store.observations.add("c-1", title=None, subtitle="", narrative="told\nlonger")
    store.summaries.add("c-1", request="", completed="came to\nthis", discovery_tokens=70)
    store.facts.add("held\ntrue")
    assert {row.ref: row.title for row in store.find("").rows(0, 9)} == {
        "p1": "first line",
        "1": "told",
        "s1": "came to",
        "f1": "held",
    }
    assert [row.tokens for row in store.find("kind:summary").rows(0, 9)] == [70]
