"""Stored Markdown as a document: its blocks, what is within them, and that no word is lost."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from textual.content import Content

from memtui.store import Query
from memtui.store.search.query.language import parse
from memtui.tui.protocol import LONGEST, ReadingMode
from memtui.tui.text.content import MATCH
from memtui.tui.text.markdown.blocks import document, line
from memtui.tui.text.markdown.code import FIRST
from tests.hostile import hostile_texts
from tests.tables import table
from tests.tui.text.markdown.rendered import rendered, shown, styled

WHOLE = ReadingMode(unfolded=True)
RAW = ReadingMode(raw=True)


def matched(content: Content) -> list[str]:
    """What is lit in a content."""
    return [content.plain[a:b] for a, b, style in content.spans if style == MATCH]


@table(
    ("text", "expected"),
    [
        ("plain words\nin two lines", "plain words\nin two lines"),
        ("# Title\n\nWords.", "Title\n\nWords."),
        ("Title\n=====\nWords.", "Title\nWords."),
        ("- one\n- two\n  - three", "• one\n• two\n  • three"),
        ("9. nine\n10. ten", "9. nine\n10. ten"),
        ("- a\n\n- b", "• a\n\n• b"),
        ("-\n- b", "•\n• b"),
        ("> said\n>\n> twice", "▌ said\n▌\n▌ twice"),
        ("> - in\n>   it", "▌ • in\n▌   it"),
        ("- > in\n  > it", "• ▌ in\n  ▌ it"),
        ("a\n\n---\n\nb", "a\n\n────────\n\nb"),
        ("```python\nx = 1\n```", "python\nx = 1"),
        ("```\nx\n\ny\n```", "x\n\ny"),
        ("Error:\n  at one\n    at two", "Error:\n  at one\n    at two"),
        ("*a* **b** ***c*** ~~d~~ `e` \\*f", "a b c d e *f"),
        ("[a link](https://a.b/c)", "a link (https://a.b/c)"),
        ("[路](https://a.b/路 '名')", '路 (https://a.b/路 "名")'),
        ("<https://a.b/c>", "https://a.b/c"),
        ("![shape](x.png)", "shape (x.png)"),
        ("a <b>c</b> List<String> &amp; &#27;", "a <b>c</b> List<String> &amp; &#27;"),
        ("snake_case_name 2*3*4", "snake_case_name 234"),
        ("[a]: https://b.c", "[a]: https://b.c"),
        ("---\nname: x\n---\n# T", "---\nname: x\n---\nT"),
    ],
)
def test_markup_becomes_what_it_means(text: str, expected: str) -> None:
    assert shown(text) == expected


@table(
    ("text", "part", "style"),
    [
        ("# Title", "Title", "bold"),
        ("a **b** c", "b", "bold"),
        ("a *b* c", "b", "italic"),
        ("a ~~b~~ c", "b", "strike"),
        ("a `b` c", "b", "on $surface"),
        ("[ab](c)", "ab", "underline"),
        ("```python\ndef name(): pass\n```", "def", "$text-accent"),
        ("```py\ndef name(): pass\n```", "def", "$text-accent"),
        ("```diff\n-old\n+new\n```", "- ", "bold $text-error"),
        ("```diff\n-old\n+new\n```", "+ ", "bold $text-success"),
        ("```\n@@ -1 +1 @@\n-old\n+new\n```", "+ ", "bold $text-success"),
        ("Done:\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-old\n+new\n", "- old", "on $error 15%"),
        ("- old\n- other\n+ new", "- ", "bold $text-error"),
        ("- old\n- other\n+ new", "+ ", "bold $text-success"),
        ("Out:\n\n@@\n- old\n- other", "- ", "bold $text-error"),
        ('{"a": [1, 2]}', "1", "$text-warning"),
    ],
)
def test_what_markup_means_is_seen(text: str, part: str, style: str) -> None:
    assert style in styled(text, part)


DIFF = "```diff\n--- a.py\n+++ a.py\n@@ -8,2 +8,2 @@\n def ttl():\n-    return 60\n+    return 90\n```"


def test_a_diff_has_its_lines_numbered_and_its_code_in_colours() -> None:
    assert shown(DIFF).split("\n")[-3:] == [
        "   8    8   def ttl():",
        "   9      -     return 60",
        "        9 +     return 90",
    ]
    assert "$text-accent" in styled(DIFF, "return")


def test_a_diff_stands_side_by_side_where_there_is_room() -> None:
    wide = shown(DIFF, width=120).split("\n")
    assert wide[-1].split() == "9 - return 60 │ 9 + return 90".split()
    assert all(len(line) <= 120 for line in wide)


def test_lines_of_a_file_that_nobody_numbered_are_lines_of_a_diff_too() -> None:
    told = shown("```diff\n--- a.py\n+++ a.py\n@@\n-x = 1\n+x = 2\n```")
    assert told.split("\n") == ["a.py", "- x = 1", "+ x = 2"]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("a/src/a.py", "b/src/a.py", "src/a.py"),
        ("/dev/null", "b/new.py", "new.py"),
        ("a/old.py", "/dev/null", "old.py"),
        ("a/old.py", "b/new.py", "old.py → new.py"),
        ("/home/me/work/app/src/a.py", "/home/me/work/app/src/a.py", "…/app/src/a.py"),
    ],
)
def test_a_diff_names_its_file_in_one_line(old: str, new: str, told: str) -> None:
    lines = shown(f"```diff\n--- {old}\n+++ {new}\n@@\n-x\n+y\n```").split("\n")
    assert lines == [told, "- x", "+ y"]


def test_git_names_a_file_once_too() -> None:
    head = "diff --git a/a.py b/a.py\nindex 385357be..c53eb8a9 100644\n"
    lines = shown(f"```diff\n{head}--- a/a.py\n+++ b/a.py\n@@ -1 +1 @@\n-x\n+y\n```").split("\n")
    assert lines[:2] == ["a.py", "@@ -1 +1 @@"]
    assert shown("```diff\ndiff --git a/a.py b/b.py\nrename from a.py\nrename to b.py\n```").startswith(
        "diff"
    )


def test_what_is_stored_of_an_edit_has_no_blank_behind_its_signs() -> None:
    assert shown("- a = 1\n+ a = 2\n+     b = 3").split("\n") == ["- a = 1", "+ a = 2", "+     b = 3"]


def test_a_language_nobody_knows_is_shown_plainly() -> None:
    assert shown("```no-such\nx\n```") == "no-such\nx"


def test_wrapped_lines_stand_under_the_words_of_their_item() -> None:
    assert shown("1. one two three\n   - 缓存缓存缓存缓存", width=12) == (
        "1. one two\n   three\n   • 缓存缓\n     存缓存\n     缓存"
    )


def test_tables_are_aligned_also_in_chinese() -> None:
    text = "| a | 名 |\n|---|--:|\n| 缓存 | 1 |\n| b | 22 |"
    assert shown(text) == "a     名\n────  ──\n缓存   1\nb     22"


def test_cells_wrap_and_columns_that_would_be_too_narrow_become_lines() -> None:
    text = "| one | two |\n|---|---|\n| some words | some more words |"
    assert shown(text, width=22) == (
        "one         two\n──────────  ──────────\nsome words  some more\n            words"
    )
    assert shown(text, width=12) == "one  some\nwords\ntwo  some\nmore words"


@pytest.mark.parametrize("width", [1, 2, 7, 30, 80])
def test_no_line_is_wider_than_the_pane(width: int) -> None:
    text = (
        "# A heading of words\n\n- " + "- " * 12 + "deep\n\n> " + "> " * 12 + "quoted\n\n"
        "```python\nprint('a long line of code, for sure')\n```\n\n"
        "|a|b|c|\n|-|-|-|\n|one|two words|three|\n"
    )
    for one in rendered(text, width=width):
        assert one.cell_length <= max(width, 3)


def test_long_code_folds_and_says_how_much_and_how_many_matches_are_hidden() -> None:
    text = "```\n" + "\n".join(f"row {number}" for number in range(155)) + "\n```"
    assert shown(text).endswith("row 11\n… 143 more lines, + unfolds")
    assert "row 154" in shown(text, mode=WHOLE)
    (passage,) = document(text, parse("154"), ReadingMode())
    assert isinstance(passage.content, Content)
    assert passage.content.plain.endswith("… 143 more lines with 1 match, + unfolds")


def test_as_stored_is_as_stored() -> None:
    text = "# T\n\n- *a*\n```py\nx\n```"
    assert shown(text, mode=RAW) == text


@table(
    ("text", "query", "expected"),
    [
        ("# Token head", "token", ["Token"]),
        ("some **to**ken", "token", ["token"]),
        ("```python\ntoken = 1\n```", "token", ["token"]),
        ("- one `token`", "token", ["token"]),
        ("[a](https://token.dev)", "token", ["token"]),
        ("| a |\n|---|\n| token |", "nothing", []),
    ],
)
def test_matches_are_lit_wherever_they_stand(text: str, query: str, expected: list[str]) -> None:
    passages = document(text, parse(query), ReadingMode())
    found = [
        part
        for passage in passages
        if isinstance(passage.content, Content)
        for part in matched(passage.content)
    ]
    assert found == expected


def test_matches_are_lit_in_tables() -> None:
    (passage,) = document("| a |\n|---|\n| token |", parse("token"), ReadingMode())
    assert [matched(one) for one in passage.content.wrap(20)][-1] == ["token"]


def test_a_line_is_rendered_within() -> None:
    assert line("keep `refresh_token` *short*", Query()).plain == "keep refresh_token short"
    assert line("# no heading", Query()).plain == "# no heading"


def test_what_is_left_out_of_a_long_text_is_told() -> None:
    assert shown("word " * 30_000).endswith("… 49,999 more characters; y copies all of it.")


def words(text: str) -> list[str]:
    """The words of a text, of letters and digits."""
    return re.findall(r"[^\W_]+", text)


PIECES = st.sampled_from(
    "# |## |- |* |+ |1. |2) |> |    |\t|\n|\n\n|```|```python\n|~~~|`|``|*|**|_|__|~~|[|](|)|![|<|>|\\"
    '|||a-|---|===|-:|:-|@@ -1 +1 @@|--- a\n+++ b\n|diff --git |{|}|"|:|&amp;|[x]: y|缓存|é|a b|word'
    "|\x00|\x1b[2J|\u202e|\u200b|\r|\r\n|\ud800|🇩🇪|x1".split("|")
) | st.just("|")


@given(st.lists(PIECES, max_size=60).map("".join), st.sampled_from([1, 12, 30, 80]))
@example("> " * 60 + "deep", 30)
@example("- " * 60 + "deep", 30)
@example("| a |\n|---|\n| b | lost |", 30)
@example("a\x0b- b\x0c# c\u2028d\x85e", 30)
def test_no_word_is_lost_and_nothing_speaks_to_the_terminal(text: str, width: int) -> None:
    told = shown(text, width=width, mode=WHOLE)
    together = re.sub(r"[\s▌•]+", "", told)
    if width > 1:
        # The number of an item has no room in one cell.
        for word in words(text):
            assert word in together
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b\ud800-\udfff]", told)


@given(st.lists(PIECES, max_size=60).map("".join))
def test_folded_or_not_as_stored_or_not_anything_can_be_shown(text: str) -> None:
    for mode in (ReadingMode(), RAW, ReadingMode(most=20)):
        rendered(text, mode=mode)


@table(("name", "text"), hostile_texts())
def test_hostile_texts_do_nothing(name: str, text: str) -> None:
    told = shown(f"# {text}\n\n- {text}\n\n```python\n{text}\n```\n\n|a|\n|-|\n|{text}|\n")
    assert not re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u200b]", told)


LONG = 2 * LONGEST
SLOW = [
    ("quotations", ">" * 10_000 + " deep"),
    ("lists", "- " * 10_000 + "deep"),
    ("growing lists", "".join(" " * (2 * at) + "- a\n" for at in range(300))),
    ("brackets", "[" * LONG),
    ("lines of brackets", ("[" * 900 + "\n\n") * 100),
    ("images", "![a](" * LONG),
    ("emphasis", "*a" * LONG),
    ("underscores", "_a " * LONG),
    ("code within lines", "`a``b" * LONG),
    ("a fence that never ends", "```python\n" + "x = 1\n" * LONG),
    ("a table", "|a" * 3_000 + "\n" + "|-" * 3_000 + "\n" + ("|b" * 3_000 + "\n") * 5),
    ("a long table", "|a|b|\n|-|-|\n" + "|c|d|\n" * LONG),
    ("one line", "word " * LONG),
    ("a line of code", "```json\n" + "[" * LONG),
    ("json", "[" * 20_000 + "]" * 20_000),
    ("twenty megabytes", "# a\n\n*b*\n" * 2_000_000),
]


@table(("name", "text"), SLOW)
def test_the_beginning_of_texts_made_to_be_slow_is_shown(name: str, text: str) -> None:
    assert shown(text, mode=ReadingMode(most=FIRST))


@pytest.mark.long
@table(("name", "text"), SLOW)
def test_texts_made_to_be_slow_are_shown(name: str, text: str) -> None:
    assert shown(text)


def test_what_is_beyond_all_reading_is_shown_as_it_is_stored() -> None:
    told = shown("*word*\n\n" * 7_000)
    assert told.startswith("word\n")
    assert told.endswith("\n*word*")
