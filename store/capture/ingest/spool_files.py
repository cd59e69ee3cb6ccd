"""The files of the spool as hooks' processes use them, of which only `posix` is imported: append a line,
wait for the events that hooks have taken, and tell how much of a segment is stored.

A hook's child holds a pipe in the spool open until its event is written. The name of the pipe tells the
order, and the system closes it however the child ends.

A segment's name, device and inode number are soon another file's: a directory is removed and written
again on the same day, a copy takes a file's place, a power failure cuts it and hooks append to what is
left. So the memory keeps a mark of what it has stored of each segment, and a file that doesn't begin so
is read from its start.
"""

import time

from ...platform.paths import (
    KIND_OF_FILE,
    PRIVATE_FILE,
    REGULAR,
    TICKET,
    fallback_spools,
    is_private_directory,
    make_last_two,
    make_private_directories,
)
from ...platform.system import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

WINDOW = 512
"""Bytes of each of the three places that a mark is made of."""

PRIME = (1 << 63) - 25
"""The largest prime below 2^63."""

NEW_SECONDS = 0.2
"""A pipe that is so new may be about to be opened."""

LONGEST_NAP = 0.05

Beginning = tuple[int, int, int]
"""What is stored of a segment: its length in bytes, where its last line begins, and its mark."""


def append(database: bytes, spool: bytes, name: bytes, line: bytes) -> None:
    """Append a line to a file in the spool, else in the first fallback that can be written.

    Raises OSError where none does.
    """
    try:
        write_durably(spool, name, line)
        return
    except OSError:
        pass
    for fallback in fallback_spools(database):
        try:
            make_last_two(fallback)
            if is_private_directory(fallback.rpartition(b"/")[0]) and is_private_directory(fallback):
                write_durably(fallback, name, line)
                return
        except OSError:
            continue
    raise OSError("nothing can be written anywhere")


def note_loss(database: bytes, spool: bytes) -> None:
    """Count an event that could not be stored; `mem doctor` shows how many there were."""
    append(database, spool, b"/lost", b"%d\n" % time.time())


def write_durably(folder: bytes, name: bytes, line: bytes) -> None:
    """Append a line to a file in a directory with one write, and wait for the disk.

    Raises OSError where that can't be done, and where the file was removed meanwhile. A pipe in its
    place is not waited for, and doesn't count: no disk has what it takes.
    """
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
    try:
        file = posix.open(folder + name, flags)
        is_new = False
    except FileNotFoundError:
        make_private_directories(folder)
        file = posix.open(folder + name, flags | posix.O_CREAT, PRIVATE_FILE)
        is_new = True
    try:
        if is_new:
            posix.fchmod(file, PRIVATE_FILE)
        if posix.write(file, line) < len(line):
            raise OSError("the disk took only a part")
        getattr(posix, "fdatasync", posix.fsync)(file)
        if not posix.fstat(file).st_nlink:
            raise OSError("the file is gone")
    finally:
        posix.close(file)
    if is_new:
        directory = posix.open(folder, posix.O_RDONLY | posix.O_CLOEXEC)
        posix.fsync(directory)
        posix.close(directory)


def segment_name() -> bytes:
    """The file name of the day's segment (UTC)."""
    return b"/" + time.strftime("%Y-%m-%d", time.gmtime()).encode() + b".jsonl"


def wait_for_hooks(spool: bytes, seconds: float, before: bytes = b"") -> bool:
    """Wait, for at most so many seconds, until every event that was handed over by now is in the spool,
    or each that was before one of that name; whether all are."""
    until = time.monotonic() + seconds
    for name in tickets(spool):
        if before and name >= before:
            break
        if not wait_for_close(spool + b"/" + name, until):
            return False
    return True


def tickets(spool: bytes) -> list[bytes]:
    """The names of the pipes that hooks' children hold or have left, in the order of their events."""
    try:
        return sorted(name for name in posix.listdir(spool) if name.endswith(TICKET))
    except OSError:
        return []


