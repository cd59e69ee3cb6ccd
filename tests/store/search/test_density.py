"""How many memories lie between moments: each counted once, in its scope and under its type."""

from collections import Counter
from itertools import pairwise

import pytest

from memtui.store import Store
from memtui.store.records.rows import Scope

HOUR = 3_600_000
NOON = 1_771_329_600_000
TYPES = ("bugfix", "decision", "note", "prompt", "summary", "fact")


@pytest.fixture
def filled(store: Store) -> Store:
    """Memories of every kind and of two projects over ten hours; some of them hidden."""
    with store.transaction():
        for number in range(60):
            project = ("atlas", "infra")[number % 3 == 0]
            session = store.sessions.start(f"s{number % 4}-{project}", project=project, at=NOON)
            at = NOON + number * HOUR // 6
            added = store.observations.add(
                session, title=f"Found {number}", type=(*TYPES[:3], "own")[number % 4], at=at
            )
            if number % 10 == 0:
                store.observations.set_private(added.id)
            if number % 7 == 0:
                store.prompts.add(session, f"Question {number}", at=at)
    return store


@pytest.mark.parametrize("scope", ["session", "project", "all"])
def test_each_memory_of_the_scope_counts_once(filled: Store, scope: Scope) -> None:
    anchor = filled.find("project:atlas").rows(5, 1)[0]
    edges = [NOON + part * HOUR * 3 // 2 for part in range(8)]
    all = filled.timeline(anchor, minutes=60_000, scope=scope, limit=1_000).rows
    wanted = [
        Counter(row.type for row in all if since <= row.created_at < until)
        for since, until in pairwise(edges)
    ]
    assert sum(each.total() for each in wanted) > 5
    assert filled.density(anchor, edges, scope) == [each.total() for each in wanted]
    found = filled.density_by_type(anchor, edges, scope, TYPES)
    assert found == [Counter({one: each[one] for one in TYPES if each[one]}) for each in wanted]


def test_an_anchor_without_a_session_has_nothing_in_its_session(filled: Store) -> None:
    filled.facts.add("One statement that holds", at=NOON)
    anchor = filled.find("kind:fact").rows(0, 1)[0]
    assert filled.density(anchor, [0, NOON * 2], "session") == [0]
    assert filled.density_by_type(anchor, [0, NOON * 2], "session", TYPES) == [Counter()]


def test_equal_edges_hold_nothing(filled: Store) -> None:
    anchor = filled.find("").rows(0, 1)[0]
    assert filled.density(anchor, [NOON, NOON, NOON], "all") == [0, 0]
