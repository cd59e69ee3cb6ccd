"""One event from standard input to the spool, with next to nothing imported: an agent waits for this.

Only what is built into the interpreter is imported (`posix`, not `os`, which costs a third of a bare
start). What needs more (a private tag, a possible secret, a huge event, an exclusion that may apply)
goes through `store.capture.cleaning` before anything is written, and the start and the end of a
session go on to `store.capture.answering`. Whatever fails, the agent sees nothing of it.
"""

import posix
import sys
import time

from ..anchors import may_hold
from .places import database_path, fallback_spools, is_ours, spool_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

LARGEST = 262_144
"""Bytes of an event that are written as they came; a larger one is cut field by field."""

MOST_READ = 33_554_432
"""Bytes of an event that are read at all."""

AT_ONCE = 65_536
"""Bytes that a pipe holds; reading more at once only makes the allocator ask the system for more."""

DEADLINE_SECONDS = 0.4
"""How long standard input is read where the agent never closes it."""

PAUSE_SECONDS = 0.02
"""After so long without a byte, an event that is complete is taken though the pipe is still open."""

TELLING = (b"COPILOT_CLI", b"GEMINI_SESSION_ID", b"CLAUDECODE", b"CURSOR_VERSION")
"""Variables of the environment that tell which agent really runs a hook."""

TURNS = (
    b'"SessionStart"', b'"sessionStart"', b'"session.created"', b'"session.deleted"',
    b'"SessionEnd"', b'"sessionEnd"',
)  # fmt: skip
NAMELESS_TURNS = (b'"source"', b'"reason"')
"""What stands in the events that start and end a session; Copilot's do not name themselves."""

UNNAMED = "unnamed"

LONGEST_NAME = 16
"""Letters of an agent's name: what is longer might be a secret."""

CONTROLS = bytes(range(32))
FOLDER_MODE, FILE_MODE = 0o700, 0o600


def leave(arguments: "Sequence[str]") -> "NoReturn":
    """Take the event of a hook and end the process, with exit code 0 whatever happens."""
    try:  # noqa: SIM105 - contextlib would have to be imported
        take(arguments)
    except BaseException:
        # Nothing of it may reach the agent.
        pass
    posix._exit(0)


def take(arguments: "Sequence[str]") -> None:
    """Read an event, append it to the spool, and answer it if it starts a session."""
    begun = time.monotonic_ns() - time.process_time_ns()
    agent, named = understood(arguments)
    # An observer's own model may run in an agent with hooks: what it does is no memory.
    if b"MEMTUI_OBSERVER" in posix.environ:
        return
    database = database_path(named)
    spool = spool_of(database)
    if is_paused(spool):
        return
    raw = read_event().replace(b"\n", b" ").replace(b"\r", b" ").strip()
    if not raw:
        return
    folder = here()
    excluded = exclusions(spool)
    if excluded or len(raw) > LARGEST or may_hold(raw) or may_hold(folder):
        try:
            from .cleaning import clean_event

            cleaned = clean_event(raw, folder, excluded)
        except BaseException:
            # Better lost, and told, than written with what may be in it.
            note_loss(spool)
            raise
        if cleaned is None:
            return
        raw, folder = cleaned
    append(database, spool, record(agent, raw, folder, begun))
    turns = NAMELESS_TURNS + TURNS if agent == "copilot" else TURNS
    if any(mark in raw for mark in turns):
        from .answering import answer

        answer(agent, raw, database)


def understood(arguments: "Sequence[str]") -> tuple[str, bytes | None]:
    """The agent's name, and the memory's path where one is named.

    Without a name, or with what can't be one, the event itself may still tell whose it is.
    """
    words = list(arguments)
    named = None
    if "--db" in words[:-1]:
        place = words.index("--db")
        named = words[place + 1].encode("utf-8", "surrogateescape")
        del words[place : place + 2]
    agent = words[0] if words else ""
    is_name = agent.isascii() and agent.replace("-", "").isalnum() and len(agent) <= LONGEST_NAME
    return (agent if is_name else UNNAMED), named


