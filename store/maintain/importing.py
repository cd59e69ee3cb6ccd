"""Import another memory or agents' transcripts: what can be imported, what of it lies on this machine,
what reads it; and trying it on a private copy of the memory, which is gone afterwards.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

import apsw

from ..agents.registry import WITH_TRANSCRIPTS
from ..config import mappings
from ..database.file import translate_open_errors
from ..database.files import temporary
from ..database.files.atomic import create_private
from ..formats.sqlite.file import ATTEMPTS, HEADER, open_foreign, stamp
from ..platform.errors import SourceError, StoreError, failure_of
from ..platform.leaves import has_leaf, leaf
from ..platform.paths import current_folder, default_path
from ..platform.regular_file import kind_of, open_regular
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..store import Store
from ..text.plural import count_noun

if TYPE_CHECKING:
    from ..formats.common.report import ImportProgress, Progress, Report

CLAUDE_MEM, SCHEME_C, JSONL = "claude-mem", "scheme-c", "jsonl"
DATABASES = (CLAUDE_MEM, "codexmem", "trae-mem", "engram")
TRANSCRIPTS = WITH_TRANSCRIPTS
CONVERTED = ("mcp-memory", "mem0", "beads", "basic-memory")
ENTIRE = "entire"
SOURCES = (*DATABASES, SCHEME_C, *CONVERTED, *TRANSCRIPTS, ENTIRE, JSONL)
"""The names of all sources, in the order of lists; the leaf `foreign` reads DATABASES and CONVERTED, the
leaf `blame` the branch of a repository that is ENTIRE."""


@dataclass(frozen=True, slots=True)
class Offer:
    """Something to import: how many files of how many bytes, the day of the newest, the command that
    imports it, and how many of the files are not in yet (None where only the import tells)."""

    source: str
    path: Path
    files: int
    bytes: int
    newest: str
    command: str
    new: int | None = None


def offers(read: Mapping[str, int] | None = None) -> Iterator[Offer]:
    """What lies on this machine; only names, sizes and times are read. `read` says when each transcript was
    read (ms), by its path."""
    from ..formats.transcripts.discovery import find_folders

    for program, database in databases_here(Path.home(), os.environ).items():
        status = database.stat()
        yield _offer(program, database, 1, status.st_size, int(status.st_mtime * 1_000))
    for place in find_folders(read=read):
        yield _offer(place.agent, place.path, place.files, place.bytes, place.newest, place.new)
    if found := _checkpoints(here := Path(current_folder() or "/")):
        _ref, newest, kept = found
        yield _offer(ENTIRE, here, len(kept), sum(size for size, _object, _folder in kept), newest)


def when_read(store: Store) -> dict[str, int]:
    """Return when each transcript was read (ms), by its path."""
    rows: Any = store.db.execute("SELECT path, read_at FROM transcripts WHERE read_at > 0 AND is_due = 0")
    return dict(rows)


def sources_here() -> tuple[str, ...]:
    """Return the names of the sources that can be read in this installation."""
    return SOURCES if has_leaf("foreign") else (SCHEME_C, *TRANSCRIPTS, ENTIRE, JSONL)


def databases_here(home: Path, environment: Mapping[str, str]) -> dict[str, Path]:
    """Return the databases of other programs that are where these keep them, by program."""
    if not has_leaf("foreign"):
        return {}
    databases: dict[str, Path] = leaf("foreign.programs").find_databases(home, environment)
    return databases


def source_of(path: Path) -> str:
    """What a file or folder is, told by what it has; SourceError where it is nothing known."""
    from ..formats.jsonl.file_import import is_ours
    from ..formats.scheme_c.directory import is_scheme_c
    from ..formats.transcripts.discovery import recognize

    if not os.path.lexists(path):
        raise SourceError(
            "There is no file or folder {path}, nor a source of this name. Sources are {names}.",
            path=path,
            names=_(", ").join((*sources_here(), *own_mappings())),
        )
    _check(path)
    if _checkpoints(path):
        return ENTIRE
    if is_scheme_c(path):
        return SCHEME_C
    if path.is_file() and is_ours(path):
        return JSONL
    if agent := recognize(path):
        return agent
    if program := _converted(path):
        return program
    if path.is_file():
        try:
            with open_regular(path) as file:
                head = file.read(len(HEADER))
        except OSError as error:
            raise SourceError("{path} can't be read ({error}).", path=path, error=error.strerror) from error
        if head == HEADER and has_leaf("foreign"):
            return _program(path)
    raise SourceError(
        "{path} is neither a store nor a transcript that is known. Name what it is: "
        "mem import SOURCE {path}. A damaged store of memtui: mem store repair --db "
        "{path}.",
        path=path,
    )


def sources_of(path: Path) -> list[str]:
    """Return what a file or folder is, told by what it has: of a folder of transcripts every agent
    that wrote some. Raises SourceError like `source_of`."""
    from ..formats.transcripts.discovery import agents_in

    source = source_of(path)
    if source not in TRANSCRIPTS or not path.is_dir():
        return [source]
    return [*agents_in(path)] or [source]


def run(
    store: Store,
    source: str,
    path: Path | None,
    progress: Progress | None,
    project: str | None = None,
) -> Report:
    """Import a source's file or folder, or without one what it keeps on this machine; what its source
    names no project of belongs to `project` where that is given. The report says how many facts came in
    that hold in every project."""
    before = store.facts.count(project="")
    try:
        report = _run(store, source, path, progress)
    except (apsw.Error, StoreError):
        raise
    except Exception as error:
        raise SourceError(
            "{source} can't be imported ({error}). What was read of it stays.",
            source=source,
            error=failure_of(error),
        ) from error
    if project and (moved := store.known_projects.assign(report.source, project)):
        report.notes.append(
            _(
                "{records} of no project went to {project}.",
                records=count_noun(moved, "records"),
                project=project,
            )
        )
    if (many := store.facts.count(project="") - before) > 0:
        report.notes.append(
            _(
                "1 fact of no project: it holds everywhere. `mem fact list --everywhere` shows them, "
                "`mem fact move ID... --project NAME` says where they hold."
            )
            if many == 1
            else _(
                "{facts} of no project: they hold everywhere. `mem fact list --everywhere` shows "
                "them, `mem fact move ID... --project NAME` says where they hold.",
                facts=count_noun(many, "facts"),
            )
        )
    return report


def _checkpoints(folder: Path) -> Any:
    """Return what the branch of a repository keeps of sessions; None for any other folder."""
    return leaf("blame.checkpoints").kept_at(folder) if has_leaf("blame") and folder.is_dir() else None


def own_mappings() -> tuple[str, ...]:
    """Return the names of the mappings in the settings' file, of JSON lines of the user's own; a program's
    name is none."""
    return tuple(name for name in mappings() if name not in SOURCES)


@contextmanager
def private_copy(path: str | Path | None = None) -> Iterator[Store]:
    """Make a copy of a memory (the user's own when no path is given; an empty one where there is none).

    Whatever is done to it, not a byte of the memory changes, and no file appears beside it. Errors
    are those of `Store.open`, and SourceError for what is no database.
    """
    place = Path(path) if path is not None else default_path()
    with temporary.directory("memtui-rehearsal-") as directory:
        copy = directory / "memory.db"
        if place.exists():
            with translate_open_errors(place, read_only=True):
                _copy(place, copy)
        with Store.open(copy) as store:
            yield store


def _run(store: Store, source: str, path: Path | None, progress: Progress | None) -> Report:
    if path is not None and os.path.lexists(path):
        _check(path)
    if source in TRANSCRIPTS:
        from ..capture.ingest.transcripts import import_transcripts

        return import_transcripts(store, source, path, progress)
    if source == ENTIRE:
        place = path or Path(current_folder() or "/")
        kept: Report = leaf("blame.checkpoints").import_checkpoints(store, place, progress)
        return kept
    place = path or _usual(source)
    if source == SCHEME_C:
        from ..formats.scheme_c.directory_import import import_directory

        return import_directory(store, place, _counting(progress, "lines"))
    if source in CONVERTED or source in own_mappings():
        converted: Report = leaf("foreign.converted_import").import_converted(
            store, place, source, _counting(progress, "lines")
        )
        return converted
    if source == JSONL:
        from ..formats.jsonl.file_import import import_jsonl

        return import_jsonl(store, place, _counting(progress, "bytes"))
    report: Report = leaf("foreign.database_import").import_database(
        store, place, _counting(progress, "rows"), program=source
    )
    return report


def _check(path: Path) -> None:
    """Raise SourceError where a path is neither a regular file nor a directory, or can't be reached."""
    try:
        kind = kind_of(path)
        if kind is None and path.is_dir():
            next(path.iterdir(), None)
    except OSError as error:
        raise SourceError(
            "{path} can't be read ({error}). Check the path.", path=path, error=error.strerror
        ) from error
    if kind:
        raise SourceError("{path} can't be imported: {kind}.", path=path, kind=kind)


def _program(path: Path) -> str:
    """Which program's database a file is; claude-mem's where that is hard to tell."""
    with open_foreign(path) as db:
        try:
            program: str | None = leaf("foreign.programs").recognize_program(db)
            return program or CLAUDE_MEM
        except apsw.Error:
            return CLAUDE_MEM


def _converted(path: Path) -> str | None:
    """Which program's memory a file or folder is; None for none that is converted."""
    if not has_leaf("foreign"):
        return None
    try:
        program: str | None = leaf("foreign.converted_import").recognize(path)
        return program
    except OSError as error:
        raise SourceError("{path} can't be read ({error}).", path=path, error=error.strerror) from error


def _usual(source: str) -> Path:
    """What a program keeps on this machine."""
    if source in DATABASES + CONVERTED:
        leaf("foreign")
    path = databases_here(Path.home(), os.environ).get(source)
    if path is None:
        raise SourceError(
            "No memory of {source} was found on this machine. Name it: mem import {source} PATH.",
            source=source,
        )
    return path


def _offer(source: str, path: Path, files: int, size: int, newest: int, new: int | None = None) -> Offer:
    day = datetime.fromtimestamp(newest / 1_000).astimezone().date().isoformat()
    command = f"mem import {source} {shlex.quote(str(path))}"
    return Offer(source, path, files, size, day, command, new)


def _counting(progress: Progress | None, unit: str) -> ImportProgress | None:
    """A progress that is told how much of how much is done, and tells how fast it goes, too."""
    if progress is None:
        return None
    started = monotonic()
    before: int | None = None

    def show(done: int, total: int) -> None:
        nonlocal before
        # What is passed over at once, since it was done before, is no measure.
        before = done if before is None else before
        rate = (done - before) / max(monotonic() - started, 0.001)
        words = _(
            "of {total} {unit}, {rate} a second",
            total=f"{total:,}",
            unit=_(unit),
            rate=f"{rate:,.0f}",
        )
        progress(done, total, words)

    return show


def _copy(place: Path, copy: Path) -> None:
    os.close(create_private(copy))
    for _attempt in range(ATTEMPTS):
        before = stamp(place)
        with (
            open_foreign(place) as source,
            closing(apsw.Connection(str(copy))) as target,
            target.backup("main", source, "main") as job,
        ):
            job.step(-1)
        # Where another process wrote meanwhile, pages of two states may have met.
        if stamp(place) == before:
            return
