"""Read an event from standard input, for no longer than an agent can wait; ask whether it starts or
ends a session."""

import posix
import time

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

STARTS = (b'"SessionStart"', b'"sessionStart"', b'"session.created"')
TURNS = (*STARTS, b'"session.deleted"', b'"SessionEnd"', b'"sessionEnd"')
NAMELESS_AGENTS = ("copilot",)
NAMELESS_TURNS = (b'"source"', b'"reason"')
"""What stands in the events that start and end a session; those of some agents have no names."""

LARGEST_TURN = 65_536
"""Bytes of an event that may start or end a session: neither holds what an agent has read or written."""


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


def may_start_or_end_session(agent: str, raw: bytes) -> bool:
    """Whether an event may be the start or the end of a session."""
    marks = NAMELESS_TURNS + TURNS if agent in NAMELESS_AGENTS else TURNS
    return len(raw) <= LARGEST_TURN and any(mark in raw for mark in marks)
