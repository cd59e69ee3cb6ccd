"""A wrong character in a Chinese word, or two in the wrong order, is answered with the word."""

import pytest

from memtui.store import Store
from memtui.store.search import pinyin
from tests.conftest import OpenStore
from tests.tables import table

pytestmark = pytest.mark.extra("chinese")

TITLES = ("用户身份验证失败", "清理缓存以后重启", "数据库连接池", "redis缓存", "テスト済み")


@pytest.fixture(params=["trigram", "unicode61"])
def memory(request: pytest.FixtureRequest, open_store: OpenStore, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store of a few titles, of each tokenizer that has an index of pairs."""
    monkeypatch.setenv("MEMTUI_TOKENIZER", request.param)
    store = open_store()
    with store.transaction():
        for title in TITLES:
            store.observations.add("c-1", title=title)
    return store


def meant(store: Store, query: str) -> dict[str, str]:
    """What was typed with what it may have meant."""
    return {one.typed: one.meant for one in store.find(query).page().corrections}


@table(
    ("typed", "word"),
    [
        ("缓村", "缓存"),
        ("援存", "缓存"),
        ("存缓", "缓存"),
        ("数据裤", "数据库"),
        ("树据库", "数据库"),
        ("数剧库", "数据库"),
        ("申份验证", "身份验证"),
        ("身分验证", "身份验证"),
        ("身份烟证", "身份验证"),
        ("身份验正", "身份验证"),
        ("份身验证", "身份验证"),
        ("身验份证", "身份验证"),
        ("身份证验", "身份验证"),
        ("数据库连结池", "数据库连接池"),
        ("テヌト", "テスト"),
    ],
)
def test_a_wrong_character_or_two_in_the_wrong_order(memory: Store, typed: str, word: str) -> None:
    assert meant(memory, typed) == {typed: word}
    hits = memory.find(typed).page(related=True).hits
    assert word in hits[0].row.title
    assert {hit.tier for hit in hits} == {"related"}


@table("held", ["缓存", "验证", "存以后", "缓", "证失", "什么"])
def test_what_a_memory_holds_is_never_corrected(memory: Store, held: str) -> None:
    assert meant(memory, f"{held} quokka") == {}


@table("typed", ["猫狗", "猫", "身分验正", "申份验正", "户身分验证失败"])
def test_what_nothing_is_near_to_stays(memory: Store, typed: str) -> None:
    assert meant(memory, typed) == {}


@table(
    ("query", "whole"),
    [
        ("type:note 缓村 -数据", "type:note 缓存 -数据"),
        ("redis缓村", "redis缓存"),
        ("reids缓村", "redis缓存"),
        ("“清理缓村”", "“清理缓存”"),
        ("title：缓村", "title：缓存"),
        ("缓村 身分", "缓存 身份"),
    ],
)
def test_the_rest_of_a_query_stays_as_it_was_typed(memory: Store, query: str, whole: str) -> None:
    assert {one.query for one in memory.find(query).page().corrections} == {whole}


def test_of_two_repairs_the_one_that_sounds_alike_is_meant(memory: Store) -> None:
    for title in ("缓冲一", "缓冲二", "缓冲"):
        memory.observations.add("c-1", title=title)
    assert meant(memory, "缓村") == {"缓村": "缓存"}
    assert meant(memory, "缓虫") == {"缓虫": "缓冲"}


def test_a_word_that_is_only_unknown_is_not_made_another(memory: Store) -> None:
    for title in ("向量检索的召回率", "数据分析部分完成", "向量的数据库"):
        memory.observations.add("c-1", title=title)
    for word in ("向量库", "部署", "向量数据库"):
        assert meant(memory, word) == {}


def test_a_pair_of_what_is_hidden_repairs_nothing(memory: Store) -> None:
    hidden = memory.observations.add("c-1", title="令牌")
    assert meant(memory, "令排") == {"令排": "令牌"}
    memory.observations.set_private(hidden)
    assert meant(memory, "令排") == {}
    memory.undo()
    assert meant(memory, "令排") == {"令排": "令牌"}


def test_without_the_readings_of_characters_place_and_order_still_tell(
    memory: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pinyin, "readings", lambda _: frozenset())
    assert meant(memory, "存缓") == {"存缓": "缓存"}
    assert meant(memory, "数剧库") == {"数剧库": "数据库"}


@table(
    ("typed", "word"),
    [
        ("huancun", "缓存"),
        ("HuanCun", "缓存"),
        ("shujuku", "数据库"),
        ("lianjiechi", "连接池"),
        ("yanzheng", "验证"),
    ],
)
def test_what_was_typed_in_pinyin_is_offered_in_chinese(memory: Store, typed: str, word: str) -> None:
    assert meant(memory, typed) == {typed: word}
    assert word in memory.find(typed).page(related=True).hits[0].row.title


def test_pinyin_is_the_last_resort(memory: Store) -> None:
    memory.observations.add("c-1", title="the huancum module")
    assert meant(memory, "huancun") == {"huancun": "huancum"}
    memory.observations.add("c-1", title="huancun, as written")
    assert meant(memory, "huancun") == {}


def test_no_word_is_offered_for_letters_that_are_no_pinyin_or_that_no_memory_holds(memory: Store) -> None:
    for typed in ("strength", "hn", "huan", "shijian", "beijing"):
        assert meant(memory, typed) == {}


def test_pinyin_offers_nothing_of_what_is_hidden(memory: Store) -> None:
    hidden = memory.observations.add("c-1", title="令牌")
    assert meant(memory, "lingpai") == {"lingpai": "令牌"}
    memory.observations.set_private(hidden)
    assert meant(memory, "lingpai") == {}
    memory.undo()


def test_without_its_extra_pinyin_is_a_word_as_any(memory: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pinyin, "characters_by_reading", dict)
    assert meant(memory, "huancun") == {}
