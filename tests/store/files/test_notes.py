"""Front matter, index lines and links are changed, and nothing beside them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memtui.store.leaves.files.markup import (
    field,
    file_name,
    index_lines,
    new_note,
    renamed,
    with_fields,
    with_index_line,
    without_index_line,
)
from memtui.store.text.front_matter import split_front

NOTE = """---
# what we agreed
name: use-pnpm  # as the file
description: |
  Why pnpm,
  and not npm
odd: [1, 2]
metadata:
  node_type: memory
  type: feedback
---
Use pnpm. See [[build]] and [the build](build.md#fast).
"""
INDEX = "# Memory\n\n- [pnpm](use-pnpm.md) — why pnpm\n- [Retry](re%20try.md): `x`\n\nRead all of it.\n"
VALUES = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Zl", "Zp"]), max_size=40)


@pytest.mark.parametrize(
    ("fields", "before", "after"),
    [
        ({"name": "x"}, "name: use-pnpm  # as the file\n", "name: x\n"),
        ({"description": "a: b"}, "description: |\n  Why pnpm,\n  and not npm\n",
         'description: "a: b"\n'),
        ({"metadata.type": "user"}, "  type: feedback\n", "  type: user\n"),
        ({"metadata.memtui": "01"}, "  type: feedback\n", '  type: feedback\n  memtui: "01"\n'),
        ({"memtui": "x1"}, "  type: feedback\n", "  type: feedback\nmemtui: x1\n"),
    ],
)  # fmt: skip
def test_one_value_is_set_and_all_else_stays(fields: dict[str, str], before: str, after: str) -> None:
    assert with_fields(NOTE, fields) == NOTE.replace(before, after)


def test_front_matter_is_made_where_there_is_none() -> None:
    assert with_fields("text\n", {"name": "x"}) == "---\nname: x\n---\n\ntext\n"


@given(VALUES, VALUES)
def test_a_value_is_read_as_it_was_set(name: str, kind: str) -> None:
    text = with_fields(NOTE, {"name": name, "metadata.type": kind})
    values = split_front(text).values
    assert values is not None
    assert values["name"] == name
    assert values["metadata"]["type"] == kind
    assert values["odd"] == [1, 2]


def test_a_field_is_found_within_metadata_and_at_the_top() -> None:
    assert (field(NOTE, "type"), field("---\ntype: user\n---\n", "type")) == ("feedback", "user")


def test_a_new_note_is_as_claude_code_writes_them() -> None:
    assert new_note("use-pnpm", "why", "user", "Use pnpm.") == (
        "---\nname: use-pnpm\ndescription: why\nmetadata:\n  node_type: memory\n  type: user\n---\n\n"
        "Use pnpm.\n"
    )


def test_lines_of_an_index_are_read_added_renewed_and_taken_away() -> None:
    assert [(item.number, item.target, item.hook) for item in index_lines(INDEX)] == [
        (3, "use-pnpm.md", "why pnpm"),
        (4, "re try.md", "`x`"),
    ]
    more = with_index_line(INDEX, "New [one]", "new one.md", "said\nhere")
    assert more == INDEX.replace("`x`\n", "`x`\n- [New (one)](new%20one.md) — said here\n")
    assert without_index_line(more, "new one.md") == INDEX
    assert with_index_line(INDEX, "pnpm", "use-pnpm.md", "new") == INDEX.replace("why pnpm", "new")


def test_code_names_no_note() -> None:
    assert index_lines("```\n- [a](a.md)\n```\n") == []


def test_links_follow_a_file_and_code_stays() -> None:
    assert renamed(NOTE + "`[[build]]`\n", "build.md", "fast build.md") == (
        NOTE.replace("[[build]]", "[[fast build]]").replace("(build.md#", "(fast%20build.md#")
        + "`[[build]]`\n"
    )


def test_a_title_becomes_a_name_of_a_file() -> None:
    assert [file_name(text) for text in ("Use pnpm!", "项目", "../..")] == [
        "use-pnpm.md", "项目.md", "note.md",
    ]  # fmt: skip