def is_paused(spool: bytes) -> bool:
    """Whether the user asked not to be remembered now; `paused` holds until when, in seconds."""
    until = contents(spool + b"/paused")
    return until is not None and (not until.strip().isdigit() or int(until) > time.time())


def exclusions(spool: bytes) -> bytes:
    """The globs of what is not to be remembered, a line each."""
    return contents(spool + b"/excluded") or b""


def contents(path: bytes) -> bytes | None:
    """The first 64 KB of a small file; None where there is none."""
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return None
    found = posix.read(file, 65_536)
    posix.close(file)
    return found


def read_event() -> bytes:
    """What stands on standard input, to its end, to the end of a document, or to the deadline."""
    if posix.isatty(0):
        return b""
    # Neither a signal nor `select` has to be imported or can lose a byte; the bytes are usually
    # there before this process is.
    posix.set_blocking(0, False)
    chunks: list[bytes] = []
    size, since, deadline = 0, 0.0, time.monotonic() + DEADLINE_SECONDS
    while size < MOST_READ:
        try:
            chunk = posix.read(0, AT_ONCE)
        except BlockingIOError:
            now = time.monotonic()
            if now > deadline:
                break
            if chunks and since and now - since > PAUSE_SECONDS:
                if is_complete(b"".join(chunks)):
                    break
                since = 0.0
            time.sleep(0.0005)
            continue
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
        since = time.monotonic()
    return b"".join(chunks)


def is_complete(raw: bytes) -> bool:
    """Whether these bytes are a whole document; asked only where the pipe stays open."""
    if raw.rstrip()[-1:] not in (b"}", b"]"):
        return False
    from json import loads

    try:
        loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


def here() -> bytes:
    """The directory the agent runs the hook in, as a JSON text may hold it."""
    try:
        folder = posix.getcwdb()
    except OSError:
        return b""
    return folder.translate(None, CONTROLS).replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def record(agent: str, raw: bytes, folder: bytes, begun: int) -> bytes:
    """The line to append: what is known of the event, and then the event as it came.

    A line break on either side: a record that was torn by a crash spoils only itself.
    """
    telling = b'","'.join(name for name in TELLING if name in posix.environ)
    return b'\n{"at":%d,"took":%d,"agent":"%b","env":[%b],"cwd":"%b","event":%b}\n' % (
        time.time_ns() // 1_000_000,
        (time.monotonic_ns() - begun) // 1_000,
        agent.encode(),
        b'"' + telling + b'"' if telling else b"",
        folder,
        raw,
    )


def append(database: bytes, spool: bytes, line: bytes) -> None:
    """Write a record where it is durable: to the spool, else to the first place that takes it."""
    name = b"/" + time.strftime("%Y-%m-%d", time.gmtime()).encode() + b".jsonl"
    try:
        write(spool, name, line)
        return
    except OSError:
        pass
    for place in fallback_spools(database):
        try:
            make(place)
            if is_ours(place.rpartition(b"/")[0]) and is_ours(place):
                write(place, name, line)
                return
        except OSError:
            continue
    note_loss(spool)


def note_loss(spool: bytes) -> None:
    """Count an event that could be written nowhere; `mem doctor` shows how many there were."""
    write(spool, b"/lost", b"%d\n" % time.time())


def write(folder: bytes, name: bytes, line: bytes) -> None:
    """Append to a file with one write, and wait for the disk."""
    flags = posix.O_WRONLY | posix.O_APPEND | posix.O_CLOEXEC | posix.O_NOFOLLOW
    try:
        file = posix.open(folder + name, flags)
        is_new = False
    except FileNotFoundError:
        make(folder)
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


def make(folder: bytes) -> None:
    """Make a directory, and those above it, for the user alone."""
    try:
        posix.mkdir(folder, FOLDER_MODE)
    except FileExistsError:
        return
    except FileNotFoundError:
        make(folder.rpartition(b"/")[0])
        posix.mkdir(folder, FOLDER_MODE)


def main() -> None:
    """The console's way in: `mem hook AGENT`."""
    leave(sys.argv[2:])
