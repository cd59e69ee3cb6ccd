"""Pages are read without SQLite as SQLite reads them."""

from pathlib import Path

import apsw

from memtui.store import Store
from memtui.store.database.schema.shapes import fresh_shapes
from memtui.store.formats.damaged_records import page_size, pages_of, read_copy
from tests.store.formats import fillings


def a_memory(path: Path, long: str = "") -> Path:
    with Store.open(path) as store:
        fillings.fill(store)
        fillings.hide(store)
        with store.transaction():
            for number in range(120):
                store.observations.add(f"s-{number % 7}", title=f"Title {number}", text=long)
    return path


def test_every_row_of_every_table_is_read_as_sqlite_reads_it(tmp_path: Path) -> None:
    path = a_memory(tmp_path / "memory.db", long="a long text that runs over many pages " * 400)
    shapes = fresh_shapes()
    copy = read_copy("it", next(iter(pages_of(path))), shapes, set(shapes), is_own=True)
    assert not copy.holes
    with Store.open(path) as store:
        for name, shape in shapes.items():
            order = ", ".join(shape.key)
            want = store.db.execute(f"SELECT * FROM {name} ORDER BY {order}").fetchall()
            found = [
                tuple(row.values[column.name] for column in shape.columns)
                for row in copy.rows
                if row.table == name
            ]
            assert sorted(found, key=lambda row: row[: len(shape.key)]) == want, name


def test_the_size_of_pages_is_told_without_a_header(tmp_path: Path) -> None:
    path = a_memory(tmp_path / "memory.db")
    for size in (1_024, 4_096, 16_384):
        other = tmp_path / f"{size}.db"
        with apsw.Connection(str(other)) as db:
            db.pragma("page_size", size)
            db.execute("ATTACH ? AS old", (str(path),))
            db.execute("CREATE TABLE rows AS SELECT * FROM old.observations")
            db.execute("CREATE INDEX titles ON rows (title)")
        db.close()
        content = other.read_bytes()
        assert page_size(bytes(100) + content[100:]) == size
