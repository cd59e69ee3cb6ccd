"""The main function of a hook's process: one event from standard input to the spool.

Only what is built into the interpreter is imported (`posix`, not `os`, which costs a third of a bare
start). What needs more (a private tag, a possible secret, a huge event, an exclusion that may apply)
goes through `store.capture.cleaning` before anything is written, and the start and the end of a
session go on to `store.capture.answering`. Whatever fails, the agent sees nothing of it.
"""

import posix
import sys
import time

from ...paths import resolve_database_path, spool_path
from ...text.prefilter import may_hold
from .spool_writer import append, note_loss, segment_name, spool_line
from .stdin import may_start_or_end_session, read_event

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn


LARGEST = 262_144
"""Bytes of an event that are written as they came; a larger one is cut field by field."""

UNNAMED = "unnamed"

LONGEST_NAME = 16
"""Letters of an agent's name: what is longer might be a secret."""

CONTROLS = bytes(range(32))


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
    folder = working_directory()
    excluded = exclusion_globs(spool)
    is_whole = raw[-1:] in (b"}", b"]")
    if excluded or not is_whole or len(raw) > LARGEST or may_hold(raw) or may_hold(folder):
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
    if may_start_or_end_session(agent, raw):
        from .session_start import answer

        answer(agent, raw, database, begun / 1e9)


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
    nothing."""
    until = read_small_file(spool + b"/paused")
    return until is not None and (not until.strip().isdigit() or int(until) > time.time())


def exclusion_globs(spool: bytes) -> bytes:
    """The globs of what is never stored, a line each."""
    return read_small_file(spool + b"/excluded") or b""


def read_small_file(path: bytes) -> bytes | None:
    """The first 64 KB of a small file; None where there is none."""
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC)
    except OSError:
        return None
    content = posix.read(file, 65_536)
    posix.close(file)
    return content


def working_directory() -> bytes:
    """The directory that the agent runs the hook in, escaped for a JSON string; empty where it is gone."""
    try:
        folder = posix.getcwdb()
    except OSError:
        return b""
    return folder.translate(None, CONTROLS).replace(b"\\", b"\\\\").replace(b'"', b'\\"')


def main() -> None:
    """The console's way in: `mem hook AGENT`."""
    run(sys.argv[2:])
