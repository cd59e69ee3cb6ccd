"""Of purged text no vector is left in any file of the memory, in any form."""

from collections.abc import Callable
from pathlib import Path

import pytest
from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Action, Store
from memtui.store.config import EmbeddingsSettings
from memtui.store.maintain.purge import finish_interrupted, purge, purge_for_good
from memtui.store.maintain.retention import Retention
from memtui.store.platform.clock import now_ms
from memtui.store.tables.removal.purge_selection import Selection, deleted, with_what_belongs
from memtui.store.tables.removal.retention import DAY
from tests.promises import Tally, promise
from tests.unprivileged import without_privileges

from .byte_model import forms_of, strangers, vector_of
from .conftest import Build
from .test_following import fill

SECRET = ("a title nobody may read", "a story nobody may read", "a fact nobody may read")


def tell(store: Store) -> Selection:
    """Two memories that are to be purged, among others."""
    title, story, fact = SECRET
    prompt = store.prompts.add("c-9", title)
    seen = store.observations.add(
        "c-9", title=title, narrative=story, facts=[fact, "a fact that all share"]
    )
    return Selection({"observations": (seen.id,), "prompts": (prompt.id,)})


def found(path: Path, model: EmbeddingsSettings) -> list[str]:
    """The files that hold a vector of a secret text in any form."""
    forms = [form for text in SECRET for form in forms_of(vector_of(model, text))]
    return [
        file.name
        for file in path.parent.rglob("*")
        if file.is_file() and any(form in file.read_bytes() for form in forms)
    ]


def at_once(store: Store, chosen: Selection) -> None:
    assert purge_for_good(store, chosen).is_final


def with_the_session(store: Store, _chosen: Selection) -> None:
    session = store.sessions.get("c-9").id
    chosen = with_what_belongs(store.db, Selection({"sessions": (session,)}), store.facts)
    assert purge_for_good(store, chosen).is_final


def from_the_trash(store: Store, _chosen: Selection) -> None:
    store.change_many("nobody", Action("delete"))
    assert purge_for_good(store, deleted(store.db)).is_final


def by_policy(store: Store, _chosen: Selection) -> None:
    retention = Retention(store)
    retention.set(1, grace_days=1)
    for later in (400, 800):
        retention.run(now_ms() + later * DAY)


def in_two_steps(store: Store, chosen: Selection) -> None:
    for table, numbers in chosen.numbers.items():
        purge(store, table, numbers)
    assert finish_interrupted(store)


WAYS: list[Callable[[Store, Selection], None]] = [
    at_once, with_the_session, from_the_trash, by_policy, in_two_steps,
]  # fmt: skip


@promise("vectors-follow")
@promise("purge-final")
@pytest.mark.parametrize("way", WAYS)
def test_vectors_of_purged_text_are_in_no_file(
    way: Callable[[Store, Selection], None],
    store: Store,
    model: EmbeddingsSettings,
    build: Build,
    tally: Tally,
) -> None:
    fill(store)
    chosen = tell(store)
    build(store)
    assert len(found(store.path, model)) == 1
    way(store, chosen)
    left = found(store.path, model)
    tally(tried=1, left=len(left))
    assert left == []
    assert strangers(store.path, model) == []
    build(store)


@promise("vectors-follow")
def test_the_vectors_of_two_models_go_with_a_purge(
    store: Store, model: EmbeddingsSettings, other_model: EmbeddingsSettings, build: Build
) -> None:
    fill(store)
    chosen = tell(store)
    build(store)
    vectors_in(store).build(other_model, seconds=0.0)
    assert [*map(len, (found(store.path, model), found(store.path, other_model)))] == [1, 1]
    at_once(store, chosen)
    assert found(store.path, model) == found(store.path, other_model) == []


@promise("vectors-follow")
def test_a_text_that_somebody_else_says_keeps_its_vector(
    store: Store, model: EmbeddingsSettings, build: Build
) -> None:
    chosen = tell(store)
    store.facts.add(SECRET[2])
    build(store)
    at_once(store, chosen)
    assert len(found(store.path, model)) == 1
    build(store)


@promise("vectors-follow")
def test_vectors_that_cant_be_taken_out_make_a_purge_say_that_it_is_not_final(
    store: Store, model: EmbeddingsSettings, build: Build
) -> None:
    chosen = tell(store)
    build(store)
    folder = Path(f"{store.path}-vectors")
    path = store.path
    store.close()
    (file,) = folder.iterdir()
    file.chmod(0o400)
    folder.chmod(0o500)

    def purged() -> None:
        with Store.open(path) as store:
            store.observations.delete(1)
            done = purge_for_good(store, chosen)
            assert not done.is_final
            assert str(folder) in done.notes[0]
            assert str(folder) in vectors_in(store).status(model).trouble
            assert store.observations.recent() == []

    assert without_privileges(purged) == 0
    folder.chmod(0o700)
    with Store.open(path) as again:
        assert finish_interrupted(again)
    assert found(path, model) == []
    assert strangers(path, model) == []
