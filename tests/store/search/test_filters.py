"""Each filter of the query language finds what it names, hidden memories only where asked for."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from memtui.store import Store
from tests.tables import table

DAY = 86_400_000
T0 = 1_771_400_000_000


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A store with two of most things."""
    with Store.open(tmp_path_factory.mktemp("filters") / "memory.db") as store:
        fill(store)
        yield store
        assert store.doctor(thorough=True).ok


def fill(store: Store) -> None:
    """Memories 1 to 4, p1, s1 and f1, one hidden (5) and one deleted (6), all about a drift."""
    atlas = store.sessions.start("c-atlas-1", agent="codex", project="atlas", at=T0)
    orders = store.sessions.start("c-orders-1", agent="gemini", project="my orders", at=T0)
    store.sessions.link(atlas, "m-1")
    add = store.observations.add
    add(
        atlas,
        title="Drift of the clock",
        type="bugfix",
        narrative="Refresh token",
        concepts=["Auth Flow"],
        files_read=["src/auth/token.py"],
        tags=["urgent"],
        tool_name="Edit",
        at=T0,
    )
    add(atlas, title="drift again", type="decision", facts=["TTL is 24 h"], at=T0 + DAY, pinned=True)
    add(orders, title="drift elsewhere", type="bugfix", tool_name="Bash", at=T0 + 2 * DAY)
    add(orders, title="percent", narrative="100% a_b drift", files_modified=["a_b/100%.py"], at=T0 - 1)
    hidden = {"concepts": ["Auth Flow"], "files_read": ["src/auth/key.py"], "at": T0}
    add(atlas, title="drift hidden", private=True, tool_name="Edit", **hidden)  # type: ignore[arg-type]
    store.observations.delete(add(orders, title="drift deleted", tags=["urgent"], at=T0))
    store.prompts.add(atlas, "why does it drift", at=T0 + 3 * DAY)
    store.summaries.add(
        orders, request="stop the drift", learned="NTP", files_edited=["src/clock.py"], at=T0 + 4 * DAY
    )
    store.facts.add("clocks drift", kind="W", project="atlas", entities=["NTP"], at=T0 + 5 * DAY)


@table(
    ("query", "found"),
    [
        ("", "f1 s1 p1 3 2 1 4"),
        ("type:bugfix", "3 1"),
        ("type:bugfix,decision", "3 2 1"),
        ("-type:bugfix", "f1 s1 p1 2 4"),
        ("type:prompt", "p1"),
        ("project:atlas", "f1 p1 2 1"),
        ('project:"my orders"', "s1 3 4"),
        ("-project:atlas", "s1 3 4"),
        ("session:1", "p1 2 1"),
        ("session:@2", "s1 3 4"),
        ("session:c-atlas-1", "p1 2 1"),
        ("session:c-or", "s1 3 4"),
        ("session:m-1", "p1 2 1"),
        ("session:c-", ""),
        ("-session:1", "f1 s1 3 4"),
        ("agent:codex", "p1 2 1"),
        ("-agent:codex", "f1 s1 3 4"),
        ("kind:prompt,facts", "f1 p1"),
        ("-kind:observation", "f1 s1 p1"),
        ("file:auth/token", "1"),
        ("file:.py", "s1 1 4"),
        ("file:100%", "4"),
        ("file:a_b", "4"),
        ("file:SRC/", "s1 1"),
        ("-file:src", "f1 p1 3 2 4"),
        ('concept:"auth flow"', "1"),
        ("concept:auth", ""),
        ('-concept:"auth flow"', "f1 s1 p1 3 2 4"),
        ("tag:urgent", "1"),
        ("entity:ntp", "f1"),
        ("tool:Edit", "1"),
        ("tool:Edit,Bash", "3 1"),
        ("is:pinned", "2"),
        ("is:pinned type:bugfix", ""),
        ("-is:pinned", "f1 s1 p1 3 1 4"),
        ("-is:pinned,private type:decision", ""),
        ("-is:private", "f1 s1 p1 3 2 1 4"),
        ("project:atlas type:bugfix tool:Edit", "1"),
    ],
)
def test_a_filter_lists_what_it_names_newest_first(filled: Store, query: str, found: str) -> None:
    refs = found.split()
    assert [entry.ref for entry in filled.find(query).rows(0, 99)] == refs
    assert filled.find(query).count().value == len(refs)
    assert [hit.row.ref for hit in filled.find(query).page().hits] == refs
    assert [hit.row.ref for hit in filled.find(query).page(0, 99).hits] == refs
    assert filled.find(query).count().value == len(refs)


