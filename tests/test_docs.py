"""README and docs: every link leads somewhere, and no page grows into a manual."""

import re
from pathlib import Path

from tests.places import ROOT
from tests.tables import table

PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
NAMES = [page.relative_to(ROOT).as_posix() for page in PAGES]

KB = 1024
LONGEST_README, LONGEST_PAGE = 9 * KB, 12 * KB
GENERATED = {"docs/keys.md"}
"""Made of the bindings: as long as what it lists."""
ELSEWHERE = ("http:", "https:", "mailto:")

SAMPLES = ROOT / "tests" / "store" / "observe" / "rules" / "known_tool_samples.py"
"""What tools printed, with paths of their own."""
SPEAKS_OF_PAGES = [
    *(path for top in ("store", "tui", "bench", "tests") for path in (ROOT / top).rglob("*.py")),
    *(ROOT / name for name in ("Makefile", "pyproject.toml")),
    *PAGES,
]
PAGE_IN_TEXT = re.compile(r"(?<![\w/.-])docs/[\w/-]+\.md")


def without_code(text: str) -> str:
    """A page without its fences and code spans, in which nothing is a link or a heading."""
    return re.sub(r"`[^`\n]+`", "", re.sub(r"^```.*?^```", "", text, flags=re.S | re.M))


def links(page: Path) -> list[str]:
    return re.findall(r"\]\(([^)\s]+)\)", without_code(page.read_text("utf-8")))


def anchors(page: Path) -> set[str]:
    """The names that GitHub gives a page's headings."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.S | re.M)
    titles = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).strip().replace(" ", "-") for title in titles}


@table("name", NAMES)
def test_every_link_of_a_page_leads_somewhere(name: str) -> None:
    page = ROOT / name
    for link in links(page):
        if link.startswith(ELSEWHERE):
            continue
        path, _, anchor = link.partition("#")
        target = (page.parent / path).resolve() if path else page
        assert target.exists(), link
        assert target.is_relative_to(ROOT), link
        if anchor:
            assert anchor in anchors(target), link


def test_every_page_that_code_and_texts_name_exists() -> None:
    missing = {
        (path.relative_to(ROOT).as_posix(), page)
        for path in SPEAKS_OF_PAGES
        if path != SAMPLES
        for page in PAGE_IN_TEXT.findall(path.read_text("utf-8"))
        if not (ROOT / page).exists()
    }
    assert missing == set()


def test_every_page_is_reached_from_the_readme() -> None:
    reached, left = set(), [ROOT / "README.md"]
    while left:
        page = left.pop()
        reached.add(page)
        targets = {(page.parent / link.partition("#")[0]).resolve() for link in links(page)}
        left += [one for one in targets if one.suffix == ".md" and one not in reached]
    assert {page for page in PAGES if page not in reached} == set()


@table("name", [name for name in NAMES if name.startswith("docs/")])
def test_a_page_is_short_enough_to_be_read(name: str) -> None:
    if name not in GENERATED:
        assert (ROOT / name).stat().st_size <= LONGEST_PAGE


def test_the_readme_is_a_start_and_no_manual() -> None:
    assert (ROOT / "README.md").stat().st_size <= LONGEST_README
