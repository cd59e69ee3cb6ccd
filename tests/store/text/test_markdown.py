"""A note's sections and bullets, by the lines they stand on."""

import pytest

from memtui.store.text.markup import Bullet, Section, sections
from tests.places import FOREIGN

NOTE = """\
# Memory

## Habits
- spaces, not tabs
  - two of them
1. first
* a star

```md
## no heading
- no bullet
~~~
```
~~~~
# nor this
```
~~~~
<!-- a comment
- inside it
-->
<!-- one line -->
### Deep ###
####none
\tcode
## Empty
"""


def test_sections_and_bullets_know_their_lines() -> None:
    assert sections(NOTE) == [
        Section("Memory", 1, 1),
        Section(
            "Habits",
            2,
            3,
            (
                Bullet("spaces, not tabs", 4),
                Bullet("two of them", 5, 1),
                Bullet("first", 6),
                Bullet("a star", 7),
            ),
        ),
        Section("Deep", 3, 22),
        Section("Empty", 2, 25),
    ]


def test_bullets_before_the_first_heading_are_a_section_without_a_title() -> None:
    assert sections("- one\n# Two\n") == [Section("", 0, 1, (Bullet("one", 1),)), Section("Two", 1, 2)]


@pytest.mark.parametrize("text", ["", "\n\n", "prose only", "```\n# never closed\n- x", "<!-- open\n# x"])
def test_text_without_headings_has_no_sections(text: str) -> None:
    assert sections(text) == []


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Title\n=====\n- a", [Section("Title", 1, 1, (Bullet("a", 3),))]),
        ("# a\n\n    - code\n", [Section("a", 1, 1)]),
        ("# a\n- # b\n> # c\n", [Section("a", 1, 1)]),
        ("# a\n- b\n  on the next line\n-\n", [Section("a", 1, 1, (Bullet("b", 2),))]),
        ("# a\n- b\n  ```\n  - code\n  ```\n", [Section("a", 1, 1, (Bullet("b", 2),))]),
        ("# a\rb\n- c", [Section("a b", 1, 1, (Bullet("c", 2),))]),
    ],
)
def test_what_commonmark_says_is_a_heading_or_a_bullet(text: str, found: list[Section]) -> None:
    assert sections(text) == found


def test_windows_line_ends_make_no_difference() -> None:
    assert sections("# a\r\n- b\r\n") == sections("# a\n- b\n")


def test_the_core_memory_that_is_at_hand() -> None:
    path = FOREIGN / "scheme-c" / "MEMORY.md"
    if not path.exists():
        pytest.skip("The foreign memories are not at hand.")
    found = [section for section in sections(path.read_text("utf-8")) if section.level == 2]
    assert [(one.line, len(one.bullets)) for one in found] == [(3, 3), (8, 4), (14, 3), (25, 0), (27, 1)]
