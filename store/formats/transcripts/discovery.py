"""Find the transcripts that agents keep on this machine, and recognize which agent wrote one: by what
the file holds, never by its name alone."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

from ...agents.registry import BY_NAME, BY_PRECEDENCE, WITH_TRANSCRIPTS
from ...platform.regular_file import open_regular, read_regular
from ...records.dataclasses import dataclass
from ...records.events import AgentName
from ...text.times import moment
from ..sqlite.file import HEADER
from .json_records import Record, items, load, mapping, records_of
from .reader import reader_class, reader_module

HEAD = 8_192
"""Bytes of a file in which the time of its beginning is looked for."""

SHORT_ID = 8
"""Characters of a session's id with which some agents name its transcript."""

FOLDERS = frozenset(
    str(place).rpartition("/")[2]
    for agent in BY_NAME.values()
    for place in (*agent.transcript_folders, *agent.transcript_places(Path("/"), {}))
)

DATABASE = ".db"

RECOGNIZED_WHOLE = (DATABASE, ".txt", ".zst")
"""Suffixes of files that aren't JSON; a database is one by its first bytes, whatever its suffix."""

SUFFIXES = (".jsonl", ".json", *RECOGNIZED_WHOLE)
"""The suffixes of transcripts."""

LOOKED_AT = 64
"""The most records of a file, and files of a folder, that are looked at."""

WALKED = 10_000
"""The most files of a folder that are looked at by name."""

LARGEST = 64 * 1024 * 1024
"""Bytes of a JSON file that is recognized as a whole; of a larger one lines are looked at."""

_TIME = re.compile(rb'"timestamp"\s*:\s*"([^"]{19,40})"')


@dataclass(frozen=True, slots=True)
class TranscriptFolder:
    """A directory with an agent's transcripts: how many files, their bytes, when the newest of them was
    written (ms since the epoch, UTC), and how many were written since they were read."""

    agent: AgentName
    path: Path
    files: int
    bytes: int
    newest: int
    new: int


def find_folders(
    home: Path | None = None,
    environment: Mapping[str, str] | None = None,
    read: Mapping[str, int] | None = None,
) -> list[TranscriptFolder]:
    """Return the directories with transcripts on this machine; only names, sizes and times are read. `read`
    says when each file was read (ms), by its path."""
    read = read or {}
    transcript_folders = []
    variables = os.environ if environment is None else environment
    for agent, folder in folders(home or Path.home(), variables):
        entries = list(_entries(folder, agent))
        if entries:
            sizes, times = zip(*((size, time) for _, size, time in entries), strict=True)
            new = sum(time > read.get(str(path.absolute()), -1) for path, _, time in entries)
            transcript_folders.append(
                TranscriptFolder(agent, folder, len(entries), sum(sizes), max(times), new)
            )
    return transcript_folders


def count_compressed() -> int:
    """Return how many transcripts on this machine zstd compressed."""
    return sum(
        path.suffix == ".zst"
        for agent, folder in folders(Path.home(), os.environ)
        for path, _, _ in _entries(folder, agent)
    )


def last_written(agents: Collection[AgentName]) -> dict[AgentName, int]:
    """Return when the newest transcript of each of these agents on this machine was written, in ms
    since the epoch, UTC; agents without any are missing."""
    newest: dict[AgentName, int] = {}
    for agent, folder in folders(Path.home(), os.environ):
        if agent in agents:
            times = (time for _, _, time in _entries(folder, agent))
            newest[agent] = max(newest.get(agent, 0), max(times, default=0))
    return {agent: at for agent, at in newest.items() if at}


def folders(home: Path, environment: Mapping[str, str]) -> Iterator[tuple[AgentName, Path]]:
    """Yield the folders that may hold transcripts, by agent."""
    for agent in map(BY_NAME.__getitem__, WITH_TRANSCRIPTS):
        for folder in agent.transcript_places(home, environment):
            yield agent.name, folder


def transcripts_of_session(agent: AgentName, session: str) -> Iterator[Path]:
    """Yield the transcripts on this machine that may hold a session, by the id in their names, and the
    databases that hold many."""
    marks = (session, session[:SHORT_ID])
    for name, root in folders(Path.home(), os.environ):
        if name == agent:
            for path, _, _ in _entries(root, agent):
                inner = str(path.relative_to(root))
                if path.suffix == ".db" or marks[0] in inner or path.stem.endswith(f"-{marks[1]}"):
                    yield path


def transcripts_in(agent: AgentName, root: Path) -> Iterator[Path]:
    """Yield the transcripts of an agent in a folder, the oldest session first.

    In a folder of the agent's own they are recognized by their names, in any other by what they hold.
    """
    entries = list(_entries(root, agent)) if root.name in FOLDERS else []
    entries = entries or list(_entries(root, agent, by_name=False))
    own = {path.parent for path, _, _ in entries if path.name == "events.jsonl"}
    entries = [entry for entry in entries if entry[0].with_suffix("") not in own]
    yield from (path for path, _, _ in sorted(entries, key=_age))