def wait_for_close(path: bytes, until: float) -> bool:
    """Wait until no process has a pipe open; False where one still has at a time, in monotonic seconds."""
    flags = posix.O_RDONLY | posix.O_NONBLOCK | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        file = posix.open(path, flags)
    except OSError:
        return True
    try:
        while is_held(file) or (is_new(path) and posix.fstat(file).st_nlink):
            left = until - time.monotonic()
            if left <= 0:
                return False
            wait_a_moment(file, min(LONGEST_NAP, left))
        if posix.fstat(file).st_nlink:
            # Its process was killed: one that ends well takes it along.
            posix.unlink(path)
    except OSError:
        # Another process has just done so.
        pass
    finally:
        posix.close(file)
    return True


def is_held(file: int) -> bool:
    """Whether a process has a pipe open for writing."""
    try:
        return posix.read(file, 1) != b""
    except BlockingIOError:
        return True


def wait_a_moment(file: int, seconds: float) -> None:
    """Wait until a pipe is closed, or for so long."""
    # Rarely is there anything to wait for.
    from select import POLLHUP, poll

    closing = poll()
    closing.register(file, POLLHUP)
    closing.poll(seconds * 1_000)


def is_new(path: bytes) -> bool:
    """Whether a pipe was made a moment ago, as its name tells."""
    made = path.rpartition(b"/")[2].partition(b"-")[0]
    return made.isdigit() and 0 <= time.monotonic() - int(made) / 1e9 < NEW_SECONDS


def segment_key(path: bytes) -> str:
    """The name under which the memory knows a file of the spool: its path, as far as that is a text."""
    return path.decode("utf-8", "replace")


def stored_by_segment(db: "apsw.Connection") -> "dict[str, Beginning]":
    """What is stored of each segment that the memory knows, by its key."""
    sql = "SELECT segment, stored, last, mark FROM spool_segments WHERE mark IS NOT NULL"
    return {segment: (stored, last, mark) for segment, stored, last, mark in db.execute(sql)}


def open_segment(path: bytes) -> int:
    """Open a file of the spool for reading and give its descriptor.

    Raises OSError for what is no regular file; a link isn't followed, and a pipe isn't waited for.
    """
    flags = posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NOFOLLOW | posix.O_NONBLOCK
    file = posix.open(path, flags)
    try:
        if posix.fstat(file).st_mode & KIND_OF_FILE == REGULAR:
            return file
    except BaseException:
        posix.close(file)
        raise
    posix.close(file)
    raise OSError(f"{path!r} is no regular file")


def mark_of(file: int, stored: int, last: int) -> int | None:
    """The mark of the first `stored` bytes of an open file, of which the last line begins at `last`;
    None where it is shorter.

    It is made of the beginning, of the last line's header, which no other line has, and of the end: a
    file that was cut anywhere and written on differs in one of them.
    """
    seen = b""
    for begin in (0, last, max(0, stored - WINDOW)):
        length = min(WINDOW, stored - begin)
        part = posix.pread(file, length, begin)
        if len(part) < length:
            return None
        seen += part
    # Unlike a hash, this has nothing to import. No change of up to 63 bits in a row gives the same.
    return int.from_bytes(seen, "little") % PRIME


def stored_beginning(file: int, own: Beginning | None, others: "dict[str, Beginning]") -> Beginning | None:
    """What is stored of an open file: as known under its own name if that is true of it, else as known
    of any other, since files are moved and copied; None where it is another file than all of these."""
    if own is not None and is_of(file, own):
        return own
    return max((row for row in others.values() if is_of(file, row)), default=None)


def is_of(file: int, beginning: Beginning) -> bool:
    """Whether an open file begins with what is stored."""
    stored, last, mark = beginning
    return 0 <= last <= stored > 0 and mark_of(file, stored, last) == mark
