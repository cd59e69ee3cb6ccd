"""Of a damaged file every row comes in that can be read, and every other one is told."""

import random
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest

from memtui.store import SourceError, Store
from memtui.store.formats.common.upsert import DAMAGED
from memtui.store.leaves.foreign.database_import import import_database
from tests.places import FOREIGN
from tests.promises import promise
from tests.sizes import sizes

from ..foreign_files import ForeignFile, TraeMemFile
from ..holdings import contents
from .claude_mem_files import ClaudeMemFile

TABLES = {
    "observations": ("observations", "prompts"),
    "session_summaries": ("summaries",),
    "summaries": ("summaries",),
    "user_prompts": ("prompts",),
}

Rows = dict[str, set[tuple[str, bytes]]]
"""By table, id and content of rows."""


def claude_mem(path: Path) -> ForeignFile:
    """A file of several pages a table, with a text that fills pages of its own."""
    file = ClaudeMemFile(path)
    for number in range(6):
        file.session(f"c-{number}", f"m-{number}", user_prompt="make it fast " * 20)
        file.prompt(content_session_id=f"c-{number}", prompt_text="go on " * 90)
        file.summary(memory_session_id=f"m-{number}", learned="caches help " * 60)
    file.observations(40)
    file.observation(title="a long one", narrative="page after page " * 2_000)
    return file


def trae_mem(path: Path) -> ForeignFile:
    """The same of trae-mem, whose rows go by names."""
    file = TraeMemFile(path)
    for number in range(40):
        file.observation(f"o-{number:02}", "it was asked for on every call " * 12)
    for number in range(20):
        file.summary(f"s-{number:02}", "caches help " * 40)
    file.observation("long", "page after page " * 2_000)
    return file


