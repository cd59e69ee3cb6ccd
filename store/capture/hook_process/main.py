"""The main function of a hook's process: one event from standard input to a child.

An agent waits for it, so it reads the event, leaves it to a child and ends: the child cleans the event
and appends it (`child.py`). Until then only what is built into the interpreter is imported (`posix`, not
`os`, which costs a third of a bare start), and nothing else that isn't asked at every event.
A prompt, a tool and the start of a session that are to be answered go on to `hints` and `session_start`;
at the end of a turn or of a session the child does. Whatever fails, the agent sees nothing of it.
"""

import sys
import time

from ...platform.paths import (
    CHOSEN,
    DUE,
    TICKET,
    files_in,
    make_private_directories,
    resolve_database_path,
    spool_path,
    starts_path,
)
from ...platform.system import forbid_core_dumps, posix
from . import (
    BEFORE_TOOL,
    CHILD,
    NAMELESS_AGENTS,
    NAMELESS_PROMPTS,
    NAMELESS_REPLIES,
    NAMELESS_STARTS,
    NAMELESS_TURNS,
    PROMPTS,
    REPLIES,
    STARTS,
    STREAMS,
    SUBAGENT_START,
    TURNS,
    HandedOver,
    Ticket,
    exclusion_globs,
    in_spite_of_errors,
    read_setting,
    user_config,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

UNNAMED = "unnamed"

LONGEST_NAME = 16
"""Letters of an agent's name: what is longer might be a secret."""

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

NICENESS = 5
"""By how much a child gives way to the agent; readers wait for it."""

MOST_CHILDREN = 32
"""Where so many hooks have left a child at work, the machine can't keep up, and the next one waits."""

LARGEST_TURN = 65_536
"""Bytes of an event that may start or end a session: neither holds what an agent has read or written."""

LONGEST_SECONDS = 1.0
"""Seconds after the process's start at which an event without end is taken as it is."""

REAPED_SECONDS = 60.0
"""After so long somebody would have waited for it."""


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
    """Read an event, have it appended to the spool, and answer it if it is one that is answered."""
    begun = time.monotonic_ns() - time.process_time_ns()
    agent, named = parse_arguments(arguments)
    # An observer's own model may run in an agent with hooks: what it does is no memory.
    if b"MEMTUI_OBSERVER" in posix.environ:
        return
    database = resolve_database_path(named)
    spool = spool_path(database)
    if is_paused(spool):
        return
    raw = read_event(begun / 1e9)
    if raw is None:
        from ..ingest.spool_files import note_loss

        note_loss(database, spool)
        return
    if not raw.strip():
        return
    if BEFORE_TOOL in raw or SUBAGENT_START in raw:
        from .hints import answer_unstored

        if answer_unstored(agent, raw, database, begun / 1e9):
            return
    is_turn = may_be(agent, raw, TURNS, NAMELESS_TURNS)
    is_start = is_turn and may_be(agent, raw, STARTS, NAMELESS_STARTS)
    is_end = not is_start and (is_turn or may_be(agent, raw, REPLIES, NAMELESS_REPLIES))
    config, is_due = b"", False
    if not is_turn and may_be(agent, raw, PROMPTS, NAMELESS_PROMPTS):
        # A session may be told at its first prompt what its start found.
        config, is_due = user_config(), bool(files_in(starts_path(database), (DUE, CHOSEN)))
    is_answered = is_start or is_due or b"at_prompt" in config
    ticket = hand_over(HandedOver(database, agent, raw, begun), is_answered, is_end)
    if ticket is None:
        return
    if is_turn:
        from .session_start import answer

        answer(agent, raw, database, begun / 1e9, ticket, is_start=is_start)
    elif is_answered:
        if is_due:
            from .prepared import answer_due

            if answer_due(raw, database):
                return
        from .hints import answer_prompt

        answer_prompt(agent, raw, database, config, begun / 1e9)


def hand_over(event: HandedOver, is_answered: bool, is_end: bool = False) -> bytes | None:
    """Have a child store an event, or store it where there can be none; the name of its ticket, empty
    where it has none. None where nothing of the event may be stored, and nothing answered. Of one that
    ends a turn or a session (`is_end`) the child also stores what waits.

    The child holds a pipe open whose name tells when its event was handed over: who needs all that was
    handed over waits for it, and so does each later child, so that events stay in their order. The
    system closes it however the child ends.
    """
    spool = spool_path(event.database)
    ticket = take_ticket(spool)
    if ticket and can_leave(spool, is_answered):
        # Nobody waits for a child that holds none of the agent's streams, nor ends it with its group.
        shares_group = is_answered or not in_spite_of_errors(posix.setsid)
        try:
            child = posix.fork()
        except OSError:
            child = -1
        if child == 0:
            run_child(event, ticket, is_end)
        if child > 0:
            if shares_group:
                in_spite_of_errors(posix.setpgid, child, child)
            if not is_answered:
                posix._exit(0)
            posix.close(ticket.file)
            return ticket.name
    try:
        from .child import ANSWER_SECONDS, ORDER_SECONDS, store_event

        patience = ANSWER_SECONDS if is_answered or is_end else ORDER_SECONDS
        if not store_event(event, ticket.name if ticket else b"", patience):
            return None
    except BaseException:
        from ..ingest.spool_files import note_loss

        note_loss(event.database, spool)
        raise
    finally:
        if ticket:
            ticket.give_back()
    return ticket.name if ticket else b""


def run_child(event: HandedOver, ticket: "Ticket", is_end: bool) -> "NoReturn":
    """Be the process that a hook leaves behind."""
    try:
        # First of all, for the agent may wait for the streams, and its process group may end.
        in_spite_of_errors(posix.setsid)
        in_spite_of_errors(release_streams)
        in_spite_of_errors(posix.nice, NICENESS)
        # What has not been cleaned must not be in a file, not in one of the system's either.
        forbid_core_dumps()
        from .child import finish

        finish(event, ticket, is_end)
    except BaseException:
        # Better lost, and counted, than written with what may be in it.
        from ..ingest.spool_files import note_loss

        note_loss(event.database, spool_path(event.database))
    posix._exit(0)


def take_ticket(spool: bytes) -> "Ticket | None":
    """A ticket of the present moment; None where none can be made."""
    name = b"%020d-%d%b" % (time.monotonic_ns(), posix.getpid(), TICKET)
    try:
        try:
            return Ticket(spool, name)
        except FileNotFoundError:
            make_private_directories(spool)
            return Ticket(spool, name)
    except OSError:
        return None


def can_leave(spool: bytes, is_answered: bool) -> bool:
    """Whether a child may be left behind: somebody has to wait for it when it ends, there must not be too
    many, and what an exclusion may cover is not answered before that is known."""
    if not hasattr(posix, "fork"):
        return False
    tickets = 0
    try:
        if is_answered:
            if exclusion_globs(spool):
                return False
        else:
            release_streams()
        for name in posix.listdir(spool):
            if name.endswith(TICKET):
                tickets += 1
            elif name.endswith(CHILD) and remains(spool + b"/" + name, name[: -len(CHILD)]):
                return False
    except OSError:
        return False
    return is_answered or tickets <= MOST_CHILDREN


def remains(note: bytes, number: bytes) -> bool:
    """Whether a child that ended long ago is still there, as its note tells: the first process of a
    container may wait for none, and each would take a place in the table of processes for good."""
    try:
        file = posix.open(b"/proc/%b/stat" % number, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return False
    try:
        state = posix.read(file, AT_ONCE).rpartition(b")")[2].split()[:1]
        return state == [b"Z"] and time.time() - posix.stat(note).st_mtime > REAPED_SECONDS
    except OSError:
        return False
    finally:
        posix.close(file)


def release_streams() -> None:
    """Let go of what the agent may read to its end. Raises OSError where that can't be done."""
    nothing = posix.open(b"/dev/null", posix.O_RDWR)
    for stream in range(STREAMS):
        posix.dup2(nothing, stream)
    if nothing >= STREAMS:
        posix.close(nothing)


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


def main() -> None:
    """The console's way in: `mem hook AGENT`."""
    run(sys.argv[2:])
