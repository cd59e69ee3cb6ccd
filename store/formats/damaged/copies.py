"""A copy of a memory, be it damaged: its pages, with what its log holds, read from a private copy so
that no byte of it changes."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import apsw

from ...database.files import temporary
from ...errors import SourceError
from ..sqlite.file import COMPANIONS, HEADER, beside, copy_files
from ..sqlite.pages import CELLS_AT, HEADER_BYTES, PAGE_SIZES, Pages

USUAL_PAGE = 4_096
FRAME_HEADER = 24
LOG_HEADER = 32
MOST_TRIED = 2_000
"""So many pages are looked at to tell how large they are."""


def pages_of(path: Path) -> Iterator[Pages]:
    """Yield the pages of a memory: as its last commit left them, then those of its log that SQLite
    can't add to them, if there are any. Raises SourceError where nothing can be read."""
    with temporary.directory("memtui-") as directory:
        copy = _copied(path, directory)
        log = _content(beside(copy, "-wal"))
        added = _settle(copy)
        content = _content(copy)
        size = page_size(content, log)
        yield Pages(content, size)
        frames = _frames(log, size)[added:]
        if frames:
            yield Pages(content, size, dict(frames))


def page_size(content: bytes, log: bytes = b"") -> int:
    """Return the size of a file's pages, as it says itself, as its log does, or as most of it looks."""
    text = [int.from_bytes(content[16:18], "big")] if content.startswith(HEADER) else []
    text.append(int.from_bytes(log[8:12], "big"))
    for size in text:
        size = 65_536 if size == 1 else size
        if size in PAGE_SIZES:
            return size
    looks = {size: _trees(content, size) for size in PAGE_SIZES}
    # Of a larger size too, whatever begins a page looks as it should; of a smaller one it is rare.
    likely = [size for size, share in looks.items() if share and share >= max(looks.values()) / 2]
    return likely[0] if likely else USUAL_PAGE


def _trees(content: bytes, size: int) -> float:
    """The share of pages that begin as those of trees do."""
    result = 0
    starts = range(size, min(len(content) - 8, size * MOST_TRIED), size)
    for start in starts:
        kind, cells = content[start], int.from_bytes(content[start + 3 : start + 5], "big")
        begin = int.from_bytes(content[start + 5 : start + 7], "big") or 65_536
        if kind in CELLS_AT and 0 < cells < size // 4 and CELLS_AT[kind] + 2 * cells <= begin <= size:
            result += 1
    return result / max(len(starts), 1)


def _copied(path: Path, directory: Path) -> Path:
    with suppress(SourceError, OSError):
        return copy_files(path, directory)
    # What lies beside it can't be copied, or it is written all the time.
    copy = directory / "source.db"
    try:
        with suppress(FileNotFoundError):
            shutil.copyfile(path, copy)
        for suffix in COMPANIONS:
            with suppress(OSError):
                shutil.copyfile(beside(path, suffix), beside(copy, suffix))
    except OSError as error:
        raise SourceError("{path} can't be read ({error}).", path=path, error=error.strerror) from error
    return copy


def _settle(copy: Path) -> int:
    """Have SQLite add to a private copy what its log or journal holds; return how many pages of the
    log it added."""
    content = _content(copy)
    if len(content) > HEADER_BYTES and not content.startswith(HEADER):
        _mend_header(copy, content)
    try:
        with closing(apsw.Connection(str(copy), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
            db.pragma("user_version")
            known, added = db.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_PASSIVE)
            return max(0, min(known, added))
    except (apsw.Error, OSError):
        return 0


def _mend_header(copy: Path, content: bytes) -> None:
    """Give a copy whose first bytes are lost those of a sound file of its size."""
    size = page_size(content, _content(beside(copy, "-wal")))
    fields = (size % 65_536 if size < 65_536 else 1).to_bytes(2, "big") + bytes((2, 2, 0, 64, 32, 32))
    count = len(content) // size
    rest = (1).to_bytes(4, "big") + count.to_bytes(4, "big") + bytes(12) + (4).to_bytes(4, "big")
    rest += bytes(8) + (1).to_bytes(4, "big")
    header = HEADER + fields + rest
    header += bytes(92 - len(header)) + (1).to_bytes(4, "big") + (3_051_003).to_bytes(4, "big")
    with copy.open("r+b") as file:
        file.write(header[:HEADER_BYTES])


def _frames(log: bytes, size: int) -> list[tuple[int, bytes]]:
    """The pages in a log, by number, in the order in which they were written; those of an earlier
    use of the log are left out."""
    step = FRAME_HEADER + size
    starts = range(LOG_HEADER, len(log) - step + 1, step)
    salts = [log[start + 8 : start + 16] for start in starts]
    if not salts:
        return []
    own = log[16:24] if log[16:24] in salts else salts[0]
    return [
        (int.from_bytes(log[start : start + 4], "big"), log[start + FRAME_HEADER : start + step])
        for start, salt in zip(starts, salts, strict=True)
        if salt == own
    ]


def _content(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""
