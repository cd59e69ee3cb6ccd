"""A memory, and a model that knows what a few of its words mean."""

from pathlib import Path

import pytest

from memtui.store import Store

from .synonyms import by_static_model

MEMORIES = (
    ("Login fails after the clock was set", "atlas"),
    ("Signin", "billing"),
    ("Redis kept a stale page for signin", "atlas"),
    ("Postgres for the ledger", "billing"),
    ("A screenshot of the image", "atlas"),
)


@pytest.fixture
def memory(store: Store) -> Store:
    with store.transaction():
        for number, (title, project) in enumerate(MEMORIES):
            store.observations.add(None, title=title, project=project, at=1_000 * number)
        store.prompts.add("c-1", "what of authentication and the clock", at=90_000)
    return store


@pytest.fixture
def known(memory: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    by_static_model(monkeypatch, tmp_path)
    return memory
