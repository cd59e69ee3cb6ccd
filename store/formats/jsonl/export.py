"""Export as JSON lines: all that a memory holds, a row a line, to be read by anything and imported again.

The first line says what the file is, the last one how many lines there are, so that a file that was cut is
known as such. Rows come by table and number; a row names another by its uid.

Which files this user's stores wrote is noted by their hashes: what such a file holds was judged where it
entered a store."""

from __future__ import annotations

import json
import os
from base64 import b64encode
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from hashlib import blake2b, file_digest
from pathlib import Path
from typing import Any, BinaryIO

import apsw

from ...database.transaction import snapshot
from ...platform.paths import make_private_directories, state_path_bytes
from ...platform.regular_file import open_regular
from ...records.conforming import as_text
from ...store import Store
from ...tables.lists import decoded
from ..common.report import Progress, ProgressCounter
from ..common.scope import RECORDS, Scope
from .layout import BOOLEANS, FORMAT, LISTS, RECORD_TABLES, SELECTION, TABLES, VERSION, TableLayout


def export_jsonl(
    store: Store,
    file: BinaryIO,
    scope: Scope | None = None,
    progress: Progress | None = None,
    *,
    ascii_only: bool = False,
) -> dict[str, int]:
    """Write the memory as of one moment; return the number of lines by table.

    The same memory gives the same bytes, and so does a memory that was made of them. Rows stream:
    no more than one is held. One read transaction is open meanwhile (see docs/import-and-export.md). With
    `ascii_only` all other characters are escaped, so that a terminal can be given the lines.
    """
    scope = scope or Scope()
    head = {"table": FORMAT, "version": VERSION, "private": scope.private, "deleted": scope.deleted}
    if scope.chosen is not None:
        head[SELECTION] = True
    line = _ascii_line if ascii_only else _line
    written = new_hash()

    def write(values: dict[str, Any]) -> None:
        data = line(values)
        written.update(data)
        file.write(data)

    with snapshot(store.db):
        tables = {name: lines for name, lines in TABLES.items() if is_exported(name, lines, scope)}
        counter = ProgressCounter(sum(_count(store.db, name, scope) for name in tables), progress)
        write(head)
        for name, lines in tables.items():
            for row in counter.counted(name, rows(store.db, name, lines, scope)):
                write({"table": name} | row)
        write({"table": "end", "lines": counter.done + 2})
    note_export(written.hexdigest())
    return counter.counts


def is_exported(name: str, lines: TableLayout, scope: Scope) -> bool:
    """Return whether a scope lets a table out at all."""
    if scope.chosen is not None:
        return name in (*RECORDS, "fact_sources")
    if lines.needs == "everything":
        return scope.is_everything
    return scope.private or not lines.needs


def rows(
    db: apsw.Connection,
    name: str,
    lines: TableLayout,
    scope: Scope,
    among: str = "true",
    values: tuple[Any, ...] = (),
) -> Iterator[dict[str, Any]]:
    """Yield a table's rows as lines hold them, without what is NULL, in the order of its key; those that
    meet `among`, a constant SQL condition on `t` with these values."""
    chosen = columns_of_lines(db, name, lines, scope)
    order = ", ".join(f"t.{column}" for column in lines.order)
    sql = (
        f"SELECT {', '.join(chosen.values())} FROM {name} t "
        f"WHERE ({among}) AND {scope.condition(name)} ORDER BY {order}"
    )
    names = tuple(chosen)
    special = [index for index, column in enumerate(names) if column in _READ]
    for row in db.execute(sql, values):
        cells = list(row)
        for index in special:
            cells[index] = _READ[names[index]](cells[index])
        yield {key: value for key, value in zip(names, cells, strict=True) if value is not None}


def columns_of_lines(db: apsw.Connection, name: str, lines: TableLayout, scope: Scope) -> dict[str, str]:
    """Return the keys of a table's lines, and the SQL that gives each."""
    chosen: dict[str, str] = {}
    references = {parent.column: parent for parent in lines.references}
    results: list[Any] = db.execute("SELECT name FROM pragma_table_info(?)", (name,)).fetchall()
    for (column,) in results:
        if column in lines.omitted:
            continue
        if column in references:
            parent = references[column]
            shown = scope.shown("named", parent.table) if parent in lines.links else "true"
            chosen[parent.key] = f"(SELECT uid FROM {parent.table} named WHERE id = t.{column} AND {shown})"
        elif column == "record_id" and name in RECORD_TABLES:
            chosen["record"] = _record_uid(RECORD_TABLES[name])
        elif column == "first_prompt":
            chosen[column] = scope.first_prompt("t")
        elif column == "status" and name == "pending_messages":
            # Whoever is at work on it is at work here.
            chosen[column] = "iif(t.status = 'processing', 'pending', t.status)"
        else:
            chosen[column] = f"t.{column}"
    return chosen


def _record_uid(tables: dict[str, str]) -> str:
    """Return the SQL of the uid of the record that a row names."""
    uids = (
        f"WHEN '{kind}' THEN (SELECT uid FROM {table} WHERE id = t.record_id)"
        for kind, table in tables.items()
    )
    return f"CASE t.kind {' '.join(uids)} END"


def _count(db: apsw.Connection, name: str, scope: Scope) -> int:
    """Return about how many rows there will be, of an index where asking each row would take long."""
    condition = scope.shown("t", name) if name in ("prompts", "observations", "summaries") else "true"
    return int(db.execute(f"SELECT count(*) FROM {name} t WHERE {condition}").get)


def _line(values: dict[str, Any]) -> bytes:
    return (json.dumps(values, ensure_ascii=False, separators=(",", ":"), default=as_text) + "\n").encode()


def _ascii_line(values: dict[str, Any]) -> bytes:
    text = json.dumps(values, separators=(",", ":"), default=as_text).replace("\x7f", "\\u007f")
    return f"{text}\n".encode()


def _list(text: Any) -> Any:
    """Return a list column as a list of texts; what another program wrote there, as it stands."""
    if text == "[]":
        return []
    try:
        result = decoded(text)
    except (TypeError, ValueError, RecursionError):
        return text
    is_plain = isinstance(result, list) and all(type(item) is str for item in result)
    return result if is_plain and "\\u" not in text else text


def _blob(value: Any) -> Any:
    return b64encode(value).decode() if isinstance(value, bytes) else value


_READ: dict[str, Any] = (
    dict.fromkeys(LISTS, _list)
    | dict.fromkeys(BOOLEANS, bool)
    | dict.fromkeys(("changeset", "undo_changeset", "redo_changeset"), _blob)
)


KEPT = 1_000
"""The hashes of so many exports are kept, the newest last."""

new_hash = partial(blake2b, digest_size=16)


def note_export(digest: str) -> None:
    """Note that a file of this hash was written. Where that can't be done it is no less an export."""
    path = _path()
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        make_private_directories(os.fsencode(path.parent))
        kept = [*(it for it in _noted() if it != digest), digest][-KEPT:]
        draft.write_text("".join(f"{it}\n" for it in kept))
        draft.replace(path)


def is_own_export(file: BinaryIO) -> bool:
    """Return whether a file, which is at its beginning, is as a store of this user wrote it."""
    noted = _noted()
    is_noted = bool(noted) and file_digest(file, new_hash).hexdigest() in noted  # type: ignore[arg-type]
    file.seek(0)
    return is_noted


def _noted() -> list[str]:
    with suppress(OSError), open_regular(_path()) as file:
        return file.read().decode(errors="replace").split()
    return []


def _path() -> Path:
    return Path(os.fsdecode(state_path_bytes(b"exports")))
