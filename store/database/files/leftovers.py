"""What lies beside a memory's file and isn't its own: the log or lock that another memory left.

SQLite reads any `-wal` or `-journal` that has the right name into whatever file stands there. So
before a file is opened for writing, what can't be its own is moved aside, under the lock that keeps
every other process from opening it. How it is told:

- a `-wal` beside a file whose header says rollback journal, as all our backups do: a file gets its
  log only after its header says so;
- a `-wal` whose pages continue another state of the file than the one that stands there, by the
  change counter of page 1, or by the number of pages where it holds none;
- a `-journal` that is more than the one of the change to write-ahead logging: we make no other.

Little is imported: the lean `mem add` asks here too.
"""

from __future__ import annotations

import os
from sys import byteorder

import apsw

from ...platform.errors import DatabaseError
from ...platform.translation import _
from .. import notices
from ..connection import has_log, real_path, size_of
from .locks import DirectoryLock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pathlib import Path
    from typing import BinaryIO, Literal

COMPANIONS = ("-wal", "-shm", "-journal")

HEADER_BYTES = 100
WRITE_VERSION = slice(18, 20)
COUNTER = slice(24, 28)
PAGES = slice(28, 32)
CHANGING = frozenset((*range(18, 20), *range(24, 28), *range(92, 100)))
"""Bytes of page 1 that the change to write-ahead logging changes: versions, counter, library."""
GROWING = frozenset(range(28, 72))
"""Bytes of page 1 that any transaction may change: pages, free ones, the schema and its version."""

WAL_MAGIC = (0x377F0682, 0x377F0683)
WAL_HEADER, FRAME_HEADER = 32, 24
JOURNAL_MAGIC = bytes.fromhex("d9d505f920a163d7")

PATIENCE_SECONDS = 10.0
_LOCKS = (apsw.SQLITE_LOCK_SHARED, apsw.SQLITE_LOCK_RESERVED, apsw.SQLITE_LOCK_EXCLUSIVE)


def is_quiet(path: str) -> bool:
    """Return whether a file beside which a log lies can be opened without a closer look, since other
    processes have it open."""
    name = real_path(path)
    with DirectoryLock(os.path.dirname(name), PATIENCE_SECONDS), _Exclusive(name) as file:
        return not file.is_held and not _is_someone_elses(name, file)


def settle(path: Path) -> None:
    """Move aside what lies beside a file and isn't its own, and leave a notice.

    While other processes have the file open all is theirs, and left alone; where it was replaced
    under them, DatabaseError. Raises OSError.
    """
    if not has_log(str(path)):
        return
    name = real_path(str(path))
    with DirectoryLock(os.path.dirname(name), PATIENCE_SECONDS), _Exclusive(name) as file:
        if file.is_held and _is_someone_elses(name, file):
            tell(path, move_aside(name))
        elif not file.is_held and _is_someone_elses(name, file, is_alone=False):
            raise DatabaseError(
                "{path} was replaced while another process has it open. End that process "
                "(the browser, an agent), then try again; `mem store restore-backup FILE` "
                "needs no such thing.",
                path=path,
            )


def is_foreign(path: Path) -> bool:
    """Return whether a log lies beside a file that certainly isn't its own; nothing is changed."""
    if not has_log(str(path)):
        return False
    name = real_path(str(path))
    with _Exclusive(name, wanted=False) as file:
        return _is_someone_elses(name, file, is_alone=False)


def place(made: Path, path: Path) -> None:
    """Give a finished file the name `path`, its log and locks moved aside where some were left there;
    both are on the disk then. FileExistsError where something has the name.

    Nobody else makes a memory in this directory meanwhile, so that none takes a log for a stranger's
    that its first opener has begun.
    """
    from . import atomic

    name = real_path(str(path))
    with DirectoryLock(os.path.dirname(name), PATIENCE_SECONDS):
        if os.path.lexists(path):
            raise FileExistsError(path)
        tell(path, move_aside(name))
        atomic.publish(made, path, replace=False)


def move_aside(name: str) -> list[str]:
    """Rename what lies beside a file to `memory-aside-STAMP.db-wal` and so on; the new names."""
    results = [suffix for suffix in COMPANIONS if os.path.lexists(name + suffix)]
    if not results:
        return []
    aside = free_aside(name)
    for suffix in results:
        try:  # noqa: SIM105 - contextlib would have to be imported
            os.rename(name + suffix, aside + suffix)
        except FileNotFoundError:
            pass
    return [aside + suffix for suffix in results]


