"""The archive of a memory: what agents leave here that is worth keeping, captured, listed, put back and let
go of; the capture of what is new and the forgetting of what is purged come by themselves."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import stat
import time
from collections.abc import Callable, Container, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ...agents.homes import AgentHomes, is_denied
from ...config import archives
from ...database import notices
from ...database.files import atomic
from ...database.files.locks import FileLock
from ...database.health import Check
from ...formats.transcripts.discovery import folders, transcripts_in
from ...platform.clock import DAY_MS, now_ms
from ...platform.errors import ConflictError, DatabaseError, NotFoundError, SourceError, StoreError
from ...platform.regular_file import open_regular
from ...platform.translation import N_, _
from ...records.dataclasses import dataclass
from ...text.occurrences import Occurrences
from ...text.plural import count_noun
from .manifest import LARGEST, NAME, ArchivedFile, Chunk, ChunkFolder, newest, read_manifest, write_manifest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from ...maintain.doctor import Examination
    from ...store import Store


SUFFIX = "-archive"
CHUNKS = "chunks"
LOCK = ".lock"
PATIENCE_SECONDS = 10.0
UNSAFE = re.compile(r"[^\w.@ -]")

Progress = Callable[[int, int, str], None]


@dataclass(frozen=True, slots=True)
class ArchivedUnit:
    """A session in the archive, or files of an agent that belong to none: its directory there, the last
    version of each file, and how many versions there are in all."""

    agent: str
    project: str
    id: str
    folder: Path
    files: tuple[ArchivedFile, ...]
    versions: int

    @property
    def size(self) -> int:
        """Return the bytes of its files as they were."""
        return sum(entry.size for entry in self.files)

    @property
    def seen(self) -> int:
        """Return when one of its files was seen last (ms)."""
        return max((entry.seen for entry in self.files), default=0)

    @property
    def is_only_here(self) -> bool:
        """Return whether one of its files is gone from the agent's folder."""
        return any(not Path(entry.path).exists() for entry in self.files)


@dataclass(frozen=True, slots=True)
class Captured:
    """Counts of a capture: sessions with something new, files, and the bytes that were read of these."""

    units: int
    files: int
    bytes: int


