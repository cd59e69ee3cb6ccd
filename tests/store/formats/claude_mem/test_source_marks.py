"""A file is known again by what marks it: as a copy, upgraded, or damaged where it tells of itself."""

import shutil
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.leaves.foreign.database_import import import_database

from ..foreign_files import CodexmemFile, TraeMemFile
from ..holdings import dump
from .claude_mem_files import ClaudeMemFile


@pytest.fixture
def file(tmp_path: Path) -> ClaudeMemFile:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.observation(title="first")
    return file


def test_a_file_that_lost_its_versions_is_known_by_its_first_session(
    store: Store, file: ClaudeMemFile
) -> None:
    first = import_database(store, file.path)
    file.run("DELETE FROM schema_versions")
    again = import_database(store, file.path)
    assert (again.source, again.changes) == (first.source, 0)


def test_a_file_that_gained_versions_by_an_upgrade_is_the_same(store: Store, file: ClaudeMemFile) -> None:
    file.run("DELETE FROM schema_versions")
    first = import_database(store, file.path)
    file.run("INSERT INTO schema_versions VALUES (1, 30, '2026-06-06T06:06:06.000Z')")
    again = import_database(store, file.path)
    assert (again.source, again.changes) == (first.source, 0)


def test_two_files_that_share_a_session_are_two_sources(
    store: Store, file: ClaudeMemFile, tmp_path: Path
) -> None:
    other = ClaudeMemFile(tmp_path / "other.db", made="2026-05-05T05:05:05.000Z")
    other.session()
    other.observation(title="of another")
    first, second = import_database(store, file.path), import_database(store, other.path)
    assert first.source != second.source
    assert store.stats().observations == 2
    before = dump(store)
    assert import_database(store, other.path).changes == 0
    assert dump(store) == before


def test_programs_never_share_a_source(store: Store, tmp_path: Path) -> None:
    sources = {
        import_database(store, kind(tmp_path / kind.__name__).path).source.split(":")[0]
        for kind in (CodexmemFile, TraeMemFile, ClaudeMemFile)
    }
    assert sources == {"codexmem", "trae-mem", "claude-mem"}


def test_a_copy_without_a_single_row_is_a_source_by_its_bytes(store: Store, tmp_path: Path) -> None:
    empty = ClaudeMemFile(tmp_path / "empty.db")
    empty.run("DELETE FROM schema_versions")
    copy = Path(shutil.copy(empty.path, tmp_path / "copy.db"))
    assert import_database(store, empty.path).source == import_database(store, copy).source
