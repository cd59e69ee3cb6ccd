"""The main function of a hook's process: one event from standard input to the spool.

An agent waits for it, so that only what is built into the interpreter is imported (`posix`, not `os`,
which costs a third of a bare start), and all that a plain event takes is in this one file. What needs
more (a private tag, a possible secret, a huge event, an exclusion that may apply) goes through
`memtui.store.capture.ingest.cleaning` before anything is written, and the start and the end of a session go
on to `session_start`. Whatever fails, the agent sees nothing of it.
"""

import posix
import sys
import time

from ...paths import (
    KIND_OF_FILE,
    REGULAR,
    config_path_bytes,
    fallback_spools,
    is_private_directory,
    make_last_two,
    make_private_directories,
    resolve_database_path,
    spool_path,
)
from ...text.prefilter import may_hold
from . import (
    AGENT_VARIABLES,
    BEFORE_TOOL,
    NAMELESS_AGENTS,
    NAMELESS_PROMPTS,
    NAMELESS_TURNS,
    PROMPTS,
    TURNS,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, NoReturn

LARGEST = 262_144
"""Bytes of an event that are written as they came; a larger one is cut field by field."""

UNNAMED = "unnamed"

LONGEST_NAME = 16
"""Letters of an agent's name: what is longer might be a secret."""

CONTROLS = bytes(range(32))

MOST_READ = 33_554_432
"""Bytes of an event that are read at all."""

AT_ONCE = 65_536
"""Bytes that a pipe holds; reading more at once only makes the allocator ask the system for more."""

FIRST_SECONDS = 0.55
"""How long after the process's start the first byte may come; nothing is read later than that."""

REST_SECONDS = 0.4
"""How long after it the rest of an event is waited for where the agent never closes the pipe."""

SILENCE_SECONDS = 0.15
"""An event that still comes by then is waited for until no byte has come for so long."""

PAUSE_SECONDS = 0.02
"""After so long without a byte, an event that is complete is taken though the pipe is still open."""

SHORTEST_NAP, LONGEST_NAP = 0.0001, 0.004
"""Seconds between two looks at a pipe that is empty: whoever fills it is quick, or has stopped."""

LARGEST_TURN = 65_536
"""Bytes of an event that may start or end a session: neither holds what an agent has read or written."""

LONGEST_SECONDS = 1.0
"""Seconds after the process's start at which an event without end is taken as it is."""

LARGEST_SETTING = 65_536
"""Bytes of a file that says what isn't stored."""

FILE_MODE = 0o600


def run(arguments: "Sequence[str]") -> "NoReturn":
    """Handle the event of a hook and end the process, with exit code 0 whatever happens.

    `arguments` are an agent's name and `--db PATH`, either of which may be missing.
    """
    try:  # noqa: SIM105 - contextlib would have to be imported
        handle_event(arguments)
    except BaseException:
        # Nothing of it may reach the agent.
        pass
    posix._exit(0)


def handle_event(arguments: "Sequence[str]") -> None:
    """Read an event, append it to the spool, and answer it if it starts a session."""
    begun = time.monotonic_ns() - time.process_time_ns()
    agent, named = parse_arguments(arguments)
    # An observer's own model may run in an agent with hooks: what it does is no memory.
    if b"MEMTUI_OBSERVER" in posix.environ:
        return
    database = resolve_database_path(named)
    spool = spool_path(database)
    if is_paused(spool):
        return
    event = read_event(begun / 1e9)
    if event is None:
        note_loss(database, spool)
        return
    raw = event.replace(b"\n", b" ").replace(b"\r", b" ").strip()
    if not raw:
        return
    if BEFORE_TOOL in raw:
        from .hints import answer_tool

        if answer_tool(agent, raw, database, user_config(), begun / 1e9):
            return
    folder = working_directory()
    try:
        excluded = exclusion_globs(spool)
    except OSError:
        # Better lost, and counted, than written though it is excluded.
        note_loss(database, spool)
        return
    is_whole = raw[-1:] in (b"}", b"]")
    if (
        excluded
        or not is_whole
        or len(raw) > LARGEST
        or may_hold(raw, in_json=True)
        or may_hold(folder)
    ):
        try:
            from ..ingest.cleaning import clean_event

            cleaned = clean_event(raw, folder, excluded)
        except BaseException:
            # Better lost, and counted, than written with what may be in it.
            note_loss(database, spool)
            raise
        if cleaned is None:
            return
        raw, folder = cleaned
    try:
        append(database, spool, segment_name(), spool_line(agent, raw, folder, begun))
    except OSError:
        note_loss(database, spool)
        return
    if may_be(agent, raw, TURNS, NAMELESS_TURNS):
        from .session_start import answer

        answer(agent, raw, database, begun / 1e9)
    elif may_be(agent, raw, PROMPTS, NAMELESS_PROMPTS) and b"at_prompt" in (
        config := user_config()
    ):
        from .hints import answer_prompt

        answer_prompt(agent, raw, database, config, begun / 1e9)


def parse_arguments(arguments: "Sequence[str]") -> tuple[str, bytes | None]:
    """The agent's name, and the memory's path where `--db` names one.

    A missing or impossible name becomes UNNAMED: the event itself may still tell whose it is.
    """
    words = list(arguments)
    named = None
    if "--db" in words[:-1]:
        option = words.index("--db")
        named = words[option + 1].encode("utf-8", "surrogateescape")
        del words[option : option + 2]
    agent = words[0] if words else ""
    is_name = agent.isascii() and agent.replace("-", "").isalnum() and len(agent) <= LONGEST_NAME
    return (agent if is_name else UNNAMED), named


def is_paused(spool: bytes) -> bool:
    """Whether capture is paused: the file `paused` holds until when, in seconds since the epoch, or
    nothing. One that can't be read pauses."""
    try:
        until = read_setting(spool + b"/paused")
    except OSError:
        return True
    return until is not None and (not until.strip().isdigit() or int(until) > time.time())


def exclusion_globs(spool: bytes) -> bytes:
    """The globs of what is never stored, a line each. Raises OSError where they can't be read, or are
    too many to be looked at while an agent waits."""
    return read_setting(spool + b"/excluded") or b""


def read_setting(path: bytes) -> bytes | None:
    """A small file; None where there is none, or something that is no file and can't hold a setting.

    Raises OSError for a file that can't be read or is too large. Nothing is waited for: an open pipe
    would never answer.
    """
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError:
        if is_file(posix.stat, path):
            raise
        return None
    try:
        if not is_file(posix.fstat, file):
            return None
        content = posix.read(file, LARGEST_SETTING + 1)
    finally:
        posix.close(file)
    if len(content) > LARGEST_SETTING:
        raise OSError("there are too many settings")
    return content


def is_file(status: "Callable[[Any], posix.stat_result]", place: bytes | int) -> bool:
    """Whether there is a regular file, as one of the system's two ways to ask says."""
    try:
        return status(place).st_mode & KIND_OF_FILE == REGULAR
    except OSError:
        return False


def working_directory() -> bytes:
    """The directory that the agent runs the hook in, escaped for a JSON string; empty where it is gone."""
    try:
        folder = posix.getcwdb()
    except OSError:
        return b""
    return folder.translate(None, CONTROLS).replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def read_event(begun: float) -> bytes | None:
    """Read standard input to its end, to the end of a JSON document, or until the time is up.

    `begun` is when the process began, in monotonic seconds. Empty for a terminal; None where nothing
    was written and nothing closed it.
    """
    if posix.isatty(0):
        return b""
    # Neither a signal nor `select` has to be imported or can lose a byte; the bytes are usually
    # there before this process is. Whoever shares the pipe gets it back as it was.
    was_blocking = posix.get_blocking(0)
    posix.set_blocking(0, False)
    try:
        return read_pipe(begun)
    finally:
        posix.set_blocking(0, was_blocking)


def read_pipe(begun: float) -> bytes | None:
    """Read a pipe that doesn't block until it ends, a document ends, or the time is up."""
    chunks: list[bytes] = []
    size, since, is_new, nap = 0, 0.0, False, SHORTEST_NAP
    while size < MOST_READ:
        try:
            chunk = posix.read(0, AT_ONCE)
        except BlockingIOError:
            now = time.monotonic()
            until = begun + FIRST_SECONDS
            if chunks:
                until = min(until, max(begun + REST_SECONDS, since + SILENCE_SECONDS))
            if now > until:
                return b"".join(chunks) if chunks else None
            if is_new and now - since > PAUSE_SECONDS:
                is_new = False
                if is_complete(b"".join(chunks)):
                    break
            time.sleep(nap)
            nap = min(2 * nap, LONGEST_NAP)
            continue
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
        since, is_new, nap = time.monotonic(), True, SHORTEST_NAP
        if since > begun + LONGEST_SECONDS:
            break
    return b"".join(chunks)


def is_complete(raw: bytes) -> bool:
    """Whether these bytes are a whole JSON document; asked only where the pipe stays open."""
    if raw.rstrip()[-1:] not in (b"}", b"]"):
        return False
    from json import loads

    try:
        loads(raw)
    except (ValueError, RecursionError):
        return False
    return True


def may_be(agent: str, raw: bytes, marks: tuple[bytes, ...], nameless: tuple[bytes, ...]) -> bool:
    """Whether one of some marks stands in an event, or in one that may have no name one of others."""
    if len(raw) > LARGEST_TURN:
        return False
    return any(mark in raw for mark in (marks + nameless if agent in NAMELESS_AGENTS else marks))


def user_config() -> bytes:
    """The user's configuration; empty where there is none, or none that can be read."""
    try:
        return read_setting(config_path_bytes()) or b""
    except OSError:
        return b""


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
        file = posix.open(folder + name, flags | posix.O_CREAT, FILE_MODE)
        is_new = True
    try:
        if is_new:
            posix.fchmod(file, FILE_MODE)
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


def main() -> None:
    """The console's way in: `mem hook AGENT`."""
    run(sys.argv[2:])
