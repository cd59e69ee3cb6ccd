"""Vectors of what a search compared are kept in the store, and never outlive their text."""

import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Action, Store
from memtui.store.config import embeddings_settings
from memtui.store.leaves.embeddings.kept import amount, drop
from memtui.store.leaves.embeddings.model import embedder
from memtui.store.leaves.embeddings.searching import _asker
from memtui.store.search.index import derived
from tests.promises import promise
from tests.store.scripted_server import Scripted

from ...conftest import OpenStore
from .keeping import compare, everything, kept
from .synonyms import QUERY, by_server, configure, synonym_model

ALL = {"o1", "o2", "o3", "o4", "o5", "p1"}


def test_what_was_compared_is_kept_and_the_model_not_asked_for_it_again(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with by_server(monkeypatch, tmp_path) as (server, answers):
        answers.may_answer.set()
        first = compare(memory)
        assert kept(memory) == ALL == everything(memory)
        asked = len(server.bodies)
        assert compare(memory, "login") and len(server.bodies) == asked + 1
        with Store.open(memory.path) as again:
            assert compare(again) == pytest.approx(first, abs=1e-3)
        assert len(server.bodies) == asked + 1


def test_nothing_is_kept_before_it_is_compared_nor_by_word_vectors(memory: Store) -> None:
    assert compare(memory)
    assert kept(memory) == set()


def reword(store: Store) -> None:
    store.edit("1", {"title": "Something else"})


def delete(store: Store) -> None:
    store.observations.delete(1)


def hide(store: Store) -> None:
    store.observations.set_private(1, True)


def delete_many(store: Store) -> None:
    store.change_many("login", Action("delete"))


def write_foreign(store: Store) -> None:
    store.db.execute("UPDATE observations SET title = 'Something else' WHERE id = 1")


@promise("vectors-follow")
@pytest.mark.parametrize("change", [reword, delete, hide, delete_many, write_foreign])
@pytest.mark.parametrize("many", [1, 1_000_000], ids=["at once", "by triggers"])
def test_a_vector_goes_in_the_transaction_in_which_its_text_does(
    known: Store, change: Callable[[Store], None], many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(known)
    monkeypatch.setattr(derived, "MANY", many)
    with pytest.raises(ZeroDivisionError), known.transaction():
        change(known)
        raise ZeroDivisionError
    assert kept(known) == ALL
    change(known)
    assert kept(known) == ALL - {"o1"}
    compare(known)
    assert kept(known) == everything(known)


@promise("vectors-follow")
def test_a_vector_that_comes_after_its_text_has_gone_is_not_kept(
    memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_store: OpenStore
) -> None:
    with by_server(monkeypatch, tmp_path) as (server, answers):
        answers.may_answer.set()

        def meanwhile(body: dict[str, Any]) -> Scripted:
            if not body["input"][0].startswith(QUERY):
                with Store.open(memory.path) as other:
                    other.edit("1", {"title": "Something else"})
                    other.observations.delete(2)
            return answers(body)

        server.answers = meanwhile
        compare(memory)
        assert kept(memory) == ALL - {"o1", "o2"}


@promise("vectors-follow")
def test_a_store_that_is_made_anew_has_none_of_what_was(known: Store) -> None:
    compare(known)
    known.rebuild()
    assert kept(known) == set()


def test_passages_of_another_number_are_made_anew(known: Store) -> None:
    before = compare(known)
    known.db.execute("UPDATE document_vectors SET vectors = x'003c' WHERE document_id = 1")
    known.db.execute("UPDATE document_vectors SET vectors = x'' WHERE document_id = 2")
    known.db.execute("UPDATE document_vectors SET vectors = x'003c00' WHERE document_id = 3")
    _asker.cache_clear()
    assert compare(known) == pytest.approx({key: before[key] for key in before if key != 1}, abs=1e-3)
    # One number is a vector, though no vector of this model.
    sizes = dict(known.db.execute("SELECT document_id, length(vectors) FROM document_vectors"))
    assert sizes[2] == sizes[3] == sizes[4] == 2 * 46


def test_another_model_s_vectors_take_the_place_of_those_there_were(
    known: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compare(known)
    settings = embeddings_settings()
    assert settings is not None
    before = embedder(settings).fingerprint
    assert amount(known.db, before)[0] == len(ALL) and amount(known.db, before)[1] == 6 * 2 * 46
    configure(
        monkeypatch, tmp_path,
        provider="static", directory=str(synonym_model(tmp_path / "synonyms")), document_prefix="login ",
    )  # fmt: skip
    compare(known)
    assert kept(known) == ALL and amount(known.db, before) == (0, 0)
    assert drop(known, but=before) == len(ALL) and kept(known) == set()


def test_where_nothing_can_be_kept_meaning_is_compared_all_the_same(
    known: Store, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    known.path.chmod(0o400)
    monkeypatch.setattr("os.access", lambda path, mode: mode == 4)
    with Store.open(known.path, read_only=True) as reader:
        assert compare(reader)
    assert kept(known) == set()


def test_a_number_takes_two_bytes(known: Store) -> None:
    compare(known)
    raw = known.db.execute("SELECT vectors FROM document_vectors WHERE document_id = 2").get
    numbers = struct.unpack(f"<{len(raw) // 2}e", raw)
    assert len(numbers) == 46 and sum(number**2 for number in numbers) == pytest.approx(1, abs=1e-2)


def test_a_second_store_keeps_its_own(known: Store, tmp_path: Path) -> None:
    compare(known)
    with Store.open(tmp_path / "other.db") as other:
        other.observations.add(None, title="Login")
        assert kept(other) == set()
        compare(other)
        assert kept(other) == {"o1"}