class Archive:
    """The directory beside a memory, for its owner only."""

    def __init__(self, database: Path) -> None:
        self.path = database.with_name(database.name + SUFFIX)
        self.chunks = ChunkFolder(self.path / CHUNKS)

    def capture(self, units: Iterable[SourceUnit], progress: Progress | None = None) -> Captured:
        """Keep what is new in files; of one that has only grown, its new end. Raises OSError, and
        DatabaseError while another process is at it."""
        sessions = files = size = 0
        with self._alone():
            whole = list(units)
            for place, unit in enumerate(whole):
                if progress is not None:
                    progress(place, len(whole), f"{unit.agent} {unit.id}")
                folder = self._folder(unit.agent, unit.project, unit.id)
                if (entries := self._entries(folder)) is None:
                    continue
                before = len(entries), [entry.sha256 for entry in entries]
                for path in unit.files:
                    with suppress(FileNotFoundError):
                        grown = self._capture(path, entries)
                        files, size = files + (grown is not None), size + (grown or 0)
                if (len(entries), [entry.sha256 for entry in entries]) != before:
                    write_manifest(folder, entries)
                    sessions += 1
        return Captured(sessions, files, size)

    def units(self) -> list[ArchivedUnit]:
        """Return what is kept, by agent, project and id; a damaged manifest is told and passed over."""
        results = []
        for folder in self._folders():
            if (entries := self._entries(folder)) is None:
                continue
            *_, agent, project, id = folder.parts
            last = tuple(newest(entries).values())
            results.append(ArchivedUnit(agent, project, id, folder, last, len(entries)))
        return results

    def unit(self, id: str) -> ArchivedUnit:
        """Return what is kept of a session, by its id or the beginning of it. Raises NotFoundError, and
        ConflictError where that fits several."""
        fitting = [unit for unit in self.units() if unit.id.startswith(id)]
        exact = [unit for unit in fitting if unit.id == id] or fitting
        if not exact:
            raise NotFoundError("Nothing of {id} is archived. `mem archive list` shows what is.", id=id)
        if len(exact) > 1:
            named = ", ".join(f"{unit.agent}/{unit.project}/{unit.id}" for unit in exact[:3])
            raise ConflictError(
                "{id} fits {number} sessions: {named}. Give more of the id.",
                id=id,
                number=len(exact),
                named=named,
            )
        return exact[0]

    def stored_bytes(self, unit: ArchivedUnit) -> int:
        """Return how many bytes the pieces of a session take."""
        chunks = {chunk.sha256: chunk for entry in unit.files for chunk in entry.chunks}
        return sum(map(self.chunks.stored_bytes, chunks.values()))

    def verify(self) -> Iterator[tuple[Path, str]]:
        """Yield what is damaged or gone: the session's directory in the archive, and a sentence."""
        for folder in self._folders():
            try:
                entries = read_manifest(folder)
            except (SourceError, OSError) as error:
                yield folder, str(error)
                continue
            for entry in entries:
                try:
                    self._check(entry)
                except (SourceError, OSError) as error:
                    yield folder, f"{entry.path}: {error}"

    def content(self, entry: ArchivedFile) -> Iterator[bytes]:
        """Yield the bytes of a version of a file, piece by piece. Raises SourceError."""
        return map(self.chunks.read, entry.chunks)

    def restore(self, unit: ArchivedUnit, folder: Path | None = None) -> list[Path]:
        """Put the files of a session back, or into a directory, with their bytes and mode; changed now,
        or their agent would delete them again. Return those that were missing. ConflictError, and nothing
        is written, where a file is there that differs; SourceError where one is damaged."""
        places = {entry: self._place_of(entry, unit, folder) for entry in unit.files}
        to_write = []
        for entry, place in places.items():
            self._check(entry)
            if not os.path.lexists(place):
                to_write.append(entry)
            elif _sha256_of(place) != entry.sha256:
                raise ConflictError(
                    "{place} is there and differs. Nothing was written; --to DIR restores elsewhere.",
                    place=place,
                )
        for entry in to_write:
            place = places[entry]
            place.parent.mkdir(parents=True, exist_ok=True)
            with atomic.draft(place) as made:
                with made.open("wb") as file:
                    file.writelines(self.content(entry))
                made.chmod(entry.mode)
                atomic.publish(made, place, replace=False)
        return [places[entry] for entry in to_write]

    def prune(self, days: float) -> int:
        """Let go of sessions of which nothing new was seen for so many days; return how many."""
        before = now_ms() - round(days * DAY_MS)
        return self.forget(unit for unit in self.units() if unit.seen < before)

    def forget(self, units: Iterable[ArchivedUnit]) -> int:
        """Let go of sessions, and of the pieces that no other has; return how many sessions. What a killed
        capture left goes too, as no session has it."""
        with self._alone():
            gone = [unit.folder for unit in units]
            among = {
                chunk.sha256 for folder in gone for entry in read_manifest(folder) for chunk in entry.chunks
            }
            for folder in gone:
                shutil.rmtree(folder)
                for parent in folder.parents[:2]:
                    with suppress(OSError):
                        parent.rmdir()
            left = [self._entries(folder) for folder in self._folders()]
            kept = {chunk.sha256 for entries in left for entry in entries or () for chunk in entry.chunks}
            # What a damaged manifest lists nobody knows.
            self.chunks.drop_all_but(kept, among if None in left else None)
        return len(gone)

    def _capture(self, path: Path, entries: list[ArchivedFile]) -> int | None:
        """Add what is new in a file to its versions; return how many bytes, None where nothing is."""
        last = newest(entries).get(str(path))
        status = path.stat()
        if last is not None and (status.st_size, status.st_mtime_ns) == (last.size, last.mtime_ns):
            return None
        whole = hashlib.sha256()
        chunks: tuple[Chunk, ...] = ()
        start = lines = 0
        ending = b""
        with open_regular(path) as file:
            status = os.fstat(file.fileno())
            if last is not None and last.size <= status.st_size:
                left = last.size
                while left and (data := file.read(min(left, LARGEST))):
                    whole.update(data)
                    left -= len(data)
                    ending = data[-1:]
                if whole.hexdigest() == last.sha256:
                    chunks, start, lines = last.chunks, last.size, last.lines
                else:
                    whole, ending = hashlib.sha256(), b""
            file.seek(start)
            left = status.st_size - start
            while left and (data := file.read(min(left, LARGEST))):
                whole.update(data)
                chunks = (*chunks, self.chunks.keep(data))
                lines += data.count(b"\n")
                left -= len(data)
                ending = data[-1:]
        size = status.st_size - left
        entry = ArchivedFile(
            str(path), size, status.st_mtime_ns, stat.S_IMODE(status.st_mode), whole.hexdigest(),
            now_ms(), lines, ending not in (b"", b"\n"), chunks,
        )  # fmt: skip
        if last is not None and entry.sha256 == last.sha256:
            return None
        if last is not None and start:
            entries.remove(last)
        entries.append(entry)
        return size - start

    def _check(self, entry: ArchivedFile) -> None:
        whole = hashlib.sha256()
        for data in self.content(entry):
            whole.update(data)
        if whole.hexdigest() != entry.sha256:
            raise SourceError("its pieces don't make what it was.")

    def _place_of(self, entry: ArchivedFile, unit: ArchivedUnit, folder: Path | None) -> Path:
        path = Path(entry.path)
        if folder is None:
            return path
        base = Path(os.path.commonpath([str(Path(item.path).parent) for item in unit.files]))
        return folder / path.relative_to(base)

    def _entries(self, folder: Path) -> list[ArchivedFile] | None:
        try:
            return read_manifest(folder)
        except SourceError as error:
            notices.say(str(error))
            return None

    def _folders(self) -> list[Path]:
        return sorted(place.parent for place in self.path.glob(f"*/*/*/{NAME}"))

    def _folder(self, *names: str) -> Path:
        return self.path.joinpath(*(UNSAFE.sub("_", name)[:200].lstrip(".") or "_" for name in names))

    def _alone(self) -> _Alone:
        atomic.make_directories(self.path)
        return _Alone(self.path / LOCK)


