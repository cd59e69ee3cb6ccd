"""What a prompt asks in other words comes first in a context where vectors are kept; else it is as ever."""

from pathlib import Path

import pytest
from memtui.store.leaves.embeddings.vectors import vectors_in
from memtui.store.tables.unembedded import vectors_directory

from memtui.store import Store
from memtui.store.context.preview import about
from tests.store.embeddings.synonym_model import synonym_model, use

pytestmark = pytest.mark.extra("onnx")

ASKED = "program store ram"


def test_what_is_asked_for_in_other_words_is_told(
    store: Store, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    model = synonym_model(tmp_path / "synonyms")
    use(monkeypatch, tmp_path, model)
    titles = ("Redis", "Tabs", "Indent", "Code", "Early", "Expired", "Uses", "Tests", "Longer")
    for title in ("Process keeps cache memory", *(f"{one} daily" for one in titles)):
        store.observations.add("c-1", title=title, project="atlas")
    store.observations.add("c-1", title="进程缓存令牌", project="atlas")
    assert about(store, "atlas", ASKED) == []
    assert vectors_in(store).build(model).left == 0
    assert about(store, "atlas", ASKED)[0] == "1"
    assert "11" in about(store, "atlas", "程进贮存令牌")
    assert about(store, "elsewhere", ASKED) == []
    (path,) = vectors_directory(store.path).iterdir()
    path.write_bytes(b"no file of vectors")
    assert about(store, "atlas", ASKED) == []
