"""The health of a memory: one `Check` for each thing that was examined, and those of the file."""

from __future__ import annotations

from collections.abc import Iterator

import apsw

from ..records.dataclasses import dataclass
from . import migrations


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at: whether it is well, what was found, and what to do if not."""

    name: str
    ok: bool
    found: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Health:
    """All checks; `ok` when each of them is."""

    checks: tuple[Check, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is wrong."""
        return all(check.ok for check in self.checks)


RESTORE = "Make a copy of the file, then restore a backup."


def file_checks(db: apsw.Connection) -> Iterator[Check]:
    """Yield what is to say of the file itself: SQLite's version, the schema, pages, references."""
    yield Check("SQLite", True, f"{apsw.sqlite_lib_version()}, apsw {apsw.apsw_version()}")
    version = migrations.current_version(db)
    known = migrations.latest_version()
    yield Check(
        "schema", version <= known, f"version {version}", f"Upgrade memtui: it knows up to {known}."
    )
    problems = [row[0] for row in db.execute("PRAGMA integrity_check(5)")]
    yield Check(
        "file",
        problems == ["ok"],
        "; ".join(problems),
        RESTORE,
    )
    orphans = db.execute("PRAGMA foreign_key_check").fetchall()
    yield Check("references", not orphans, f"{len(orphans)} broken", "Restore a backup.")
