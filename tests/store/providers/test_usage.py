"""Observers and embeddings each have a daily cap of their own."""

import dataclasses

import pytest

from memtui.store import Store
from memtui.store.config import EmbeddingsSettings, ModelSettings
from memtui.store.providers import usage
from memtui.store.providers.usage import TokenUsage

OBSERVER = ModelSettings("openai", model="tiny", daily_tokens=100)
EMBEDDINGS = EmbeddingsSettings("openai-compatible", model="nomic", daily_tokens=1_000, price=0.5)


def test_what_embeddings_take_leaves_the_observers_cap_alone(store: Store) -> None:
    used = TokenUsage(store.db, store.transaction())
    call = used.reserve(EMBEDDINGS, 900)
    assert call is not None and used.reserve(EMBEDDINGS, 101) is None
    assert (used.left_today(EMBEDDINGS), used.left_today(OBSERVER)) == (100, 100)
    assert used.reserve(OBSERVER, 60, 40) is not None
    assert (used.left_today(EMBEDDINGS), used.left_today(OBSERVER)) == (100, 0)
    used.settle(call, 400)
    assert used.left_today(EMBEDDINGS) == 600


def test_all_models_that_make_vectors_share_one_cap(store: Store) -> None:
    used = TokenUsage(store.db, store.transaction())
    assert used.reserve(EMBEDDINGS, 900)
    other = dataclasses.replace(EMBEDDINGS, provider="command", command=("embed",))
    assert used.left_today(other) == 100


def test_tomorrow_the_cap_is_whole_again(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    used = TokenUsage(store.db, store.transaction())
    assert used.reserve(EMBEDDINGS, 900)
    tomorrow = usage.today() + 1
    monkeypatch.setattr(usage, "today", lambda: tomorrow)
    assert used.left_today(EMBEDDINGS) == 1_000


def test_costs_are_told_of_the_model_that_is_configured(store: Store) -> None:
    used = TokenUsage(store.db, store.transaction())
    assert used.reserve(EMBEDDINGS, 1_000)
    (day,) = used.days()
    assert (day.model, day.calls, day.is_of_embeddings) == ("openai-compatible:nomic", 1, True)
    assert day.dollars(EMBEDDINGS) == pytest.approx(0.0005)
    assert day.dollars(OBSERVER) is None and day.dollars(None) is None
    assert day.dollars(dataclasses.replace(EMBEDDINGS, price=None)) is None