@table(
    ("query", "found"),
    [
        ("drift", "1 2 3 4 f1 p1 s1"),
        ("drift kind:observation -again", "1 3 4"),
        ("drift -elsewhere -clock", "2 4 p1"),
        ('drift -"of the clock" project:atlas', "2 f1 p1"),
        ("-drift", ""),
        ("again OR elsewhere", "2 3"),
        ("title:drift", "1 2 3"),
        ("narrative:drift", "4"),
        ("-title:drift", "4 f1 p1 s1"),
        ("facts:24", "2"),
        ("concepts:flow", "1"),
        ("files:clock", "s1"),
        ("learned:ntp", "s1"),
        ("content:drift", "f1"),
        ("entities:ntp", "f1"),
        ("prompt:why", "p1"),
        ("100%", "4"),
        ("a_b", "4"),
        ("a%b", ""),
        ('"clock refresh"', ""),
        ("clockrefresh", ""),
        ("DRIFT type:bugfix", "1 3"),
        ("drift is:pinned", "2"),
    ],
)
def test_words_find_what_holds_them(filled: Store, query: str, found: str) -> None:
    assert sorted(hit.row.ref for hit in filled.find(query).page().hits) == found.split()


@table(
    ("query", "found"),
    [
        ("is:private", "5"),
        ("is:deleted", "6"),
        ("drift is:private", "5"),
        ("clock is:private", ""),
        ('is:private concept:"auth flow"', "5"),
        ('is:private -concept:"auth flow"', ""),
        ("is:private file:auth/key", "5"),
        ("is:private file:clock", ""),
        ("is:private tool:Edit project:atlas kind:observation", "5"),
        ("is:deleted tag:urgent", "6"),
        ("is:deleted tag:other", ""),
        ("is:deleted session:2 agent:gemini", "6"),
        ("is:private is:deleted", ""),
        ("is:private -is:deleted", "5"),
        ("is:deleted -is:private,pinned", "6"),
        ("is:private -is:private", ""),
    ],
)
def test_hidden_memories_are_found_only_where_asked_for(filled: Store, query: str, found: str) -> None:
    assert [hit.row.ref for hit in filled.find(query).page().hits] == found.split()
    assert filled.find(query).count().value == len(found.split())


def test_dates_bound_what_is_listed(filled: Store) -> None:
    def between(since: int, until: int) -> list[str]:
        day = [iso(T0 + one * DAY) for one in (since, until)]
        return [entry.ref for entry in filled.find(f"since:{day[0]} until:{day[1]}").rows(0, 9)]

    assert between(1, 3) == ["p1", "3", "2"]
    assert between(4, 9) == ["f1", "s1"]
    assert [hit.row.ref for hit in filled.find(f"drift on:{iso(T0 + DAY)}").page().hits] == ["2"]


def iso(at: int) -> str:
    """The local day of a moment."""
    return datetime.fromtimestamp(at / 1000).date().isoformat()


def test_sort_recent_is_by_time_and_relevance_by_score(filled: Store) -> None:
    refs = [hit.row.ref for hit in filled.find("drift sort:recent").page().hits]
    assert refs == ["f1", "s1", "p1", "3", "2", "1", "4"]
    scores = [hit.score for hit in filled.find("drift").page().hits]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] > 0


def test_pages_are_parts_of_one_order(filled: Store) -> None:
    whole = filled.find("").rows(0, 99)
    assert [filled.find("").rows(start, 2) for start in (0, 2, 4, 6, 8)] == [
        whole[0:2],
        whole[2:4],
        whole[4:6],
        whole[6:8],
        [],
    ]
    assert [filled.find("").position(entry) for entry in whole] == list(range(len(whole)))
    assert filled.find("kind:observation").position(whole[-1]) == 3


@table("limit", [-1, 0, 1, 3, 7, 8, 10**6, 2**64])
def test_a_limit_of_any_size_gives_the_best_so_many(filled: Store, limit: int) -> None:
    every = [hit.row.ref for hit in filled.find("drift").page().hits]
    results = filled.find("drift").page(limit=limit)
    assert [hit.row.ref for hit in results.hits] == every[: max(0, limit)]
    assert results.complete == (limit >= len(every))
    assert len(filled.find("").page(limit=limit).hits) == min(max(0, limit), 7)


def test_a_second_file_answers_alike_without_trigrams(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, filled: Store
) -> None:
    monkeypatch.setenv("MEMTUI_TOKENIZER", "like")
    with Store.open(tmp_path / "memory.db") as plain:
        fill(plain)
        for query in ("drift", "rif", "t", "again OR elsewhere", "drift -again", "title:drift"):
            assert {hit.row.ref for hit in plain.find(query).page().hits} == {
                hit.row.ref for hit in filled.find(query).page().hits
            }
