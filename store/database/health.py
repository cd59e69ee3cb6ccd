"""The health of a memory: one `Check` for each thing that was examined, and those of the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import apsw

from ..database import schema
from ..platform.errors import StoreError, failure_of
from ..platform.translation import N_, _
from ..records.dataclasses import dataclass
from .schema import comparison


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


RESTORE = _(
    "Make a copy of the file, then restore a backup (`mem store restore-backup`), "
    "or run `mem store repair`."
)
VALUES_REMEDY = _("They are shown as far as they can be. `mem store repair` makes a store without them.")
MOST_NAMED = 12
FREE_PAGES = 16_384
"""So many empty pages (64 MB) are worth giving back, where they are most of the file."""


def file_checks(db: apsw.Connection) -> Iterator[Callable[[], Iterator[Check]]]:
    """Yield the examinations of the file itself: SQLite's version, the schema's number, pages,
    references, room."""
    yield lambda: iter([Check("SQLite", True, f"{apsw.sqlite_lib_version()}, apsw {apsw.apsw_version()}")])
    yield lambda: _version(db)
    yield lambda: _pages(db)
    yield lambda: _references(db)
    yield lambda: _free_pages(db)


def guarded(name: str, examine: Callable[[], Iterator[Check]], remedy: str) -> Iterator[Check]:
    """Yield what an examination finds; that it could not be made is a finding of its own."""
    try:
        yield from examine()
    except (apsw.InterruptError, MemoryError):
        raise
    except Exception as error:
        content = str(error) if isinstance(error, StoreError) else failure_of(error)
        yield Check(name, False, _("could not be examined ({error})", error=content), remedy)


def schema_checks(db: apsw.Connection, index_scripts: Sequence[str]) -> Iterator[Check]:
    """Yield whether tables, indexes, views and triggers are those of the newest schema; the names of
    what isn't ours. A foreign trigger or unique index on a table of ours can refuse or change rows."""
    known = schema.latest_version()
    if schema.current_version(db) > known:
        return
    differences = comparison.differences(db, known, index_scripts)
    wrong = [difference for difference in differences if difference.kind != "foreign"]
    yield Check(
        N_("tables"),
        not wrong,
        _named(wrong) or _("as schema {version} has them", version=known),
        _("`mem store rebuild` builds again what is missing or changed (lost rows: `mem store repair`)."),
    )
    foreign = [
        schema_difference for schema_difference in differences if schema_difference.kind == "foreign"
    ]
    ours = {item.table for item in _ours(known, index_scripts)} if foreign else set()
    if meddling := [entry for entry in foreign if _meddles(db, entry, ours)]:
        yield Check(
            N_("foreign triggers"),
            False,
            _named(meddling),
            _("If you didn't make it, remove it (DROP TRIGGER or DROP INDEX, then `mem store rebuild`)."),
        )
    if rest := [one for one in foreign if one not in meddling]:
        yield Check(N_("foreign tables"), True, _named(rest))
    machine = db.execute("SELECT value FROM meta WHERE key = 'machine_id'").get
    if not machine:
        yield Check(N_("machine"), False, _("the store has no machine id"), "mem store rebuild")


def value_checks(db: apsw.Connection) -> Iterator[Check]:
    """Yield the check of all values, which reads every row."""
    from .schema.shapes import odd_values

    results = odd_values(db)
    content = _(", ").join(
        _("{number} in {table}", number=f"{number:,}", table=table)
        for table, number in sorted(results.items())
    )
    yield Check(N_("values"), not results, content or _("as they should be"), VALUES_REMEDY)


def _ours(version: int, index_scripts: Sequence[str]) -> Iterator[comparison.SchemaItem]:
    with comparison.fresh(version, index_scripts) as right:
        yield from comparison.items(right).values()


def _meddles(db: apsw.Connection, difference: comparison.SchemaDifference, ours: set[str]) -> bool:
    if difference.table not in ours or difference.type not in ("trigger", "index"):
        return False
    unique = 'SELECT 1 FROM pragma_index_list(?) WHERE name = ? AND "unique"'
    return (
        difference.type == "trigger"
        or db.execute(unique, (difference.table, difference.name)).get is not None
    )


def _named(differences: Sequence[comparison.SchemaDifference]) -> str:
    content = "; ".join(map(str, differences[:MOST_NAMED]))
    more = len(differences) - MOST_NAMED
    return _("{items}; and {number} more", items=content, number=more) if more > 0 else content


def _version(db: apsw.Connection) -> Iterator[Check]:
    version, known = schema.current_version(db), schema.latest_version()
    if version > known:
        advice = _("Upgrade memtui: it knows up to {version}.", version=known)
    elif version < schema.BASELINE:
        advice = _("`mem store rebuild` takes it over.")
    else:
        advice = _("Open it once where it can be written: any `mem` command upgrades it.")
    yield Check(N_("schema"), version == known, _("version {version}", version=version), advice)


def _pages(db: apsw.Connection) -> Iterator[Check]:
    problems = [str(row[0]) for row in db.execute("PRAGMA integrity_check(5)")]
    yield Check(N_("file"), problems == ["ok"], "; ".join(problems), RESTORE)


def _references(db: apsw.Connection) -> Iterator[Check]:
    orphans = db.execute("PRAGMA foreign_key_check").fetchall()
    yield Check(
        N_("references"),
        not orphans,
        _("{number} broken", number=len(orphans)),
        _("`mem store repair`, or restore a backup."),
    )


def _free_pages(db: apsw.Connection) -> Iterator[Check]:
    free, pages = _free_and_all(db)
    yield Check(
        N_("free pages"),
        not is_mostly_free(db),
        _("{number} of {all}", number=f"{free:,}", all=f"{pages:,}"),
        _("`mem store rebuild` gives them back to the disk."),
    )


def is_mostly_free(db: apsw.Connection) -> bool:
    """Return whether most of a file of some size is pages that hold nothing any more."""
    free, pages = _free_and_all(db)
    return free > FREE_PAGES and free * 2 > pages


def _free_and_all(db: apsw.Connection) -> tuple[int, int]:
    return int(db.pragma("freelist_count")), int(db.pragma("page_count"))
