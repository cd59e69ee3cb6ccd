"""What is shown of a title where there is no room for all of it."""

import pytest
from textual.content import Content

from memtui.tui.text.content import fit_title
from memtui.tui.text.rows import shared_beginning

LONG = "the same words at the beginning of all of them, then "
SHOWN = [
    ("Edited src/app/db/pool.py: open", 40, "Edited src/app/db/pool.py: open"),
    ("Edited src/app/db/pool.py: open", 27, "Edited …/db/pool.py: open"),
    ("Edited src/app/db/pool.py: open", 25, "Edited …/db/pool.py: open"),
    ("Edited src/app/db/pool.py: open", 24, "Edited …/pool.py: open"),
    ("Edited src/app/db/pool.py: open", 14, "Edited …/pool…"),
    (r"Read C:\Users\me\work\a.go", 18, r"Read …\work\a.go"),
    ("/home/me/work/a.go", 12, "…/work/a.go"),
    ("Read …/lib/data/a.go: open", 20, "Read …/a.go: open"),
    ("Read …/a/b.go", 13, "Read …/a/b.go"),
    ("Compare src/a/one.py with src/b/two.py", 28, "Compare …/one.py with …/two…"),
    ("either/or is no path, whatever", 16, "either/or is no…"),
    ("See https://example.org/a/b/c", 20, "See https://example…"),
    ("改了 src/模块/数据/池.py 的打开", 22, "改了 …/池.py 的打开"),
    ("**Done:** `make test` passes", 40, "Done: make test passes"),
    ("## Heading", 40, "Heading"),
    ("| `a.go` | what it does |", 40, "a.go | what it does"),
    ("a * b and snake_case_name #1", 40, "a * b and snake_case_name #1"),
]


@pytest.mark.parametrize(("title", "width", "shown"), SHOWN)
def test_paths_lose_folders_before_names_and_titles_have_no_marks(
    title: str, width: int, shown: str
) -> None:
    content = fit_title(Content(title), width)
    assert content.cell_length == width
    assert content.plain.rstrip() == shown


@pytest.mark.parametrize("width", [30, 40, 50])
def test_titles_that_begin_alike_show_where_they_differ(width: int) -> None:
    titles = [f"{LONG}{end}" for end in ("one", "two at the end", "three and so much more that it is cut")]
    shown = [
        fit_title(Content(title), width, shared=shared_beginning(title, titles)).plain.rstrip()
        for title in titles
    ]
    assert len(set(shown)) == len(titles)
    assert all("… " in line or "…" in line[:-1] for line in shown)
    assert all(line.startswith("the same w") for line in shown)
    assert ["one" in shown[0], "two" in shown[1], "three" in shown[2]] == [True] * 3


def test_what_was_searched_for_stays_lit_in_what_is_left() -> None:
    content = Content("Edited src/app/db/pool.py: open").stylize("bold", 27, 31)
    shown = fit_title(content, 24)
    [span] = shown.spans
    assert shown.plain[span.start : span.end] == "open"