def agents_in(folder: Path) -> list[AgentName]:
    """Return the agents of which a folder holds transcripts, by what the files hold: the one of most
    files first."""
    results: Counter[AgentName] = Counter()
    for entry, _ in islice(_walk(str(folder)), WALKED):
        path = Path(entry.path)
        if path.suffix in SUFFIXES and (agent := recognize(path)):
            results[agent] += 1
    return [agent for agent, _ in results.most_common()]


def _age(entry: tuple[Path, int, int]) -> tuple[int, int, str]:
    """Return a sort key: when a session began, by its first lines, else when it was written last;
    then that."""
    path, _, written = entry
    with suppress(OSError), open_regular(path) as file:
        if time := _TIME.search(file.read(HEAD)):
            began = moment(None, time[1].decode("ascii", "replace"))
            return (written if began is None else began, written, str(path))
    return (written, written, str(path))


def _entries(root: Path, agent: AgentName, *, by_name: bool = True) -> Iterator[tuple[Path, int, int]]:
    """Yield files below a folder that are named as an agent's transcripts are, or are such by what they
    hold: path, bytes, ms; or the history that it is itself."""
    if root.is_file():
        status = root.stat()
        yield root, status.st_size, int(status.st_mtime * 1_000)
        return
    name = re.compile(BY_NAME[agent].transcript_names)
    # Links in a folder that came from elsewhere may lead anywhere.
    is_own = root.absolute() in {folder for _, folder in folders(Path.home(), os.environ)}
    for entry, inner in _walk(str(root), follows=by_name and is_own):
        path = Path(entry.path)
        if name.match(inner) if by_name else path.suffix in SUFFIXES and recognize(path) == agent:
            with suppress(OSError):
                status = entry.stat()
                yield path, status.st_size, int(status.st_mtime * 1_000)


def _walk(folder: str, *, follows: bool = False) -> Iterator[tuple[os.DirEntry[str], str]]:
    """Yield every file below a folder, each directory once, with its path from there.

    With `follows` links to other directories are followed, through which agents work as well. Links to
    files never are.
    """
    root = os.path.realpath(folder)
    waiting = [(folder, "")]
    seen: set[tuple[int, int]] = set()
    while waiting:
        folder, inner = waiting.pop()
        with suppress(OSError):
            status = Path(folder).stat()
            if (status.st_dev, status.st_ino) in seen:
                continue
            seen.add((status.st_dev, status.st_ino))
            with os.scandir(folder) as entries:
                for entry in entries:
                    with suppress(OSError):
                        if entry.is_dir(follow_symlinks=False) or (
                            follows and entry.is_dir() and not _holds(entry.path, root)
                        ):
                            waiting.append((entry.path, f"{inner}{entry.name}/"))
                        elif entry.is_file(follow_symlinks=False):
                            yield entry, inner + entry.name


def _holds(link: str, root: str) -> bool:
    """Return whether a link leads to a directory that a folder lies in."""
    return f"{root}/".startswith(f"{os.path.realpath(link).rstrip('/')}/")


def recognize(path: Path) -> AgentName | None:
    """Return the agent whose transcript a file is, or of which a folder holds some; None for any other."""
    if path.is_dir():
        inside = (inner for inner in islice(path.rglob("*"), WALKED) if inner.suffix in SUFFIXES)
        writers = (recognize(inner) for inner in islice(inside, LOOKED_AT) if inner.is_file())
        return next((agent for agent in writers if agent), None)
    try:
        with open_regular(path) as file:
            head = file.read(len(HEADER))
        suffix = DATABASE if head == HEADER else path.suffix
        if suffix in RECOGNIZED_WHOLE and (suffix != DATABASE or head == HEADER):
            readers = _file_readers(suffix)
            return next((agent for agent, reader in readers if reader.recognizes_file(path)), None)
        records = islice(_records(path), LOOKED_AT)
        readers = _record_readers()
        return next(
            (agent for record in records for agent, reader in readers if reader.recognizes(record)), None
        )
    except OSError:
        return None


@cache
def _record_readers() -> list[tuple[AgentName, Any]]:
    """Return the modules that recognize JSON records, by agent, the surest first."""
    record_readers = []
    # An agent whose events have no marks of their own may have transcripts that have.
    for name in dict.fromkeys((*BY_PRECEDENCE, *WITH_TRANSCRIPTS)):
        agent = BY_NAME[name]
        readers = {agent.line_reader, *agent.file_readers.values()} - {None}
        modules = {reader_module(reader) for reader in readers if reader}
        record_readers += [(name, module) for module in modules if hasattr(module, "recognizes")]
    return record_readers


@cache
def _file_readers(suffix: str) -> list[tuple[AgentName, Any]]:
    """Return the readers that recognize files of such a suffix, by agent."""
    return [
        (name, reader_class(agent.file_readers[suffix]))
        for name, agent in BY_NAME.items()
        if suffix in agent.file_readers
    ]


def _records(path: Path) -> Iterator[Record]:
    """Yield the objects in a file's lines, or the one that it is, or those of the list that it is."""
    if path.suffix == ".json" and path.stat().st_size <= LARGEST:
        with suppress(ValueError):
            whole = load(read_regular(path, LARGEST))
            yield from map(mapping, [whole, *items(whole)])
    yield from records_of(path)
