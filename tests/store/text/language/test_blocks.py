"""Markdown prose as blocks and sentences, with the headings they stand under."""

import pytest

from memtui.store.text.language.blocks import LONGEST, blocks_of, plain, sentences_of

REPLY = """\
I looked at the failing build.

## Root cause
The lock file was written by **npm 9**. CI runs npm 8
and refuses it, so `npm ci` stops.

## Options
1. **Upgrade CI** to npm 9
   - needs a new image
2. Pin npm 8 in `package.json`

Changes:
- [x] removed the cache
- [ ] run it again

```sh
npm ci --prefer-offline
```

| job | state |
|-----|-------|
| lint | passed |

**Next steps:** Merge the branch, then tag v1.2.0. Ask the team.

Afterwards nothing is left.
"""


def test_blocks_are_told_with_the_headings_above_them() -> None:
    found = [(one.kind, one.text, one.path) for one in blocks_of(REPLY)]
    assert found == [
        ("paragraph", "I looked at the failing build.", ()),
        ("heading", "Root cause", ()),
        (
            "paragraph",
            "The lock file was written by npm 9. CI runs npm 8 and refuses it, so `npm ci` stops.",
            ("Root cause",),
        ),
        ("heading", "Options", ()),
        ("bullet", "Upgrade CI to npm 9", ("Options",)),
        ("bullet", "needs a new image", ("Options", "Upgrade CI")),
        ("bullet", "Pin npm 8 in `package.json`", ("Options",)),
        ("heading", "Changes", ("Options",)),
        ("bullet", "removed the cache", ("Options", "Changes")),
        ("bullet", "run it again", ("Options", "Changes")),
        ("fence", "npm ci --prefer-offline", ("Options", "Changes")),
        ("row", "job | state", ("Options", "Changes")),
        ("row", "lint | passed", ("Options", "Changes")),
        ("heading", "Next steps", ("Options",)),
        ("paragraph", "Merge the branch, then tag v1.2.0. Ask the team.", ("Options", "Next steps")),
        ("paragraph", "Afterwards nothing is left.", ("Options",)),
    ]


def test_bullets_know_their_number_depth_box_and_bold_words() -> None:
    bullets = [one for one in blocks_of(REPLY) if one.kind == "bullet"]
    assert [one.number for one in bullets] == ["1", "", "2", "", ""]
    assert [one.level for one in bullets] == [0, 1, 0, 0, 0]
    assert [one.is_checked for one in bullets] == [None, None, None, True, False]
    assert bullets[0].lead == "Upgrade CI"
    (fence,) = [one for one in blocks_of(REPLY) if one.kind == "fence"]
    assert fence.language == "sh"


@pytest.mark.parametrize(
    ("line", "title"),
    [
        ("### 2. Root cause", "Root cause"),
        ("## 🎯 Summary ##", "Summary"),
        ("**What was wrong:**", "What was wrong"),
        ("`★ Insight ─────────────────`", "Insight"),
        ("What is left:", "What is left"),
        ("二、修改内容", "修改内容"),
        ("**下一步：**", "下一步"),
        ("Findings\n========", "Findings"),
    ],
)
def test_what_stands_over_a_text_is_its_heading(line: str, title: str) -> None:
    (sentence,) = [one for one in sentences_of(f"{line}\nIt was the cache.") if one.heading]
    assert (sentence.text, sentence.heading) == ("It was the cache.", title)


def test_code_quotes_and_tables_are_no_sentences() -> None:
    text = "Before.\n\n```\ncode. More code.\n```\n> Quoted.\n\n| a | b |\n|---|---|\n| c | d |\n\nAfter."
    assert [one.text for one in sentences_of(text)] == ["Before.", "After."]


def test_a_fence_that_is_not_closed_runs_to_the_end() -> None:
    blocks = blocks_of("Look:\n```py\nx = 1\n# A comment.")
    assert [(one.kind, one.text) for one in blocks] == [
        ("heading", "Look"),
        ("fence", "x = 1\n# A comment."),
    ]


def test_marks_go_and_names_with_underlines_stay() -> None:
    assert plain("**Do** [this](http://x.y/z) in `__init__`") == "Do this in `__init__`"
    assert plain("__init__.py is __very important__") == "__init__.py is very important"


HOSTILE = ["__a", "**a", "[a](", "[", "`", "- ", "  - x\n", "**a** ", "#", "# a\n", ". A",
           "e.g. ", "。", "a:\n", "|", "| a |\n", "─", "> ", "```\n", "1. a\n", "（1", "A. ",
           "\t", "a\n"]  # fmt: skip


@pytest.mark.parametrize("piece", HOSTILE)
@pytest.mark.sampled
def test_hostile_texts_are_read_to_their_end(piece: str) -> None:
    text = (piece * LONGEST)[: LONGEST - 10] + "\n"
    read = sum(len(block.text) for block in blocks_of(text))
    assert read <= len(text)
    # The text after a fence or a quote that never ends is still a block's.
    assert "The end" in blocks_of(text[: LONGEST - 20] + "\n\nThe end")[-1].text
