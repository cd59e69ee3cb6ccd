"""Find lines of a directory about what is hidden here by now: its days only grow, and others' lines
stay."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ...kinds import TABLES
from ...store import Store
from ...translation import _
from . import payload as parts
from .items import DirectoryReader
from .lines import ObjectLine, read_lines

SHOWN = 5
"""A sentence names so many lines of a file."""


def hidden_lines(store: Store, path: Path, directory: str) -> Iterator[str]:
    """Yield a sentence for each file with lines about what was hidden or purged after they were
    written."""
    uids, lines = _hidden(store, directory)
    for file in sorted({*uids, *lines}):
        numbers = list(_still_there(path, file, uids[file], lines[file]))
        if numbers:
            more = len(numbers) - SHOWN
            named = _(", ").join(map(str, numbers[:SHOWN]))
            if more > 0:
                named = _("{items} and {number} more", items=named, number=f"{more:,}")
            yield _(
                "{file} still tells what is private or purged here (line {lines}). A sync never "
                "takes such a line away: delete it by hand.",
                file=file,
                lines=named,
            )


def _hidden(store: Store, directory: str) -> tuple[defaultdict[str, set[str]], defaultdict[str, set[str]]]:
    """Return the uids, and the names of other programs' lines, that are hidden, by the files they
    may be in."""
    uids: defaultdict[str, set[str]] = defaultdict(set)
    lines: defaultdict[str, set[str]] = defaultdict(set)
    for kind, table in TABLES.items():
        rows: Any = store.db.execute(
            "SELECT r.uid, r.file, t.id, iif(t.source = r.directory, t.native_id, NULL) "
            f"FROM synced_records r LEFT JOIN {table} t ON t.uid = r.uid "
            "WHERE r.directory = ? AND r.kind = ? AND (t.id IS NULL OR t.private)",
            (directory, kind),
        ).fetchall()
        names = [name for *_, name in rows]
        if kind == "fact":
            sql = "SELECT native_id FROM fact_sources WHERE fact_id = ? AND source = ?"
            for _, _, number, _ in rows:
                names += [name for (name,) in store.db.execute(sql, (number, directory))]
        for uid, file, *_ in rows:
            uids[file].add(uid)
        for name in names:
            _put(lines, name)
    for (name,) in store.db.execute("SELECT native_id FROM purged WHERE source = ?", (directory,)):
        _put(lines, name)
    return uids, lines


def _put(lines: defaultdict[str, set[str]], name: str | None) -> None:
    if name and "#" in name:
        lines[name.split("#", 1)[0]].add(name)


def _still_there(path: Path, file: str, uids: set[str], names: set[str]) -> Iterator[int]:
    """Yield the numbers of the lines that say more of these records than that they are gone."""
    if not (path / file).is_file():
        return
    times: Counter[str] = Counter()
    for line in read_lines(path, file):
        if not isinstance(line, ObjectLine):
            continue
        if DirectoryReader.is_ours(line):
            ours = line.values[parts.KEY]
            if ours.get("uid") in uids and "is_gone" not in ours:
                yield line.number
        elif DirectoryReader.name(line, times) in names:
            yield line.number
