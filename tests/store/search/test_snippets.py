"""A snippet says why something was found: what is lit is the match, and no grapheme is ever cut."""

from typing import Any

import pytest
from apsw.unicode import grapheme_iter_with_offsets
from hypothesis import given
from hypothesis import strategies as st

from memtui.store import Store, highlight
from memtui.store.text.language.folding import fold
from tests.tables import table

from ..hard_texts import PIECES, texts

MARKS = "\u0301\u0323\u0308\u200d\ufe0f\u3099"
graphic = st.lists(
    st.sampled_from((*PIECES, *MARKS, "g̈", "กำ", "각", "🇫🇷", "1️⃣", "👩🏽‍🚀", " ")), max_size=80
)


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A store for all tests of this module."""
    with Store.open(tmp_path_factory.mktemp("snippets") / "memory.db") as store:
        yield store


def lit(memory: Store, text: str, query: str) -> list[str]:
    """What of a text is lit for a query."""
    shown = highlight(text, memory.parse(query))
    assert shown.text == text
    return [text[start:end] for start, end in shown.spans]


def boundaries(text: str) -> set[int]:
    """Where the graphemes of a text begin and end."""
    return {0, *(end for _, end, _ in grapheme_iter_with_offsets(text))}


@table(
    ("text", "query", "expected"),
    [
        ("Fixed token refresh", "TOKEN", ["token"]),
        ("Fixed token refresh", "token refresh", ["token", "refresh"]),
        ("Fixed token refresh", '"token refresh"', ["token refresh"]),
        ("tokens and tokenizers", "token", ["token", "token"]),
        ("刷新令牌在时钟漂移时过期", "令牌", ["令牌"]),
        ("刷新令牌", "牌", ["牌"]),
        ("ＡＢＣ ａｂｃ", "abc", ["ＡＢＣ", "ａｂｃ"]),
        ("resume Résumé re\u0301sume\u0301", "résumé", ["resume", "Résumé", "re\u0301sume\u0301"]),
        ("a ﬁle", "file", ["ﬁle"]),
        ("a ﬁle", "i", ["ﬁ"]),
        ("Straße", "strasse", ["Straße"]),
        ("Straße", "stras", ["Straß"]),
        ("ガ ｶﾞ カ", "ガ", ["ガ", "ｶﾞ"]),
        ("かが", "か", ["か"]),
        ("\u1112\u1161\u11ab 한", "한", ["\u1112\u1161\u11ab", "한"]),
        ("in 👨‍👩‍👧 out", "👩", ["👨‍👩‍👧"]),
        ("🇩🇪🇫🇷", "🇫🇷", ["🇫🇷"]),
        ("٣x٣", "x", ["x"]),
        ("node.js, GB/s, C:\\x", "node.js GB/s C:\\x", ["node.js", "GB/s", "C:\\x"]),
        ("100% [sure]", "%", ["%"]),
        ("token", "-token drift", []),
        ("token", "type:token", []),
        ("token", "", []),
        ("", "token", []),
    ],
)
def test_what_is_lit(memory: Store, text: str, query: str, expected: list[str]) -> None:
    assert lit(memory, text, query) == expected


@given(pieces=graphic, query=texts)
def test_what_is_lit_holds_a_term_and_cuts_no_grapheme(
    memory: Store, pieces: list[str], query: str
) -> None:
    text = "".join(pieces)
    understood = memory.parse(query)
    edges = boundaries(text)
    last = 0
    for start, end in highlight(text, understood).spans:
        assert last <= start < end <= len(text)
        assert {start, end} <= edges
        assert any(term.folded in fold(text[start:end]) for term in understood.terms)
        last = end


@given(pieces=graphic, data=st.data())
def test_a_passage_shows_the_match_and_cuts_no_grapheme(
    store: Store, pieces: list[str], data: st.DataObject
) -> None:
    text = " ".join(pieces) + "".join(pieces) + " needle " + "".join(reversed(pieces)) * 3
    with store.transaction():
        one = store.observations.add("c-1", title="t", narrative=text)
        (hit,) = [hit for hit in store.find("needle").page(limit=1_000).hits if hit.record == one]
        store.observations.delete(one)
    shown = hit.snippet.text
    assert [shown[start:end] for start, end in hit.snippet.spans] == ["needle"]
    place = text.index(shown.strip("…"))
    edges = boundaries(text)
    assert {place, place + len(shown.strip("…"))} <= edges
    assert shown.startswith("…") == (place > 0)
    assert len(shown) < 400


@pytest.mark.parametrize("grapheme", ["🇫🇷", "👨‍👩‍👧", "a" + "\u0301" * 40, "각", "か\u3099"])
@pytest.mark.parametrize("before", range(40, 44))
def test_a_long_run_of_graphemes_is_cut_between_two(store: Store, grapheme: str, before: int) -> None:
    text = f"{grapheme * before}needle,{grapheme * 100}"
    store.observations.add("c-1", title="t", narrative=text)
    (hit,) = store.find("needle").page().hits
    left, right = hit.snippet.text.strip("…").split("needle,")
    assert left == grapheme * (len(left) // len(grapheme))
    assert right == grapheme * (len(right) // len(grapheme))


def test_a_passage_begins_and_ends_between_words(store: Store) -> None:
    words = [f"word{number}" for number in range(200)]
    store.observations.add("c-1", title="t", narrative=" ".join([*words, "needle", *words]))
    (hit,) = store.find("needle").page().hits
    shown = hit.snippet.text.strip("…").split()
    assert "needle" in shown
    assert set(shown) <= {*words, "needle"}


def test_the_passage_with_most_of_the_terms_is_shown(store: Store) -> None:
    far = "x " * 300
    store.observations.add("c-1", title="t", narrative=f"alpha {far} alpha beta gamma {far} beta")
    (hit,) = store.find("alpha beta gamma").page().hits
    assert hit.snippet.marked().count("«") == 3


def test_a_match_longer_than_a_passage_is_shown_whole(store: Store) -> None:
    phrase = "one long phrase " * 30 + "end"
    store.observations.add("c-1", title="t", narrative=f"{'before ' * 30}{phrase}{' after' * 30}")
    (hit,) = store.find(f'"{phrase}"').page().hits
    assert [hit.snippet.text[start:end] for start, end in hit.snippet.spans] == [phrase]


def test_a_list_item_is_shown_alone(store: Store) -> None:
    store.observations.add("c-1", title="t", facts=["first", "the needle is here", "last"])
    (hit,) = store.find("needle").page().hits
    assert hit.snippet.marked() == "the «needle» is here"