@pytest.fixture(params=[claude_mem, trae_mem], ids=["claude-mem", "trae-mem"])
def sound(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A sound file."""
    path: Path = request.param(tmp_path / "sound.db").path
    return path


def rows(path: Path) -> Rows:
    """By table, id and content of each row that SQLite gives when it is asked for that one row."""
    found: Rows = {}
    with closing(apsw.Connection(f"file:{path}?immutable=1", flags=OPEN)) as db:
        db.execute("PRAGMA writable_schema = on")
        for table in TABLES:
            with suppress(apsw.Error):
                columns = [str(one) for (one,) in db.execute(COLUMNS, (table,))]
                whole = " || '\x1f' || ".join(f"quote(CAST({column} AS BLOB))" for column in columns)
                sql = f"SELECT id, {whole} FROM {table} NOT INDEXED WHERE rowid = ?"
                for number in range(1, 400 if columns else 0):
                    with suppress(apsw.Error):
                        found.setdefault(table, set()).update(db.execute(sql, (number,)))
    return found


OPEN = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
COLUMNS = "SELECT name FROM pragma_table_info(?)"


def damaged(data: bytes, places: int) -> Iterator[bytes]:
    """A file zeroed in one range after the other, in a part of each, and cut at as many places."""
    step = len(data) // places
    chosen = random.Random(5)
    for start in range(0, len(data), step):
        yield data[:start] + bytes(len(data[start : start + step])) + data[start + step :]
        at = start + chosen.randrange(step)
        length = chosen.randrange(16, 600)
        yield data[:at] + bytes(len(data[at : at + length])) + data[at + length :]
        yield data[:start]


def check(path: Path, whole: Rows, directory: Path) -> None:
    """Import a damaged file: what can be read comes in, what can't be is told, or all is refused."""
    before = contents(path.parent)
    directory.mkdir(exist_ok=True)
    for old in directory.iterdir():
        old.unlink()
    with Store.open(directory / "memory.db") as store:
        try:
            report = import_database(store, path)
        except SourceError:
            report = None
        held = {
            table: {
                str(native_id)
                for name in names
                for (native_id,) in store.db.execute(f"SELECT native_id FROM {name}")
            }
            for table, names in TABLES.items()
        }
        assert store.doctor().ok
    assert contents(path.parent) == before
    if report is not None:
        for table, intact in rows(path).items():
            missing = {str(name) for name, _ in intact & whole[table]} - held[table]
            assert missing == set()
        is_all = all({str(name) for name, _ in one} <= held[table] for table, one in whole.items())
        assert is_all or report.is_damaged


@promise("dirty-input")
@sizes("places", 3, 10)
def test_whatever_is_damaged_all_other_rows_come_in(sound: Path, tmp_path: Path, places: int) -> None:
    whole = rows(sound)
    data = sound.read_bytes()
    for number, version in enumerate(damaged(data, places)):
        home = tmp_path / str(number)
        home.mkdir()
        (home / "damaged.db").write_bytes(version)
        check(home / "damaged.db", whole, tmp_path / "store")


@pytest.mark.parametrize("name", ["claude-mem-v9.db", "codexmem.db", "trae-mem.db"])
@pytest.mark.long
def test_the_same_of_files_that_the_programs_wrote(tmp_path: Path, name: str) -> None:
    if not (FOREIGN / name).exists():
        pytest.skip("no foreign files beside the repository")
    data = (FOREIGN / name).read_bytes()
    whole = rows(FOREIGN / name)
    (tmp_path / "damaged").mkdir()
    path = tmp_path / "damaged" / name
    for place in range(5):
        at = len(data) * (2 * place + 1) // 10
        for version in (data[:at] + bytes(20_000) + data[at + 20_000 :], data[:at]):
            path.write_bytes(version)
            check(path, whole, tmp_path / "store")


@promise("dirty-input")
def test_rows_beyond_a_hole_come_in_and_the_hole_is_named(store: Store, tmp_path: Path) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.observations(3_000)
    data = bytearray(file.path.read_bytes())
    data[-200_000:-100_000] = b"\xff" * 100_000
    file.path.write_bytes(data)
    report = import_database(store, file.path)
    held = {int(one) for (one,) in store.db.execute("SELECT native_id FROM observations")}
    assert {1, 3_000} <= held and 1_500 < len(held) < 3_000
    named: set[int] = set()
    for warning in report.warnings:
        first, _, last = warning.native_id.partition(" to ")
        named |= set(range(int(first), int(last or first) + 1))
    assert held | named == set(range(1, 3_001))
    assert any("damaged" in note for note in report.notes)


@promise("dirty-input")
def test_a_damaged_row_comes_in_but_never_changes_a_record(store: Store, tmp_path: Path) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.observation(title="known", narrative="it was sound")
    import_database(store, file.path)
    file.observation(title="new", narrative="sound, too")
    file.run("UPDATE observations SET narrative = narrative || ?", "\0" * 64)
    report = import_database(store, file.path)
    bodies = {one.title: one.narrative for one in store.observations.recent()}
    assert bodies == {"known": "it was sound", "new": "sound, too" + "\ufffd" * 64}
    assert report.of("observations").skipped == {DAMAGED: 1}
    assert {warning.native_id for warning in report.warnings} == {"1", "2"}
    assert report.is_damaged


def test_a_damaged_file_tells_nothing_of_what_is_gone(store: Store, tmp_path: Path) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    file.session()
    file.observations(300)
    import_database(store, file.path)
    data = bytearray(file.path.read_bytes())
    data[-40_000:-20_000] = bytes(20_000)
    file.path.write_bytes(data)
    report = import_database(store, file.path)
    assert report.is_damaged
    assert report.of("observations").vanished == 0
    assert store.stats().observations == 300


def test_a_file_that_does_not_say_what_it_holds_is_refused(store: Store, tmp_path: Path) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    data = bytearray(file.path.read_bytes())
    data[100:4_096] = bytes(3_996)
    file.path.write_bytes(data)
    with pytest.raises(SourceError, match="damaged where it says what it holds"):
        import_database(store, file.path)
    assert store.stats().sessions == 0
