"""Memories of which a file has changed since: the sign in lists, the files in the detail, the pictures."""

from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.links.changed_files import refresh
from memtui.tui.memory import Detail
from tests.store.git.repository import Repository, at, needs_git
from tests.tui.browser import ask, opened, search, text, titles
from tests.tui.pictures import LOW, MIDDLE, Compare
from tests.tui.search.test_pictures import looks_right

pytestmark = needs_git


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A memory of two observations, of which the files of one have changed since."""
    repository = Repository(tmp_path / "atlas")
    repository.change(0, "src/token.py", "src/queue.py", "src/old.py")
    with Store.open(tmp_path / "stale.db") as store:
        store.sessions.start("c-1", agent="codex", project="atlas", project_path=str(repository.root))
        for title, *files in (
            ("The queue drains in one transaction", "src/queue.py"),
            ("The refresh token is read once", "src/token.py", "src/old.py", "src/queue.py"),
        ):
            store.observations.add(
                "c-1", agent="codex", project="atlas", type="discovery", title=title,
                narrative=f"{title}, whoever asks for it.", files_read=files, at=at(10),
            )  # fmt: skip
        repository.change(60, "src/token.py")
        repository.change(90, "src/token.py")
        repository.git("rm", "-q", "src/old.py")
        repository.commit(120)
        refresh(store)
    return tmp_path / "stale.db"


async def test_the_detail_names_the_files_that_have_changed(path: Path) -> None:
    async with opened(path) as pilot:
        await ask(pilot, "is:stale")
        shown = text(search(pilot).query_one(Detail))
    assert "Files changed since: look before you rely on it. U says" in shown.replace("\n", " ")
    assert "src/token.py changed" in shown
    assert "2 commits" in shown
    assert "src/old.py deleted" in shown
    assert "src/queue.py changed" not in shown


async def test_a_row_says_it_in_a_word(path: Path) -> None:
    async with opened(path) as pilot:
        await ask(pilot, "sort:recent")
        shown = text(search(pilot).results.list)
    assert "The refresh token is re… ≠ changed" in shown
    assert shown.count("≠") == 1


async def test_the_filter_finds_what_has_changed_and_its_minus_the_others(path: Path) -> None:
    async with opened(path) as pilot:
        for query, title in (("is:stale", "The refresh token"), ("-is:stale", "The queue drains")):
            await ask(pilot, query)
            assert title in text(search(pilot).query_one(Detail))
            assert len(titles(pilot)) == 1


@pytest.mark.parametrize("size", [pytest.param(LOW, id="80x24"), pytest.param(MIDDLE, id="120x40")])
def test_a_memory_whose_files_have_changed(
    snap_compare: Compare, path: Path, size: tuple[int, int]
) -> None:
    assert looks_right(snap_compare, path, size, "down", query="sort:recent -is:pinned")
