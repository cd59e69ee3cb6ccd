"""All that is looked at to say whether a store is well: its file, its indexes, its vectors, its archive,
and what hooks bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ..agents.homes import AgentHomes
from ..agents.transcript_retention import expiring
from ..capture.health import capture_checks
from ..config import archives, embeddings_settings
from ..database.health import Check, guarded
from ..install.checks import agent_checks
from ..leaves.archive.archive import Archive
from ..leaves.embeddings.vectors import Vectors
from ..observe.jobs.checks import observer_checks
from ..platform.errors import ConfigurationError
from ..platform.leaves import offers
from ..platform.translation import N_, _
from ..store import Store
from ..text.plural import count_noun
from .backups import backup_checks


def store_checks(store: Store, *, thorough: bool = False) -> Iterator[Check]:
    """Check an open store; `thorough` compares every indexed term, however many."""
    examinations: dict[str, Callable[[], Iterator[Check]]] = {
        N_("reading"): lambda: iter(store.doctor(thorough=thorough).checks),
        N_("capture"): lambda: iter(capture_checks(store)),
        N_("agents"): lambda: iter(agent_checks(store)),
        N_("observer"): lambda: iter(observer_checks(store)),
        N_("embeddings"): lambda: iter([embeddings_check(store.vectors)]),
        **{name: partial(examine, store) for name, examine in offers("doctor")},
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


def archive_checks(database: Path) -> Iterator[Check]:
    """Yield how many transcripts agents delete within seven days, and whether they are archived; nothing
    where none expire and nothing is archived."""
    count = sum(entry.count for entry in expiring(AgentHomes.own()))
    archive = Archive(database)
    is_on = archives()
    if not count and not archive.path.is_dir():
        return
    kept = len(archive.units()) if archive.path.is_dir() else 0
    parts = (
        _("{entries} archived", entries=count_noun(kept, "entries")) if kept else "",
        _("{number} transcript expires within 7 days", number=count)
        if count == 1
        else _("{transcripts} expire within 7 days", transcripts=count_noun(count, "transcripts")),
        _("archive is on") if is_on else _("archive is off"),
    )
    result = _("; ").join(part for part in parts if part)
    yield Check(N_("archive"), True, result, "mem archive capture")


NAME = "embeddings"


def embeddings_check(vectors: Vectors) -> Check:
    """Return how far the vectors are; not well where a file is damaged, or the model can't be used."""
    if damaged := vectors.damaged:
        remedy = _("mem embeddings build makes it again; mem embeddings drop deletes it.")
        return Check(NAME, False, _("{path} is damaged", path=damaged[0]), remedy)
    try:
        settings = embeddings_settings()
        if settings is None:
            size = f"{vectors.size / 1e6:,.1f}"
            result = _("off; {size} MB of vectors stay", size=size) if vectors.size else _("off")
            return Check(NAME, True, result)
        status = vectors.status(settings)
    except ConfigurationError as error:
        return Check(NAME, False, str(error), _("Searches go without vectors until then."))
    if not vectors.are_kept:
        return Check(
            NAME,
            True,
            _("{model}, but none of this store: mem embeddings build begins", model=status.name),
        )
    share = int(100 * status.records / status.total) if status.total else 100
    content = _(
        "{model}: {share} % of {total} records built",
        model=status.name,
        share=share,
        total=f"{status.total:,}",
    )
    if status.trouble:
        remedy = _("mem embeddings test tries the model, mem embeddings build goes on at once.")
        return Check(NAME, False, f"{content}. {status.trouble}", remedy)
    return Check(NAME, True, content)
