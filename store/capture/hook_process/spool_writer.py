"""Append an event to the spool as one line, and wait until it is on the disk."""

import posix
import time

from ...paths import PRIVATE, fallback_spools, is_private_directory, make_private_directories

AGENT_VARIABLES = (b"COPILOT_CLI", b"GEMINI_SESSION_ID", b"CLAUDECODE", b"CURSOR_VERSION")
"""Variables of the environment that tell which agent really runs a hook; a test compares them with
the agents' own modules."""

FILE_MODE = 0o600


def spool_line(agent: str, raw: bytes, folder: bytes, begun: int) -> bytes:
    """The line to append: a header, then the event as it came. `begun` is in monotonic ns.

    A line break on either side: a record that was torn by a crash spoils only itself.
    """
    variables = b'","'.join(name for name in AGENT_VARIABLES if name in posix.environ)
    return b'\n{"at":%d,"took":%d,"agent":"%b","env":[%b],"cwd":"%b","event":%b}\n' % (
        time.time_ns() // 1_000_000,
        (time.monotonic_ns() - begun) // 1_000,
        agent.encode(),
        b'"' + variables + b'"' if variables else b"",
        folder,
        raw,
    )


def segment_name() -> bytes:
    """The file name of the day's segment (UTC)."""
    return b"/" + time.strftime("%Y-%m-%d", time.gmtime()).encode() + b".jsonl"


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
            if is_private_directory(fallback.rpartition(b"/")[0]) and is_private_directory(
                fallback
            ):
                write_durably(fallback, name, line)
                return
        except OSError:
            continue
    raise OSError("nothing can be written anywhere")


def note_loss(database: bytes, spool: bytes) -> None:
    """Count an event that could not be stored; `mem doctor` shows how many there were."""
    append(database, spool, b"/lost", b"%d\n" % time.time())


def write_durably(folder: bytes, name: bytes, line: bytes) -> None:
    """Append a line to a file in a directory with one write, and wait for the disk. Raises OSError."""
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        file = posix.open(folder + name, flags)
        is_new = False
    except FileNotFoundError:
        make_private_directories(folder)
        file = posix.open(folder + name, flags | posix.O_CREAT, FILE_MODE)
        is_new = True
    try:
        if posix.write(file, line) < len(line):
            raise OSError("the disk took only a part")
        getattr(posix, "fdatasync", posix.fsync)(file)
    finally:
        posix.close(file)
    if is_new:
        directory = posix.open(folder, posix.O_RDONLY | posix.O_CLOEXEC)
        posix.fsync(directory)
        posix.close(directory)


def make_last_two(folder: bytes) -> None:
    """Make a directory and the one above it; what is above that belongs to the system."""
    for one in (folder.rpartition(b"/")[0], folder):
        try:
            posix.mkdir(one, PRIVATE)
        except FileExistsError:
            continue
