"""Steps of later versions that tests make in a folder of their own, and a store that takes them."""

import os
import re
import shutil
import signal
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw

from memtui.store import Store
from memtui.store.database import SCHEMA, schema
from tests.store.formats.fillings import NOW, fill, hide

FIELD = (SCHEMA + 1, "ALTER TABLE notes ADD COLUMN mood TEXT;\n\nUPDATE notes SET mood = 'calm';")
TABLE = (SCHEMA + 2, "CREATE TABLE moods AS SELECT mood FROM notes;\n\nDROP INDEX observations_noise;")
OWN = schema.STEPS
QUERIES = (
    *("drift", "缓存", "leeway", "kind:fact", "kind:prompt", "file:a.py", "tag:urgent", "entity:auth"),
    *("is:pinned", "is:private", "is:deleted", "project:atlas", "canary", "lgoin", ""),
)


def write(folder: Path, *steps: tuple[int, str]) -> Path:
    """Write steps into a folder, behind the program's own and in place of what was there."""
    folder.mkdir(exist_ok=True)
    for path in folder.iterdir():
        path.unlink()
    for path in OWN.glob("[0-9]*.sql"):
        shutil.copy(path, folder)
    for version, script in steps:
        (folder / f"{version:04}_step.sql").write_text(script)
    return folder


def know(folder: Path) -> None:
    """Have this process know the steps of a folder."""
    schema.STEPS = folder
    schema.SCHEMA = max((int(path.name[:4]) for path in folder.glob("[0-9]*.sql")), default=schema.BASELINE)


def filled(path: Path) -> Path:
    """Make a store of the baseline with rows in all tables, hidden ones too, of which SQLite wrote some
    of the SQL."""
    with Store.open(path) as store:
        fill(store)
        hide(store)
        store.summaries.add("c-4", request="Alone", level="brief", at=NOW)
        store.find("drift").page()
    with closing(apsw.Connection(str(path))) as db:
        db.execute("ALTER TABLE hosts RENAME TO other; ALTER TABLE other RENAME TO hosts")
    return path


def rows(path: Path) -> dict[str, list[Any]]:
    """All rows of all tables, but for the schema's own and the indexes'."""
    with closing(apsw.Connection(str(path))) as db:
        names = [
            str(name)
            for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
            if not re.match(r"sqlite_|schema_versions|words|grams|gram_instances", str(name))
        ]
        return {name: db.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def hits(store: Store) -> dict[str, list[str]]:
    """What searches find."""
    return {query: [hit.row.ref for hit in store.find(query).page(related=True).hits] for query in QUERIES}


def open_with_steps(path: Path, number: int) -> None:
    """Open the store with the steps that lie beside it, and add to it."""
    know(path.parent / "steps")
    with Store.open(path) as store:
        store.observations.add("c-1", title=f"of process {number}", event_id=f"p-{number}")


def killed_at(path: Path, at: int) -> None:
    """Open the store with the steps that lie beside it, and die before statement `at` of the steps;
    with what says how many there are where it is never reached."""
    know(path.parent / "steps")
    seen = 0

    def trace(_cursor: object, _sql: str, _bindings: object) -> bool:
        nonlocal seen
        seen += 1
        if seen == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return True

    def watch(db: apsw.Connection) -> None:
        if db.filename == str(path):
            db.exec_trace = trace

    apsw.connection_hooks.append(watch)
    Store.open(path).close()
    path.with_name("statements").write_text(str(seen))
