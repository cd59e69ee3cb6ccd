"""What a prompt asks in other words comes first in a context where a model is named."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.context.preview import about
from tests.store.embeddings.synonyms import by_static_model

pytestmark = pytest.mark.extra("onnx")

ASKED = "screenshot cache"


def test_what_is_asked_for_in_other_words_comes_first(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for title in ("Topic1 topic2 cache", "The picture of a cache", "Topic3 topic4 cache"):
        store.observations.add("c-1", title=title, project="atlas")
    assert "2" in about(store, "atlas", ASKED)
    by_static_model(monkeypatch, tmp_path)
    assert about(store, "atlas", ASKED)[0] == "2"
    assert about(store, "elsewhere", ASKED) == []
