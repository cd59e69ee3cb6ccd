"""The output gate: whatever was stored, what comes out is safe to paint."""

import sys
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.text.display import safe, safe_spans
from tests.hostile import hostile_texts
from tests.promises import promise
from tests.tables import table

ODD = "\0\t\n\v\r\x1b\x7f\x85\x9b\xa0\xad\u0301\u0e49\u200b\u200d\u202e\u2028\u20e3\u3000\ud83d\ufe0f"
ODD_TEXT = st.text(
    st.one_of(
        st.sampled_from(ODD + "\ufeff\ufffe❤👩🚀🏽1 a字—\U000e0041\U000e0100"), st.characters(codec=None)
    )
)
CATEGORIES_NEVER_SHOWN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@table(
    "text",
    [
        "",
        "Refresh token expired because the clock drifted",
        "刷新令牌在时钟漂移时过期，使用客户端时间。",
        "Größe — naïve «café» \u0161\u010d",
        "세션 토큰 テスト שלום سلام",
        "e\u0301 x\u0323\u0307",
        "[/] [@click=app.quit]x[/] <script>",
        "deploy 🚀 👍🏽 🇩🇪 done",
        "❤️ 1️⃣ 👨‍👩‍👧 🏳️‍🌈 👩🏽‍🚀 👁️‍🗨️",
        "\U0001fae9 newer than this Python",
    ],
)
def test_harmless_text_stays_as_it_is(text: str) -> None:
    assert safe(text) == text
    assert safe(text, newlines=True) == text


@table(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("\0\a\x1f", "␀␇␟"),
        ("\x7f", "␡"),
        ("\x9d0;title\x9c", "⟨U+009D⟩0;title⟨U+009C⟩"),
        ("\u202egnp.exe\u202c", "⟨U+202E⟩gnp.exe⟨U+202C⟩"),
        ("a\u200bb\u2060c\ufeff", "a⟨U+200B⟩b⟨U+2060⟩c⟨U+FEFF⟩"),
        ("to\xadken", "to⟨U+00AD⟩ken"),
        ("a\u2028b\u2029c", "a⟨U+2028⟩b⟨U+2029⟩c"),
        ("x\U000e0041", "x⟨U+E0041⟩"),
        ("\ufff9a\ufffbb", "⟨U+FFF9⟩a⟨U+FFFB⟩b"),
        ("\u3164\u034f", "⟨U+3164⟩⟨U+034F⟩"),
        ("\ufffe\U0010ffff", "⟨U+FFFE⟩⟨U+10FFFF⟩"),
        ("\ud83d \ude00", "\ufffd \ufffd"),
    ],
)
def test_what_a_terminal_obeys_or_hides_is_shown(text: str, shown: str) -> None:
    assert safe(text) == shown
    assert safe(text, newlines=True) == shown


@promise("any-text-is-safe")
def test_no_character_of_unicode_passes_that_moves_or_hides_text() -> None:
    passed = [
        char
        for char in map(chr, range(sys.maxunicode + 1))
        if category(char) in CATEGORIES_NEVER_SHOWN and safe(char) == char
    ]
    assert passed == []


def test_joiners_and_selectors_stay_only_within_emoji() -> None:
    assert safe("a\u200db") == "a⟨U+200D⟩b"
    assert safe("👩\u200d") == "👩⟨U+200D⟩"
    assert safe("a\ufe0f") == "a⟨U+FE0F⟩"
    assert safe("1\ufe0f") == "1⟨U+FE0F⟩"
    assert safe("❤\ufe0f\ufe0f") == "❤\ufe0f⟨U+FE0F⟩"
    assert safe("☎\ufe0e字\U000e0100") == "☎⟨U+FE0E⟩字⟨U+E0100⟩"


def test_an_endless_emoji_chain_is_broken() -> None:
    assert "⟨U+200D⟩" in safe("\u200d".join("👩" * 9))


def test_a_pile_of_marks_is_cut_to_the_first_few() -> None:
    assert safe("a" + "\u0301" * 60 + "b") == "a" + "\u0301" * 4 + "…b"
    assert safe("——" + "\u0e49" * 9 + "——") == "——" + "\u0e49" * 4 + "…——"


def test_every_kind_of_mark_is_cut() -> None:
    marks = [char for char in map(chr, range(sys.maxunicode + 1)) if category(char) == "Mn"]
    assert [mark for mark in marks if mark * 5 in safe("a" + mark * 5)] == []


def test_one_line_has_single_spaces_and_no_breaks() -> None:
    assert safe("a  b\t\tc\r\n\r\n  d\re\u3000f\xa0g") == "a b c d e f g"


def test_line_breaks_stay_when_asked_for() -> None:
    assert safe("a\r\nb\rc\n\n  d\te", newlines=True) == "a\nb\nc\n\n  d    e"


@promise("any-text-is-safe")
@pytest.mark.parametrize("newlines", [False, True])
@given(text=ODD_TEXT)
def test_only_harmless_characters_come_out(text: str, newlines: bool) -> None:
    allowed = "\n" if newlines else ""
    without_emoji = safe(text, newlines=newlines).replace("\u200d", "")
    assert {category(char) for char in without_emoji if char not in allowed}.isdisjoint(
        CATEGORIES_NEVER_SHOWN
    )


@pytest.mark.parametrize("newlines", [False, True])
@given(text=ODD_TEXT)
def test_safe_text_is_not_changed_again(text: str, newlines: bool) -> None:
    once = safe(text, newlines=newlines)
    assert safe(once, newlines=newlines) == once


def test_spans_move_with_their_characters() -> None:
    text = "\x1b[31m\u202etoken\r\n\r\n  refresh\u200b"
    lit = [text.index("token"), text.index("refresh")]
    shown, spans = safe_spans(text, [(lit[0], lit[0] + 5), (lit[1], lit[1] + 7)])
    assert shown == "␛[31m⟨U+202E⟩token refresh⟨U+200B⟩"
    assert [shown[start:end] for start, end in spans] == ["token", "refresh"]


def test_a_span_that_cuts_a_replacement_covers_all_of_it() -> None:
    shown, spans = safe_spans("a \n b\u200bc", [(0, 2), (2, 5), (5, 6)])
    assert [shown[start:end] for start, end in spans] == ["a ", " b", "⟨U+200B⟩"]


def test_spans_of_plain_text_stay() -> None:
    assert safe_spans("plain", [(1, 3)]) == ("plain", [(1, 3)])


@given(before=ODD_TEXT, word=st.text("lit字", min_size=1), after=ODD_TEXT)
def test_a_lit_word_stays_lit_wherever_it_stands(before: str, word: str, after: str) -> None:
    start = len(before)
    shown, [span] = safe_spans(f"{before}{word}{after}", [(start, start + len(word))])
    assert shown == safe(f"{before}{word}{after}")
    assert shown[slice(*span)] == word


@given(text=ODD_TEXT, cuts=st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_spans_never_leave_the_text(text: str, cuts: tuple[int, int]) -> None:
    start, end = sorted(min(cut, len(text)) for cut in cuts)
    shown, [(moved_start, moved_end)] = safe_spans(text, [(start, end)])
    assert 0 <= moved_start <= moved_end <= len(shown)


@promise("any-text-is-safe")
@table("text", [text for _, text in hostile_texts()])
def test_hostile_texts_come_out_harmless(text: str) -> None:
    for shown in (safe(text), safe(text, newlines=True).replace("\n", "")):
        assert {category(char) for char in shown.replace("\u200d", "")}.isdisjoint(CATEGORIES_NEVER_SHOWN)
        assert "\u0301" * 5 not in shown
        shown.encode()
