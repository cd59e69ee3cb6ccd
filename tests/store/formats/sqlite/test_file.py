"""The user's own file is read whole and left as it was: no byte changed, no file beside it."""

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.store import SourceError, Store
from memtui.store.leaves.foreign.database_import import import_database

from .. import holdings
from ..claude_mem.claude_mem_files import ClaudeMemFile
from ..foreign_files import CodexmemFile, ForeignFile, OldClaudeMemFile, TraeMemFile
from ..holdings import contents


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A directory of the other program's."""
    home = tmp_path / "100% #1? ünï"
    home.mkdir()
    return home


@pytest.fixture
def file(home: Path) -> ClaudeMemFile:
    file = ClaudeMemFile(home / "claude-mem.db")
    file.session()
    file.observation(title="first")
    return file


def titles(store: Store) -> set[str | None]:
    return {one.title for one in store.observations.recent()}


@pytest.mark.parametrize("journal_mode", ["delete", "wal"])
def test_a_file_at_rest_is_not_touched(
    store: Store, home: Path, file: ClaudeMemFile, journal_mode: str
) -> None:
    file.run(f"PRAGMA journal_mode = {journal_mode}")
    before = contents(home)
    import_database(store, file.path)
    assert contents(home) == before
    assert titles(store) == {"first"}


@pytest.mark.parametrize("linked", [False, True])
def test_rows_in_the_wal_come_in_and_stay_there(
    store: Store, home: Path, file: ClaudeMemFile, linked: bool
) -> None:
    path = file.path
    if linked:
        path = home.parent / "link.db"
        path.symlink_to(file.path)
    with closing(apsw.Connection(str(file.path))) as live:
        live.pragma("journal_mode", "wal")
        live.execute("UPDATE observations SET title = 'second'")
        before = contents(home)
        assert str(file.path) + "-wal" in before
        report = import_database(store, path)
        assert contents(home) == before
    assert titles(store) == {"second"}
    assert report.notes == []


def test_a_change_left_half_made_by_a_kill_is_not_read(
    store: Store, home: Path, file: ClaudeMemFile, tmp_path: Path
) -> None:
    killed = home / "killed.db"
    with closing(apsw.Connection(str(file.path))) as live:
        live.pragma("cache_size", 1)
        live.execute("BEGIN; UPDATE observations SET title = 'half'")
        live.cache_flush()
        for suffix in ("", "-journal"):
            Path(f"{killed}{suffix}").write_bytes(Path(f"{file.path}{suffix}").read_bytes())
        live.execute("ROLLBACK")
    assert b"half" in killed.read_bytes()
    import_database(store, killed)
    assert titles(store) == {"first"}


def test_a_file_written_meanwhile_is_told(store: Store, file: ClaudeMemFile) -> None:
    def write(done: int, total: int) -> None:
        if done == total:
            file.observation(title="late")

    report = import_database(store, file.path, write)
    assert any("Import it again" in note for note in report.notes)


def test_what_is_no_file_of_claude_mem_is_named(store: Store, home: Path) -> None:
    empty, prose = home / "empty.db", home / "prose.db"
    empty.touch()
    prose.write_text("Dear diary, ")
    for path, said in [
        (home / "none.db", "no file"),
        (home, "is a directory"),
        (Path("/dev/null"), "not a file"),
        (empty, "an empty file"),
        (prose, "not an SQLite database"),
        (store.path, "is a store of memtui's already"),
    ]:
        with pytest.raises(SourceError, match=said):
            import_database(store, path)


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        ("CREATE TABLE recipes (id INTEGER PRIMARY KEY)", "none of the tables"),
        ("CREATE TABLE chunks (id); CREATE TABLE sync_state (id)", "import that directory"),
    ],
)
def test_another_program_s_database_is_named(store: Store, home: Path, schema: str, said: str) -> None:
    with closing(apsw.Connection(str(home / "other.db"))) as db:
        db.execute(schema)
    before = contents(home)
    with pytest.raises(SourceError, match=said):
        import_database(store, home / "other.db")
    assert contents(home) == before


def test_a_file_of_one_program_is_not_imported_as_another_s(store: Store, file: ClaudeMemFile) -> None:
    with pytest.raises(SourceError, match="written by claude-mem, not by codexmem"):
        import_database(store, file.path, program="codexmem")
    assert store.stats().observations == 0


def test_an_empty_log_beside_the_file_is_left_alone(store: Store, home: Path, file: ClaudeMemFile) -> None:
    Path(f"{file.path}-wal").touch()
    before = contents(home)
    import_database(store, file.path)
    assert contents(home) == before
    assert titles(store) == {"first"}


def test_what_a_killed_writer_left_is_read_and_stays(
    store: Store, home: Path, file: ClaudeMemFile, tmp_path: Path
) -> None:
    with closing(apsw.Connection(str(file.path))) as live:
        live.pragma("journal_mode", "wal")
        live.execute("UPDATE observations SET title = 'only in the log'")
        killed = tmp_path / "killed"
        killed.mkdir()
        for suffix in ("", "-wal", "-shm"):
            source = Path(f"{file.path}{suffix}")
            (killed / source.name).write_bytes(source.read_bytes())
    before = contents(killed)
    killed.chmod(0o500)
    try:
        import_database(store, killed / file.path.name)
        assert contents(killed) == before
    finally:
        killed.chmod(0o700)
    assert titles(store) == {"only in the log"}


@pytest.mark.parametrize("suffix", ["-wal", "-journal"])
@pytest.mark.parametrize("size", [10, 40_000])
def test_a_log_that_is_none_hides_no_row(
    store: Store, home: Path, file: ClaudeMemFile, suffix: str, size: int
) -> None:
    Path(f"{file.path}{suffix}").write_bytes(b"?" * size)
    before = contents(home)
    import_database(store, file.path)
    assert contents(home) == before
    assert titles(store) == {"first"}


@pytest.mark.parametrize("kind", [ClaudeMemFile, CodexmemFile, TraeMemFile, OldClaudeMemFile])
def test_letter_case_of_tables_and_columns_is_no_matter(
    store: Store, tmp_path: Path, kind: Callable[[Path], ForeignFile]
) -> None:
    plain, shouted = kind(tmp_path / "plain.db"), kind(tmp_path / "shouted.db")
    for one in (plain, shouted):
        for table in one.defaults:
            if table not in ("sessions", "sdk_sessions", "sync_state"):
                one.add(table, **({"id": "x"} if kind is TraeMemFile else {}))
    if kind is ClaudeMemFile:
        for one in (plain, shouted):
            one.add("sdk_sessions", content_session_id="c-1", memory_session_id="m-1")
    for table in shouted.defaults:
        names = json.loads(shouted.run("SELECT json_group_array(name) FROM pragma_table_info(?)", table))
        for name in names:
            shouted.run(f'ALTER TABLE {table} RENAME COLUMN "{name}" TO "{name}_"')
            shouted.run(f'ALTER TABLE {table} RENAME COLUMN "{name}_" TO "{name.upper()}"')
        shouted.run(f"ALTER TABLE {table} RENAME TO {table}_")
        shouted.run(f"ALTER TABLE {table}_ RENAME TO {table.upper()}")
    import_database(store, plain.path)
    with Store.open(tmp_path / "other.db") as other:
        report = import_database(other, shouted.path)
        assert holdings.said(other) == holdings.said(store)
    assert report.warnings == []
    assert import_database(store, shouted.path).changes == 0
