"""An excluded term takes away exactly what holds it, as a search for it would find that."""

import pytest

from memtui.store import Store
from tests.promises import promise

TEXTS = (
    "The cursor drifted",
    "CURSOR upper case",
    "a precursor's part",
    "cu\u0301rsor with a mark",
    "ｃｕｒｓｏｒ full width",
    "cur sor apart",
    "缓存 cache",
    "缓\u0301存 with a mark",
    "缓 存 apart",
    "nothing of it",
    "A\u030arsenal",
    "ﬁle ligature",
    "",
)
TERMS = ("cursor", "Cursor", "curs", "缓存", "缓", "存", "a", "a ", "file", "fi", "ar", "_", "it")


@pytest.fixture
def filled(store: Store) -> Store:
    """Each text as a title, as a narrative, as an item of a list, and as raw text."""
    with store.transaction():
        for text in TEXTS:
            store.observations.add("c-1", title=f"{text} mmm")
            store.observations.add("c-1", title="mmm", narrative=text)
            store.observations.add("c-1", title="mmm", facts=[text, 'quoted "n\new"'])
            store.observations.add("c-1", title="mmm", text=text)
            store.prompts.add("c-1", text=f"{text} mmm")
        # What is beyond what is searched of a text excludes nothing.
        store.observations.add("c-1", title="long mmm", narrative="x" * 70_000 + " cursor 缓存")
    return store


@promise("index-equals-data")
@pytest.mark.parametrize("term", TERMS)
@pytest.mark.sampled
def test_hits_with_and_without_a_term_are_all_hits(filled: Store, term: str) -> None:
    def found(query: str) -> set[int]:
        return {hit.row.document_id for hit in filled.find(query).page(limit=1_000).hits}

    holds = found(f'mmm "{term}"')
    assert found(f'mmm -"{term}"') == found("mmm") - holds
    assert found(f'-"{term}"') == found("mmm") - holds


@promise("index-equals-data")
def test_several_terms_are_excluded_at_once(filled: Store) -> None:
    assert all(
        word not in hit.row.title.lower()
        for hit in filled.find("mmm -cursor -缓存 -file").page(limit=1_000).hits
        for word in ("cursor", "缓存", "file")
    )
