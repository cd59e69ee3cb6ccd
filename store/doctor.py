"""All that is looked at to say whether a store is well: its file, its indexes, and what hooks bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from .archive.checks import archive_checks
from .capture.status.checks import capture_checks
from .database.health import Check, guarded
from .embeddings.checks import embeddings_check
from .files.health import files_checks
from .install.checks import agent_checks
from .maintain.copies.backups import backup_checks
from .observe.jobs.checks import observer_checks
from .store import Store
from .translation import N_, _


def store_checks(store: Store, *, thorough: bool = False) -> Iterator[Check]:
    """Check an open store; `thorough` compares every indexed term, however many."""
    examinations: dict[str, Callable[[], Iterator[Check]]] = {
        N_("reading"): lambda: iter(store.doctor(thorough=thorough).checks),
        N_("capture"): lambda: iter(capture_checks(store)),
        N_("agents"): lambda: iter(agent_checks(store)),
        N_("observer"): lambda: iter(observer_checks(store)),
        N_("embeddings"): lambda: iter([embeddings_check(store.vectors)]),
        N_("files"): lambda: files_checks(store.path),
        N_("backup"): lambda: backup_checks(store.path),
        N_("archive"): lambda: archive_checks(store.path),
    }
    for name, examine in examinations.items():
        yield from guarded(name, examine, remedy(store.path))


def remedy(path: Path) -> str:
    """Return what to do where something of a store can't be looked at."""
    return _(
        "Restore a backup (`mem store restore-backup`), or `mem store repair --db {path}`.",
        path=path,
    )
