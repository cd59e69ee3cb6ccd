"""Tags of sessions: who finds them, and where they go."""

from pathlib import Path

import pytest

from memtui.store import Action, Store
from memtui.store.formats.common.scope import ALL
from memtui.store.formats.jsonl.export import export_jsonl
from memtui.store.formats.jsonl.file_import import import_jsonl
from memtui.store.maintain.purge import purge
from tests.store.sync.meeting import meet, stores

AT = 1_771_000_000_000


@pytest.fixture
def two(store: Store) -> Store:
    """Two sessions with memories, the first one tagged, and a memory of the other with a tag of its own."""
    first = store.sessions.start("c-1", agent="codex", project="atlas", title="Login", at=AT)
    other = store.sessions.start("c-2", agent="claude-code", project="beta", at=AT + 1)
    store.prompts.add(first, "why does the clock drift?", at=AT)
    store.observations.add(first, title="Clock", tags=["Release"], at=AT + 2)
    store.observations.add(other, title="Other", tags=["docs"], type="bugfix", at=AT + 3)
    store.change_many(["@1"], Action("tag", add=("Release", "ops")))
    return store


def titles(store: Store, query: str) -> list[str]:
    return [row.title for row in store.find(query).rows(0, 10)]


def test_a_search_finds_what_a_tagged_session_holds_each_once(two: Store) -> None:
    assert titles(two, "tag:release") == ["Clock", "why does the clock drift?"]
    assert titles(two, "tag:OPS") == ["Clock", "why does the clock drift?"]
    assert titles(two, "-tag:ops") == ["Other"]
    assert titles(two, "tag:ops,docs") == ["Other", "Clock", "why does the clock drift?"]
    assert two.find("tag:release").count().value == 2
    assert two.remarks("tag:ops") == ()
    assert [remark.sentence for remark in two.remarks("tag:op")] == ["No memory has the tag op."]


def test_completion_counts_what_the_tag_finds(two: Store) -> None:
    def offered(query: str) -> dict[str, int | None]:
        found = two.completions(query, len(query), chinese=False)
        assert found is not None
        return {item.label: item.count for item in found.items}

    assert offered("tag:") == {"Release": 2, "ops": 2, "docs": 1}
    assert offered("project:beta tag:") == {"docs": 1}
    assert offered("project:atlas tag:o") == {"ops": 2}
    assert two.values_in_use("tags", "o") == ["ops"]


def test_one_undo_takes_the_tags_of_many_back(two: Store) -> None:
    done = two.change_many(["@1", "@2"], Action("tag", add=("x",), remove=("OPS",)))
    assert done.what == "2 sessions tagged x and no longer tagged OPS"
    assert [two.sessions.get(number).tags for number in (1, 2)] == [("Release", "x"), ("x",)]
    two.undo()
    assert [two.sessions.get(number).tags for number in (1, 2)] == [("Release", "ops"), ()]
    two.redo()
    assert two.sessions.get(2).tags == ("x",)


def test_tags_of_a_hidden_session_are_offered_to_nobody(two: Store) -> None:
    two.change_many(["@1"], Action("hide"))
    assert two.values_in_use("tags") == ["docs"]
    assert titles(two, "tag:ops") == []
    assert titles(two, "tag:ops is:private") == ["Clock", "why does the clock drift?"]
    assert two.sessions.count_by("tag") == []


def test_how_many_sessions_have_each_tag(two: Store) -> None:
    two.change_many(["@2"], Action("tag", add=("ops",)))
    assert two.sessions.count_by("tag") == [("ops", 2), ("Release", 1)]


def test_secrets_in_a_tag_are_taken_out(two: Store) -> None:
    two.change_many(["@2"], Action("tag", add=("<private>mine</private>", "kept")))
    assert two.sessions.get(2).tags == ("kept",)


def test_they_are_exported_and_come_in_again(two: Store, tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with path.open("wb") as file:
        export_jsonl(two, file, ALL)
    with Store.open(tmp_path / "other.db") as other:
        import_jsonl(other, path)
        assert other.sessions.get("c-1").tags == ("Release", "ops")
        assert titles(other, "tag:ops") == ["Clock", "why does the clock drift?"]


def test_a_purged_session_has_none(two: Store) -> None:
    purge(two, "sessions", [1])
    assert two.sessions.count_by("tag") == []
    assert two.db.execute("SELECT count(*) FROM sessions WHERE tags LIKE '%ops%'").get == 0


def test_two_machines_that_tag_one_session_keep_the_tags_of_both(tmp_path: Path) -> None:
    one, other = stores(tmp_path, "one", "other")
    with one, other:
        one.observations.add(one.sessions.start("c-1", agent="codex", at=AT), title="Clock", at=AT)
        meet(one, other)
        one.change_many(["@1"], Action("tag", add=("here",)))
        other.change_many(["@1"], Action("tag", add=("there",)))
        meet(one, other)
        meet(one, other)
        for store in (one, other):
            assert set(store.sessions.get("c-1").tags) == {"here", "there"}
            assert titles(store, "tag:here tag:there") == ["Clock"]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("tag:release", [1]),
        ("-tag:release", [2]),
        ("tag:release drift", [1]),
        ("tag:release nothing", []),
        ("ops", [1]),
        ("project:beta", [2]),
        ("agent:CODEX", [1]),
        ("kind:session", [2, 1]),
        ("type:bugfix", [2]),
        ("-type:bugfix", [1]),
        ("is:pinned", []),
        ("-is:pinned", [2, 1]),
        ("is:automatic", []),
        ("since:2026-02-13", [2, 1]),
        ("until:2026-02-01", []),
        ("since:nonsense", []),
        ("tag:", []),
        ("标签:ops", [1]),
        ('tag:"no such"', []),
    ],
)
def test_a_list_of_sessions_takes_the_filters_of_a_query(two: Store, query: str, found: list[int]) -> None:
    assert list(two.list_search.sessions(query).ids) == found


def test_hidden_and_deleted_sessions_are_listed_on_demand_alone(two: Store) -> None:
    two.change_many(["@1"], Action("hide"))
    two.change_many(["@2"], Action("delete"))
    find = two.list_search.sessions
    assert find("kind:session").ids == ()
    assert (find("is:private").ids, find("is:private tag:ops").ids, find("is:deleted").ids) == (
        (1,),
        (1,),
        (2,),
    )
    assert find("is:deleted type:bugfix").ids == (2,)
