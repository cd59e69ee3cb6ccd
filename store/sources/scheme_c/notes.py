"""MEMORY.md and NOTES.md as notes."""

from __future__ import annotations

from pathlib import Path

from ...fact_sources import digest, uid_of
from ...notes import INSERT
from ...rows import common, insert, write_text
from ...store import Store
from ..report import Report
from .item import warn
from .lines import BOM

EDITED = "edited here since it was imported"


def land_note(store: Store, report: Report, path: Path, file: str) -> list[int]:
    """Bring a file in as a note, or what is new in it; its number when that made or changed it."""
    raw = path.read_bytes()
    text, is_odd = read_text(raw)
    if is_odd:
        warn(report, file, 1, "is no valid UTF-8; what can't be read of it became U+FFFD")
    scrubbed = write_text(text) or ""
    counts = report.of("notes")
    counts.read += 1
    mark = digest(scrubbed)
    with store.unit():
        known = store.notes.where("source = ? AND native_id = ?", (report.source, file))
        if known:
            note = known[0]
            if note.fingerprint == mark:
                counts.unchanged += 1
                return []
            if digest(note.text) != note.fingerprint:
                counts.skip(EDITED)
                return []
            store.notes.put(note.path, scrubbed, project=note.project)
            remember(store, note.id, mark)
            counts.changed += 1
            return [note.id]
        where = _free_path(store, path, file)
        same = store.notes.where("project = '' AND path = ?", (where,))
        if same and same[0].text == scrubbed:
            counts.unchanged += 1
            return []
        values = common(
            store.machine_id,
            at=round(path.stat().st_mtime * 1_000),
            source=report.source,
            native_id=file,
            fingerprint=mark,
        )
        uid = uid_of(report.source, "notes", file)
        values |= {"uid": uid, "hlc": 0, "project": "", "path": where, "text": scrubbed}
        counts.new += 1
        return [insert(store.db, INSERT, values)]


def read_text(raw: bytes) -> tuple[str, bool]:
    """A file's text, and whether some of it was no UTF-8."""
    try:
        return raw.removeprefix(BOM).decode(), False
    except UnicodeDecodeError:
        return raw.removeprefix(BOM).decode(errors="replace"), True


def _free_path(store: Store, path: Path, file: str) -> str:
    """The file's own name; that of its directory before it where another memory's note has it."""
    for name in (file, f"{path.parent.name}/{file}", str(path)):
        taken = store.notes.where("project = '' AND path = ?", (name,))
        if not taken or (
            taken[0].source is None and taken[0].text == read_text(path.read_bytes())[0]
        ):
            return name
    return str(path)


def remember(store: Store, number: int, mark: str) -> None:
    """The note says what its file says: a later difference was made here."""
    store.db.execute("UPDATE notes SET fingerprint = ? WHERE id = ?", (mark, number))
