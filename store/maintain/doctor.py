"""All that is looked at to say whether a store is well: its file, its indexes, what hooks bring, and its
backups; and what leaves check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ..capture.health import capture_checks
from ..database.health import Check, guarded
from ..install.checks import agent_checks
from ..observe.jobs.checks import observer_checks
from ..platform.leaves import offers
from ..platform.translation import N_, _
from ..store import Store
from .backups import backup_checks

Examination = tuple[str, Callable[[Store], Iterator[Check]]]
"""What is looked at, and what looks at it in an open store."""


def store_checks(store: Store, *, thorough: bool = False) -> Iterator[Check]:
    """Check an open store; `thorough` compares every indexed term, however many."""
    examinations: tuple[Examination, ...] = (
        (N_("reading"), lambda store: iter(store.doctor(thorough=thorough).checks)),
        (N_("capture"), lambda store: iter(capture_checks(store))),
        (N_("agents"), lambda store: iter(agent_checks(store))),
        (N_("observer"), lambda store: iter(observer_checks(store))),
        *offers("doctor"),
        (N_("backup"), lambda store: backup_checks(store.path)),
    )
    for name, examine in examinations:
        yield from guarded(name, partial(examine, store), remedy(store.path))


def remedy(path: Path) -> str:
    """Return what to do where something of a store can't be looked at."""
    return _(
        "Restore a backup (`mem store restore-backup`), or `mem store repair --db {path}`.",
        path=path,
    )
