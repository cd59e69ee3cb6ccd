"""The word vectors that come with memtui: which file they are, what they hold near, and what a search makes
of them."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from memtui.store import Hit, Store
from memtui.store.search.related import word_meaning
from memtui.store.search.related.word_vectors import DIMENSIONS, HEADER, PATH, WordVectors

MANIFEST = Path(__file__).parents[3] / "bench" / "word_vectors" / "manifest.json"


@pytest.fixture(scope="module")
def table() -> WordVectors:
    return WordVectors()


def test_the_file_is_the_one_that_the_manifest_describes() -> None:
    if not MANIFEST.exists():
        pytest.skip("the sources of the table are not here")
    manifest = json.loads(MANIFEST.read_text("utf-8"))
    data = PATH.read_bytes()
    assert sha256(data).hexdigest() == manifest["table"]["sha256"]
    *_, dictionary = HEADER.unpack_from(data)
    lines = data[len(data) - dictionary :].decode().split("\n")
    assert lines == sorted(lines)
    assert len(lines) == manifest["dictionary"]["words"]
    sources = [*manifest["sources"], *manifest["pairs"], *manifest["packages"]]
    assert {source["licence"] for source in sources} <= {"MIT", "BSD-3-Clause", "Apache-2.0"}


@pytest.mark.parametrize(
    ("word", "near", "far"),
    [
        ("delete", "remove", "colour"),
        ("删除", "移除", "颜色"),
        ("delete", "删除", "颜色"),
        ("错误", "error", "colour"),
        ("why did the test hang", "为什么测试一直卡住", "合并冲突是怎么解决的"),
    ],
)
def test_what_means_the_same_is_near(table: WordVectors, word: str, near: str, far: str) -> None:
    own = table.vector(word)
    assert own.cosine(table.vector(near)) > 0.5 > 0.2 > own.cosine(table.vector(far))


def test_a_vector_is_the_sum_of_its_words(table: WordVectors) -> None:
    parts = [table.vector(word).numbers for word in ("token", "refresh")]
    assert table.vector("Token, refresh!").numbers == [*map(sum, zip(*parts, strict=True))]
    assert len(parts[0]) == DIMENSIONS


def test_identifiers_are_read_as_their_words(table: WordVectors) -> None:
    assert table.vector("refreshToken") == table.vector("refresh_token") == table.vector("refresh token")


def test_what_is_no_word_of_the_table_is_unknown(table: WordVectors) -> None:
    assert table.vector("the test 测试").unknown == 0
    assert table.vector("Größe жаба").unknown == 1
    assert table.vector("") == table.vector("1234567890")
    assert table.vector("").cosine(table.vector("test")) == 0


def test_words_have_those_of_the_other_language(table: WordVectors) -> None:
    assert table.in_other_language("数据库, 删除数据库") == ["database", "delete"]
    assert table.in_other_language("Delete the database") == ["删除", "数据库"]
    # As developers say it, rather than as the words alone would be translated.
    assert table.in_other_language("流水线超时之后仓库的会话") == [
        "pipeline",
        "timeout",
        "repository",
        "session",
    ]
    # Of a character alone, of English beside Chinese and of what the table lacks there is none.
    assert table.in_other_language("的 delete жаба 龘") == []


def test_letters_and_digits_together_are_read_apart(table: WordVectors) -> None:
    parts = [table.vector(word).numbers for word in ("error", "404", "page")]
    assert table.vector("error404page").numbers == [*map(sum, zip(*parts, strict=True))]


@pytest.fixture
def asked(store: Store) -> str:
    """A question whose words both memories share as well, and only one of them answers."""
    store.observations.add(
        None, title="Removing the stale lock", narrative="The lock of a killed worker was removed."
    )
    store.observations.add(
        None, title="Painting the stale lock", narrative="The lock of a closed window was painted."
    )
    return "erase stale things"


def _hits(store: Store, query: str) -> list[Hit]:
    return store.find(query).page(related=True).hits


def test_what_is_nearer_in_meaning_comes_first_and_says_by_which_passage(store: Store, asked: str) -> None:
    hits = _hits(store, asked)
    assert [hit.row.title.split()[0] for hit in hits] == ["Removing", "Painting"]
    assert hits[0].similarity is not None and "meaning" in dict(hits[0].parts)
    assert store.find(asked).why(hits[0]).nearest == "Removing the stale lock"


def test_what_is_like_a_memory_is_nearest_in_meaning(store: Store, asked: str) -> None:
    like = store.observations.add(None, title="Erasing the stale lock", narrative="It was deleted.")
    hits = _hits(store, f"is:similar:{like.id}")
    assert [hit.row.title.split()[0] for hit in hits] == ["Removing", "Painting"]
    assert all("meaning" in dict(hit.parts) for hit in hits)


def test_one_setting_turns_it_off(
    store: Store, asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "config.toml"
    config.write_text("[search]\nmeaning = false\n", "utf-8")
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    assert [hit.similarity for hit in _hits(store, asked)] == [None, None]


def test_a_question_of_unknown_words_is_left_to_its_words(store: Store, asked: str) -> None:
    assert [hit.similarity for hit in _hits(store, "gelöschte gesperrte stale größe")] == [None, None]


def test_a_single_word_is_left_to_itself(store: Store, asked: str) -> None:
    store.observations.add(None, title="Lock-free queues", narrative="No worker waits any more.")
    assert [hit.similarity for hit in _hits(store, "locking")] == [None] * 3


def test_a_chinese_question_finds_what_was_said_in_english(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.observations.add(
        None, title="Deployment", narrative="The migration of the database failed twice."
    )
    store.observations.add(None, title="Garden", narrative="The fence was painted green.")
    found = store.find("数据库迁移为什么失败")
    hits = found.page(related=True).hits
    assert [hit.row.title for hit in hits] == ["Deployment"]
    assert "migration of the database" in found.excerpts(hits)[0].passage
    config = tmp_path / "config.toml"
    config.write_text("[search]\nmeaning = false\n", "utf-8")
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    assert _hits(store, "数据库迁移为什么失败") == []


def test_an_english_question_finds_what_was_said_in_chinese(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.observations.add(None, title="部署", narrative="数据库迁移时缺少一个索引，所以失败了。")
    store.observations.add(None, title="花园", narrative="篱笆漆成了绿色。")
    found = store.find("why did the migration of the database fail")
    hits = found.page(related=True).hits
    assert [hit.row.title for hit in hits] == ["部署"]
    assert "数据库迁移" in found.excerpts(hits)[0].passage
    assert _hits(store, "databaseMigration") == _hits(store, "database") == []
    config = tmp_path / "config.toml"
    config.write_text("[search]\nmeaning = false\n", "utf-8")
    monkeypatch.setenv("MEMTUI_CONFIG", str(config))
    assert _hits(store, "why did the migration of the database fail") == []


def test_no_more_is_compared_than_there_is_time_for(
    store: Store, asked: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_meaning, "MOST_CHARACTERS", 100)
    assert [hit.similarity is None for hit in _hits(store, asked)] == [False, True]


@pytest.mark.parametrize(("others", "first"), [("en", "meaning"), ("zh", "words")])
def test_meaning_counts_more_where_a_chinese_question_finds_texts_without_chinese(
    store: Store, others: str, first: str
) -> None:
    for place in range(3):
        text = "The migration of the database failed." if others == "en" else "数据库迁移失败了。"
        store.observations.add(None, title=f"{place}", narrative=text * 10)
    (hit, *_) = _hits(store, "数据库 迁移 篱笆")
    parts = dict(hit.parts)
    assert max("meaning", "words", key=lambda name: parts.get(name, 0.0)) == first


def test_chinese_that_says_it_comes_before_english_that_does(store: Store) -> None:
    store.observations.add(
        None, title="Deployment", narrative="The migration of the database failed twice."
    )
    store.observations.add(None, title="部署", narrative="数据库迁移时缺少一个索引，所以失败了。")
    assert [hit.row.title for hit in _hits(store, "数据库迁移为什么失败")] == ["部署", "Deployment"]


def test_exact_hits_are_not_compared(store: Store, asked: str) -> None:
    assert [(hit.tier, hit.similarity) for hit in _hits(store, "stale lock")] == [("exact", None)] * 2


@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "other"])
def test_words_alone_tell_where_the_file_is_missing_or_damaged(
    store: Store, asked: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str
) -> None:
    data, path = PATH.read_bytes(), tmp_path / "table"
    if damage != "missing":
        path.write_bytes({"empty": b"", "cut": data[:-1], "other": b"x" * 99}[damage])
    monkeypatch.setattr(word_meaning, "WordVectors", lambda: WordVectors(path))
    word_meaning.table.cache_clear()
    try:
        assert [hit.similarity for hit in _hits(store, asked)] == [None, None]
    finally:
        word_meaning.table.cache_clear()
