"""Where the embeddings leaf is missing word vectors tell of meaning, and no vector outlives its text."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from memtui.store import Store
from memtui.store.maintain.duplicates.alike import likely_successors
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform import leaves
from memtui.store.search.related.meaning import WordMeaning
from memtui.store.tables.removal.purge_selection import Selection
from tests.promises import promise

from .keeping import compare, kept


@contextmanager
def without_the_leaf(store: Store) -> Iterator[Store]:
    """The same store, opened where the leaf is missing."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(leaves, "has_leaf", lambda name: name != "embeddings")
        with Store.open(store.path) as opened:
            yield opened


def test_what_asks_for_a_model_goes_without(known: Store) -> None:
    compare(known)
    with without_the_leaf(known) as opened:
        assert type(opened.meaning()) is WordMeaning
        assert opened.find("login").page().hits and opened.find("sort:meaning login").page().hits
        opened.facts.add("The login lasts a day", project="atlas")
        assert likely_successors(opened, opened.facts.add("A login lasts", project="atlas"), 5)


@promise("vectors-follow")
def test_what_goes_takes_its_vectors_along(known: Store) -> None:
    compare(known)
    with without_the_leaf(known) as opened:
        opened.edit("1", {"title": "Something else"})
        assert purge_for_good(opened, Selection({"observations": (2,)})).is_final
        assert kept(opened) == {"o3", "o4", "o5", "p1"}
