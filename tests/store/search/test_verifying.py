"""Which of some documents match, where their texts needn't be read."""

from collections.abc import Iterator

import pytest

from memtui.store import Store
from memtui.store.search.index.documents import INDEXED_CHARACTERS, Document
from memtui.store.search.matching import Matcher
from tests.conftest import OpenStore

TEXTS: tuple[dict[str, str | list[str]], ...] = (
    {"title": "Token refresh"},
    {"title": "TOKEN", "narrative": "The reFRESH failed"},
    {"title": "Tokeń and refresh"},
    {"title": "ｔｏｋｅｎ refresh"},
    {"title": "nothing", "facts": ["the token", "a refresh"]},
    {"title": "nothing", "facts": ["tok", "en refresh"]},
    {"title": "to", "narrative": "ken refresh"},
    {"title": "late", "narrative": "x" * INDEXED_CHARACTERS + " token refresh"},
    {"title": "缓存 token"},
    {"title": "refresh", "text": "token"},
    {"title": "nothing"},
)
QUERIES = (
    "token", "refresh token", "tok en", "token OR nothing", "token NOT refresh", "title:token", "缓存",
    "tokeń", '"token refresh"', "token缓存", "token type:note", "nothing -token",
)  # fmt: skip


@pytest.fixture
def memory(open_store: OpenStore) -> Iterator[Store]:
    """A store of texts that hold the same words in all ways."""
    with open_store() as store:
        for fields in TEXTS:
            store.observations.add(None, **fields)  # type: ignore[arg-type]
        yield store


@pytest.mark.parametrize("text", QUERIES)
def test_it_gives_what_a_look_at_each_text_gives(
    memory: Store, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever SQLite sees of a text, the same documents match, in the same order."""
    monkeypatch.setattr("memtui.store.search.matching.FIRST_SLICE", 1)
    query = memory.parse(text)
    ids = [number for (number,) in memory.db.execute("SELECT id FROM documents ORDER BY id DESC")]
    read = [document.id for document in Matcher(memory.db, query).verified(ids)]
    assert list(Matcher(memory.db, query).matching(ids)) == read


def test_a_text_in_which_sqlite_sees_the_words_is_not_read(
    memory: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only what may match when it is folded is read."""
    matcher = Matcher(memory.db, memory.parse("token refresh"))
    read: list[int] = []
    verified = matcher.verified

    def noting(ids: list[int]) -> Iterator[Document]:
        read.extend(ids)
        return verified(ids)

    monkeypatch.setattr(matcher, "verified", noting)
    monkeypatch.setattr("memtui.store.search.matching.FIRST_SLICE", 1)
    assert list(matcher.matching([1, 2, 3])) == [1, 2, 3]
    assert read == [1, 3]
