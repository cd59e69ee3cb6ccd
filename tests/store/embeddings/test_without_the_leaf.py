"""Where the embeddings leaf is missing no model tells what texts mean, and no vector outlives its text."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from memtui.store.tables.unembedded import vectors_directory

from memtui.store import Action, Store
from memtui.store.config import EmbeddingsSettings
from memtui.store.maintain.duplicates.alike import likely_successors
from memtui.store.maintain.purge import purge_for_good
from memtui.store.observe.jobs.job import process, wants_vectors
from memtui.store.platform import leaves
from memtui.store.search.related.meaning import WordMeaning
from memtui.store.tables.removal.purge_selection import Selection

from .conftest import Build, assert_exact
from .test_following import fill


@contextmanager
def without_the_leaf(store: Store) -> Iterator[Store]:
    """The same store, opened where the leaf is missing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaves, "has_leaf", lambda name: name != "embeddings")
        with Store.open(store.path) as opened:
            yield opened


def test_what_asks_for_vectors_goes_without(store: Store, build: Build, model: EmbeddingsSettings) -> None:
    fill(store)
    build(store)
    with without_the_leaf(store) as opened:
        assert isinstance(opened.meaning(), WordMeaning)
        assert opened.find("finds").page().hits and opened.find("sort:meaning finds").page().hits
        assert likely_successors(opened, opened.facts.add("fact 7 holds", project="atlas"), 5)
        assert not wants_vectors(opened)
        done = process(opened, None, embeddings=model)
        assert done.vectors is None or not done.vectors.records


def test_files_of_vectors_go_before_their_text_and_are_built_again(
    store: Store, build: Build, model: EmbeddingsSettings
) -> None:
    fill(store)
    build(store)
    folder = vectors_directory(store.path)
    with without_the_leaf(store) as opened:
        opened.observations.add("c-1", title="A token that is new")
        assert [*folder.glob("*.db")]
        opened.change_many("finds", Action("delete"))
        assert not folder.exists()
    build(store)
    assert_exact(store.path, model)


def test_a_purge_is_final(store: Store, build: Build) -> None:
    fill(store)
    build(store)
    with without_the_leaf(store) as opened:
        one = opened.observations.add("c-1", title="A token nobody may read")
        assert purge_for_good(opened, Selection({"observations": (one.id,)})).is_final
        opened.change_many("finds", Action("delete"))
        assert not vectors_directory(store.path).exists()


def test_a_store_that_is_made_again_keeps_vectors_where_they_were_kept(store: Store, build: Build) -> None:
    fill(store)
    build(store)
    with without_the_leaf(store) as opened:
        opened.rebuild()
        assert not vectors_directory(store.path).exists()
    with Store.open(store.path) as opened:
        build(opened)