def free_aside(name: str) -> str:
    """Return `memory-aside-STAMP.db` beside a file, which nothing has, with any ending."""
    from time import gmtime, strftime

    stem, ending = os.path.splitext(name)
    number = 1
    while True:
        mark = f"-{number}" if number > 1 else ""
        aside = f"{stem}-aside-{strftime('%Y%m%d-%H%M%S', gmtime())}{mark}{ending}"
        if not any(os.path.lexists(aside + suffix) for suffix in ("", "-spool", *COMPANIONS)):
            return aside
        number += 1


def tell(path: Path, moved: list[str]) -> None:
    """Leave a notice of what was moved aside; what holds no memories isn't worth one."""
    worth = [name for name in moved if not name.endswith("-shm")]
    if worth:
        notices.say(
            _(
                "What another store had left beside {path} was not read into it, and is now "
                "{names}. Remove it when nothing is missing.",
                path=path,
                names=_(" and ").join(worth),
            )
        )


def set_aside_files(path: Path) -> list[Path]:
    """Return what was moved aside from a memory, and is still there."""
    place = path.resolve()
    try:
        paths = sorted(place.parent.iterdir())
    except OSError:
        return []
    beginning = f"{place.stem}-aside-"
    return [item for item in paths if item.name.startswith(beginning) and place.suffix in item.name]


class AloneWith:
    """`with AloneWith(path) as is_alone:` keeps every other process from opening a file or making
    one of this name; `is_alone` is False where one has it open. A missing file, or one that is no
    database, nobody has open."""

    def __init__(self, path: Path) -> None:
        self.name = real_path(str(path))

    def __enter__(self) -> bool:
        self.directory = DirectoryLock(os.path.dirname(self.name), PATIENCE_SECONDS)
        self.directory.__enter__()
        self.file = _Exclusive(self.name, wanted=size_of(self.name) > 0)
        self.file.__enter__()
        return self.file.is_held or not size_of(self.name)

    def __exit__(self, *error: object) -> None:
        self.file.__exit__()
        self.directory.__exit__()


class _Exclusive:
    """`with _Exclusive(name) as file:` holds SQLite's own exclusive lock on a file where no process
    has it open (`is_held`). By way of SQLite, since closing a file of one's own would let go of the
    locks that this process has on it."""

    def __init__(self, name: str, *, wanted: bool = True) -> None:
        self.name, self.wanted = name, wanted
        self.is_held = False
        self.file: apsw.VFSFile | None = None

    def __enter__(self) -> _Exclusive:
        mode = apsw.SQLITE_OPEN_READWRITE if self.wanted else apsw.SQLITE_OPEN_READONLY
        try:
            self.file = apsw.VFSFile("", self.name, [apsw.SQLITE_OPEN_MAIN_DB | mode, 0])
            if self.wanted:
                for level in _LOCKS:
                    self.file.xLock(level)
                self.is_held = True
        except apsw.Error:
            if self.file is not None:
                self.file.xUnlock(apsw.SQLITE_LOCK_NONE)
        return self

    def __exit__(self, *error: object) -> None:
        if self.file is not None:
            if self.is_held:
                self.file.xUnlock(apsw.SQLITE_LOCK_NONE)
            self.file.xClose()

    def read(self, amount: int) -> bytes:
        """The file's beginning; less where it is shorter."""
        try:
            return b"" if self.file is None else self.file.xRead(amount, 0)
        except apsw.Error:
            return b""

    def size(self) -> int:
        """The file's bytes."""
        return 0 if self.file is None else self.file.xFileSize()


def _is_someone_elses(name: str, file: _Exclusive, *, is_alone: bool = True) -> bool:
    """Whether a log lies beside a file that can't be its own. Where others may write meanwhile only
    what they can't make look so counts."""
    has_log = size_of(name + "-wal") > 0
    # Read after the log was seen: a header that says so is older than any log.
    header = file.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES or header[:15] != b"SQLite format 3":
        # Damaged, and for others to judge.
        return False
    if has_log and header[WRITE_VERSION] == b"\1\1":
        return True
    if not is_alone:
        return False
    return _is_of_another_state(name, file, header) or not _is_own_journal(name, header)


def _is_of_another_state(name: str, file: _Exclusive, header: bytes) -> bool:
    """Whether a log goes on from another state of the file than its present one, or from one that
    lies between its own beginning and end."""
    try:
        with open(name + "-wal", "rb") as log:
            counters, pages, page_size = _read_log(log)
    except OSError:
        return False
    if not pages:
        return False
    counter = int.from_bytes(header[COUNTER])
    if counters:
        return not counters[0] - 1 <= counter <= counters[-1]
    return file.size() // page_size != pages


