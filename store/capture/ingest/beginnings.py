"""How much of a segment of the spool is stored, told by its content.

A file's name, device and inode number are soon another file's: a directory is removed and written
again on the same day, a copy takes a file's place, a power failure cuts it and hooks append to what
is left. So the memory keeps a mark of what it has stored of each segment, and a file that doesn't
begin so is read from its start. The start of a session asks too: only `posix` is imported.
"""

import posix

from ...platform.paths import KIND_OF_FILE, REGULAR

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

WINDOW = 512
"""Bytes of each of the three places that a mark is made of."""

PRIME = (1 << 63) - 25
"""The largest prime below 2^63."""

Beginning = tuple[int, int, int]
"""What is stored of a segment: its length in bytes, where its last line begins, and its mark."""


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
