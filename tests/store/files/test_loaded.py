"""What Claude Code reports that it loaded, held against what is computed."""

import os
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.agents.registry import events_of
from memtui.store.capture.ingest.pipeline import ingest_event
from memtui.store.leaves.files.index import FileIndex, index_path
from memtui.store.leaves.files.reports import (
    difference,
    difference_sentence,
    folders_of_reports,
    last_report,
)
from memtui.store.records.events import SpoolRecord

from .conftest import Tree

AT = 1_790_000_000_000
"""When sessions report."""


@pytest.fixture
def store(tree: Tree) -> Store:
    return Store.open(tree.base / "memory.db")


@pytest.fixture
def shop(tree: Tree) -> Path:
    """A repository whose instructions import a page, all of it older than the reports."""
    for name, text in (("CLAUDE.md", "Read @parts/style.md\n"), ("parts/style.md", "Short lines\n")):
        _old(tree.write(f"shop/{name}", text))
    return tree.shop


def report(store: Store, shop: Path, path: Path, *, at: int = AT, **about: str) -> None:
    event = {
        "hook_event_name": "InstructionsLoaded",
        "session_id": "s-1",
        "cwd": str(shop),
        "file_path": str(path),
        "memory_type": "Project",
        "load_reason": "session_start",
        **about,
    }
    record = SpoolRecord(at, 9_000, "claude-code", frozenset(), str(shop), event)
    for one in events_of(record):
        ingest_event(store, one, "hook")


def _old(path: Path) -> Path:
    os.utime(path, (AT / 1_000 - 60, AT / 1_000 - 60))
    return path


def test_a_start_as_it_was_computed_says_nothing(tree: Tree, store: Store, shop: Path) -> None:
    top, page = shop / "CLAUDE.md", shop / "parts/style.md"
    report(store, shop, top)
    report(store, shop, page, load_reason="include", parent_file_path=str(top))
    below = _old(tree.write("shop/pkg/CLAUDE.md", "below"))
    report(store, shop, below, load_reason="include", parent_file_path=str(shop / "pkg/x.md"))
    loaded = last_report(index_path(store.path), shop)
    assert loaded is not None
    assert [file.path for file in loaded.files] == [top, page]
    assert difference(tree.here, loaded) is None
    assert folders_of_reports(index_path(store.path)) == [shop]


def test_files_that_only_one_of_both_has_are_named(tree: Tree, store: Store, shop: Path) -> None:
    extra = _old(tree.write("shop/EXTRA.md", "more"))
    report(store, shop, shop / "CLAUDE.md")
    report(store, shop, extra)
    loaded = last_report(index_path(store.path), shop)
    assert loaded is not None
    other = difference(tree.here, loaded)
    assert other is not None
    assert other.only_loaded == (extra,)
    assert other.only_computed == (shop / "parts/style.md",)
    assert f"was also told {extra} and was not told {shop / 'parts/style.md'}" in difference_sentence(other)


def test_nothing_is_said_of_files_that_changed_since(tree: Tree, store: Store, shop: Path) -> None:
    report(store, shop, shop / "CLAUDE.md")
    tree.write("shop/CLAUDE.md", "Read @parts/style.md and @parts/more.md\n")
    os.utime(shop / "CLAUDE.md", (AT / 1_000 + 60, AT / 1_000 + 60))
    loaded = last_report(index_path(store.path), shop)
    assert loaded is not None
    assert difference(tree.here, loaded) is None


def test_the_last_session_counts_and_what_is_old_goes(tree: Tree, store: Store, shop: Path) -> None:
    report(store, shop, shop / "gone.md", at=AT - 31 * 86_400_000, session_id="s-0")
    report(store, shop, shop / "CLAUDE.md", session_id="s-0", at=AT - 1_000)
    report(store, shop, shop / "parts/style.md", session_id="s-1")
    loaded = last_report(index_path(store.path), shop)
    assert loaded is not None
    assert [file.path.name for file in loaded.files] == ["style.md"]
    with FileIndex(index_path(store.path)) as index:
        assert index.db.execute("SELECT count(*) FROM loaded").get == 2
    index_path(store.path).unlink()
    assert last_report(index_path(store.path), shop) is None
    assert folders_of_reports(index_path(store.path)) == []


def test_a_report_makes_no_session_and_no_memory(store: Store, shop: Path) -> None:
    report(store, shop, shop / "CLAUDE.md")
    assert store.db.execute("SELECT count(*) FROM sessions").get == 0
