"""Observations that say nearly the same are found, and made one only when that is asked for."""

import gc

import pytest

from memtui.store import Observation, Store
from memtui.store.maintain.duplicates import alike
from memtui.store.maintain.duplicates.alike import Cluster, clusters, merge
from memtui.store.text.language.same import Gist
from tests.store.text.language.pairs import DIFFERENT, SAME
from tests.store.undoing import undone

STORY = (
    "The refresh call used the client's time, and a laptop five minutes ahead was told that its "
    "token was old. The server's own clock decides now, with a leeway of sixty seconds."
)


def add(store: Store, title: str, narrative: str = STORY, **values: object) -> Observation:
    return store.observations.add("c-1", title=title, narrative=narrative, **values)  # type: ignore[arg-type]


def found(store: Store, **options: object) -> list[tuple[int, list[int]]]:
    """Each cluster as the number of what is kept and those of the others."""
    return [
        (one.keep.id, [twin.observation.id for twin in one.twins])
        for one in clusters(store, **options)  # type: ignore[arg-type]
    ]


def only(store: Store) -> Cluster:
    (cluster,) = clusters(store)
    return cluster


def test_the_same_and_nearly_the_same_are_one_cluster(store: Store) -> None:
    add(store, "Token expired early")
    add(store, "Token expired early")
    add(store, "Token expired too early", STORY.replace("client's time", "time of the client"))
    add(store, "Moved the cache", "Redis is gone; the process keeps what it needs itself.")
    assert found(store) == [(1, [2, 3])]


def test_each_twin_tells_how_alike_it_is_and_why(store: Store) -> None:
    add(store, "Token expired early")
    add(store, "Token expired early")
    add(store, "Token expired early", STORY.replace("client's time", "time of the client"))
    exact, near = only(store).twins
    assert (exact.similarity, exact.why) == (100.0, "same title and narrative")
    assert 90 < near.similarity < 100
    assert near.why == "same title"


def test_short_and_chinese_texts_are_found_too(store: Store) -> None:
    add(store, "Fixed the token refresh in the auth client", "")
    add(store, "Fixed token refresh in the auth client", "")
    add(store, "刷新令牌在时钟漂移时过期，客户端时间不可信", "")
    add(store, "刷新令牌在时钟漂移时会过期，客户端时间不可信", "")
    assert found(store) == [(1, [2]), (3, [4])]


def test_projects_are_kept_apart_and_hidden_ones_out(store: Store) -> None:
    add(store, "Token expired early", project="a")
    add(store, "Token expired early", project="b")
    add(store, "Token expired early", project="b")
    store.observations.set_private(add(store, "Token expired early", project="a"))
    store.observations.delete(add(store, "Token expired early", project="a"))
    assert found(store) == [(2, [3])]
    assert found(store, project="a") == []
    assert found(store, project="b") == [(2, [3])]


def test_how_alike_is_for_the_user_to_say(store: Store) -> None:
    add(store, "Token expired early")
    add(store, "Token expired early", STORY.replace("client's time", "time of the client"))
    assert found(store, similarity=99.0) == []
    assert found(store, similarity=90.0) == [(1, [2])]


@pytest.mark.parametrize("pair", [pair for pair in SAME if len(pair[0].split()) > 4])
def test_what_says_the_same_is_found_whatever_its_order(store: Store, pair: tuple[str, str]) -> None:
    for text in pair:
        add(store, text, "")
    assert found(store) == [(1, [2])]


@pytest.mark.parametrize("pair", DIFFERENT)
def test_another_number_name_choice_or_a_negation_is_no_duplicate(
    store: Store, pair: tuple[str, str]
) -> None:
    for text in pair:
        add(store, text, "")
    for text in pair:
        add(store, STORY, text)
    assert found(store) == []


def test_what_has_no_words_is_like_nothing(store: Store) -> None:
    for _ in range(3):
        add(store, "...", "")
    assert found(store) == []


def test_finding_changes_nothing(store: Store) -> None:
    add(store, "Token expired early")
    add(store, "Token expired early")
    before = store.db.total_changes()
    only(store)
    assert store.db.total_changes() == before


def test_the_pinned_one_is_kept_else_the_oldest(store: Store) -> None:
    add(store, "Token expired early", at=2_000)
    add(store, "Token expired early", at=1_000)
    assert found(store) == [(2, [1])]
    store.observations.pin(1)
    assert found(store) == [(1, [2])]
    store.observations.pin(2)
    assert found(store) == []


def test_merged_they_are_one_that_has_what_all_had(store: Store) -> None:
    add(store, "Token expired early", facts=["TTL is 24 h"], concepts=["auth"], tags=["x"])
    add(
        store, "Token expired early", facts=["leeway is 60 s", "TTL is 24 h"], tool_name="Edit",
        files_modified=["a.py"], subtitle="On laptops",
    )  # fmt: skip
    kept = merge(store, only(store))
    assert kept is not None
    assert kept.facts == ("TTL is 24 h", "leeway is 60 s")
    assert (kept.concepts, kept.tags, kept.files_modified) == (("auth",), ("x",), ("a.py",))
    assert (kept.subtitle, kept.tool_name) == ("On laptops", "Edit")
    assert [hit.record.id for hit in store.find("token").page().hits] == [1]
    assert [hit.record.id for hit in store.find("leeway file:a.py").page().hits] == [1]
    assert found(store) == []


def test_a_merge_is_one_change_that_can_be_taken_back(store: Store) -> None:
    for number in range(3):
        add(store, "Token expired early", facts=[f"fact {number}"])
    merge(store, only(store))
    assert undone(store) == "2 observations merged into observation 1"
    assert store.undo() is None
    assert {one.facts for one in store.observations.recent()} == {
        ("fact 0",), ("fact 1",), ("fact 2",),
    }  # fmt: skip
    assert found(store) == [(1, [2, 3])]


def test_what_changed_meanwhile_is_left_alone(store: Store) -> None:
    add(store, "Token expired early")
    add(store, "Token expired early")
    cluster = only(store)
    store.observations.revise(2, title="Something else")
    assert merge(store, cluster) is None
    assert len(store.observations.recent()) == 2


def test_progress_is_told(store: Store) -> None:
    with store.transaction():
        for number in range(1_001):
            add(store, f"number {number}", "")
    told: list[tuple[int, int]] = []
    list(clusters(store, progress=lambda done, total, _: told.append((done, total))))
    assert told == [(1_000, 1_001)]


def test_no_more_texts_are_held_for_many_projects_than_for_one(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(alike, "GISTS_HELD", 3)
    for number in range(6):
        add(store, "Fixed the token refresh in the auth client", "", project=f"p-{number}")
        add(store, "Fixed token refresh in the auth client", "", project=f"p-{number}")

    def held() -> int:
        return sum(isinstance(item, Gist) for item in gc.get_objects())

    gc.collect()
    before = held()
    gc.disable()
    try:
        assert len(list(clusters(store))) == 6
        assert held() - before <= 3
    finally:
        gc.enable()