class _Alone:
    """Holds the archive's lock while the block runs; DatabaseError where another process has it."""

    def __init__(self, path: Path) -> None:
        self.lock = FileLock(str(path), PATIENCE_SECONDS)

    def __enter__(self) -> None:
        if not self.lock.__enter__():
            self.lock.__exit__()
            raise DatabaseError("Another process writes to the archive. Try again when it is through.")

    def __exit__(self, *error: object) -> None:
        self.lock.__exit__(*error)


def _sha256_of(path: Path) -> str:
    whole = hashlib.sha256()
    with open_regular(path) as file:
        while data := file.read(LARGEST):
            whole.update(data)
    return whole.hexdigest()


def forget_quoting(store: Store, sessions: Container[str], texts: Occurrences) -> int:
    """Let go of the archived sessions with these ids, and of those that quote a text; return how many.
    Raises OSError, and SourceError where what is damaged can't be looked through."""
    archive = Archive(store.path)
    if not archive.path.is_dir():
        return 0

    def quotes(unit: ArchivedUnit) -> bool:
        versions = read_manifest(unit.folder)
        return any(texts.needles_in_chunks(archive.content(version))[0] for version in versions)

    return archive.forget(
        unit for unit in archive.units() if unit.id in sessions or (texts and quotes(unit))
    )


def archive_checks(store: Store) -> Iterator[Check]:
    """Yield how many transcripts agents delete within seven days, and whether they are archived; nothing
    where none expire and nothing is archived."""
    from ...agents.transcript_retention import expiring

    count = sum(entry.count for entry in expiring(AgentHomes.own()))
    archive = Archive(store.path)
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