def _read_log(log: BinaryIO) -> tuple[list[int], int, int]:
    """The change counters of page 1 in a log, the number of pages that its last transaction leaves
    (0 without one), and a page's size. Only transactions that were committed count: after a power cut
    any part of what follows may be missing, or be what was there before."""
    header = log.read(WAL_HEADER)
    if len(header) < WAL_HEADER or int.from_bytes(header[:4]) not in WAL_MAGIC:
        return [], 0, 1
    is_big = header[3] & 1 == 1
    page_size = int.from_bytes(header[8:12])
    salts, before = header[16:24], header[24:32]
    counters: list[int] = []
    waiting: list[int] = []
    pages, place = 0, WAL_HEADER
    while True:
        log.seek(place)
        frame = log.read(FRAME_HEADER)
        if len(frame) < FRAME_HEADER or frame[8:16] != salts:
            return counters, pages, page_size
        is_commit = frame[4:8] != bytes(4)
        if is_commit or int.from_bytes(frame[:4]) == 1:
            page = log.read(page_size)
            if _checksum(frame[:8] + page, before, is_big=is_big) != frame[16:24]:
                return counters, pages, page_size
            if int.from_bytes(frame[:4]) == 1:
                waiting.append(int.from_bytes(page[COUNTER]))
        if is_commit:
            pages = int.from_bytes(frame[4:8])
            counters += waiting
            waiting.clear()
        before = frame[16:24]
        place += FRAME_HEADER + page_size


def _checksum(content: bytes, before: bytes, *, is_big: bool) -> bytes:
    """SQLite's checksum of a part of a log, which goes on from that of the part before."""
    if len(content) % 8:
        return b""
    order: Literal["big", "little"] = "big" if is_big else "little"
    if order == byteorder:
        numbers = memoryview(content).cast("I").tolist()
    else:
        parts = range(0, len(content), 4)
        numbers = [int.from_bytes(content[part : part + 4], order) for part in parts]
    number, two = int.from_bytes(before[:4]), int.from_bytes(before[4:])
    for first, second in zip(numbers[::2], numbers[1::2], strict=True):
        number = (number + first + two) & 0xFFFFFFFF
        two = (two + second + number) & 0xFFFFFFFF
    return number.to_bytes(4) + two.to_bytes(4)


def _is_own_journal(name: str, header: bytes) -> bool:
    """Whether a journal is none that SQLite would play back, or may be the file's own: that of the
    change to write-ahead logging, which holds page 1 alone.

    A file without a log may have been written with a journal (it was busy when it should have got
    its log); the page 1 in that has to be the file's, as it was one transaction ago.
    """
    try:
        with open(name + "-journal", "rb") as journal:
            first, pages, size = _read_journal(journal)
    except OSError:
        return True
    if header[WRITE_VERSION] == b"\1\1":
        if not first:
            # Page 1 is as it was, and so says how many pages there were.
            return not pages or header[PAGES] == size
        steps = int.from_bytes(header[COUNTER]) - int.from_bytes(first[COUNTER])
        return steps in (0, 1) and _is_alike(first, header, CHANGING | GROWING)
    return not pages or (pages == 1 and _is_alike(first, header, CHANGING))


def _is_alike(data: bytes, other: bytes, but: frozenset[int]) -> bool:
    """Whether two headers of a file agree in all but some bytes."""
    pairs = enumerate(zip(data[:HEADER_BYTES], other[:HEADER_BYTES], strict=False))
    return bool(data) and all(a == b for index, (a, b) in pairs if index not in but)


def _read_journal(journal: BinaryIO) -> tuple[bytes, int, bytes]:
    """Page 1 as a journal keeps it (empty where it doesn't), how many pages that keeps, and how many
    the file had."""
    head = journal.read(28)
    if head[:8] != JOURNAL_MAGIC:
        return b"", 0, b""
    place, page_size = int.from_bytes(head[20:24]), int.from_bytes(head[24:28])
    first, pages = b"", 0
    while place and page_size:
        journal.seek(place)
        record = journal.read(4 + page_size)
        if len(record) < 4 + page_size:
            break
        pages += 1
        if int.from_bytes(record[:4]) == 1:
            first = record[4:]
        place += 8 + page_size
    return first, pages, head[16:20]