EXAMINATION: Examination = (N_("archive"), archive_checks)
"""What `mem doctor` looks at."""


LEAST_SECONDS = 600
"""So far do two captures lie apart that nobody asked for."""


def capture_if_on(store: Store) -> None:
    """Capture what is new into a store's archive, where that is on and the last time is ten minutes ago.
    Not for where an agent waits; what can't be done now is done after the next session."""
    if not archives():
        return
    # Only where it is on: they import what reads transcripts.
    from ...agents.homes import AgentHomes

    archive = Archive(store.path)
    lock = archive.path / LOCK
    with suppress(OSError, StoreError):
        if lock.exists() and time.time() - lock.stat().st_mtime < LEAST_SECONDS:
            return
        archive.capture(units(AgentHomes.own()))
        os.utime(lock)


UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
ENDS = frozenset((".jsonl", ".json", ".md", ".txt", ".log"))
"""The ends of names of what is kept; others' databases never are."""
BESIDE: dict[str, tuple[tuple[str, str], ...]] = {
    "claude-code": (
        ("memory", "projects/*/memory/**/*.md"),
        ("plans", "plans/*.md"),
        ("tasks", "tasks/*/*"),
        ("prompts", "history.jsonl"),
    ),
    "codex": (("memory", "memories/**/*.md"), ("prompts", "history.jsonl")),
    "gemini": (("memory", "tmp/*/memory/**/*.md"),),
}
"""What belongs to no session, by agent: what it is, and where it lies in the agent's folder."""


@dataclass(frozen=True, slots=True)
class SourceUnit:
    """What is kept together: an agent's session, or its notes of a project, plans or prompts."""

    agent: str
    project: str
    id: str
    files: tuple[Path, ...]

    @property
    def size(self) -> int:
        """Return the bytes of its files."""
        return sum(file.stat().st_size for file in self.files if file.exists())


def units(here: AgentHomes, agents: Iterable[str] = ()) -> Iterator[SourceUnit]:
    """Yield what agents have on this machine; of those named, else of all."""
    agent_names = set(agents)
    by_key: dict[tuple[str, str, str], dict[Path, None]] = {}
    for agent, root in folders(here.home, here.environment):
        if agent_names and agent not in agent_names:
            continue
        for path in transcripts_in(agent, root) if root.is_dir() else ():
            if not _is_kept(path):
                continue
            inner = path.relative_to(root).parts
            project = inner[0] if len(inner) > 1 and agent in ("claude-code", "gemini") else "-"
            files = by_key.setdefault((agent, project, _session(path, root)), {})
            files |= dict.fromkeys((path, *_belonging(path)))
    for agent, places in BESIDE.items():
        if agent_names and agent not in agent_names:
            continue
        home = here.folder_of(agent)
        for what, pattern in places:
            for path in sorted(home.glob(pattern)) if home.is_dir() else ():
                if _is_kept(path):
                    parts = path.relative_to(home).parts
                    project = parts[1] if what == "memory" and parts[0] != "memories" else "-"
                    by_key.setdefault((agent, project, what), {})[path] = None
    for (agent, project, id), files in sorted(by_key.items()):
        yield SourceUnit(agent, project, id, tuple(files))


def _session(path: Path, root: Path) -> str:
    """Return the id of the session that a transcript, or one of its sub-agents', is of."""
    for name in (path.stem, *reversed(path.relative_to(root).parts[:-1])):
        if match := UUID.search(name):
            return match[0]
    return path.stem


def _belonging(path: Path) -> Iterator[Path]:
    """Yield what lies in the directory that has a transcript's name: sub-agents, results of tools."""
    folder = path.with_suffix("")
    if folder.is_dir() and not folder.is_symlink():
        for base, names, files in os.walk(folder):
            names.sort()
            for name in sorted(files):
                file = folder.__class__(base) / name
                if _is_kept(file):
                    yield file


def _is_kept(path: Path) -> bool:
    return (
        path.suffix in ENDS and path.is_file() and not path.is_symlink() and not is_denied(path.resolve())
    )
