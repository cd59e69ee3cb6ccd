"""Answer the start of a session with a context; store what waits then, and at the end of a turn or session.

Where nothing else waits, the start takes the fast path: a context of what is stored, importing SQLite
and little more. What is unusual (a sub-agent, an unknown project, a memory to be upgraded) is left to
the store; a test compares the two answers. Where other events wait, they are stored first, as they are
at the end of a turn and of a session, and the queue is processed. All of it takes a fraction of a second,
whatever state the memory is in; where anything is amiss there is no answer. Nobody waits for it at an end,
unless a session starts at once.
"""

from __future__ import annotations

import sys
import time

from ...agents.registry import BY_NAME, agent_of_record, events_of
from ...platform.paths import (
    fallback_spools,
    files_in,
    is_private_directory,
    spool_path,
)
from ...platform.system import posix
from ..ingest.spool_files import (
    Beginning,
    open_segment,
    segment_key,
    stored_beginning,
    stored_by_segment,
    wait_for_hooks,
)
from . import STARTS, in_spite_of_errors
from .prepared import (
    PROJECT,
    agent_in,
    agent_variables,
    ask_for,
    defer,
    handed_over,
    is_start_of,
    name_in,
    parsed,
    prepare,
    prepared_answer,
    root_of,
    session_of,
    storable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw

    from ...agents.base import Agent
    from ...store import Store


BUDGET_SECONDS = 0.15
PATIENCE_SECONDS = 0.05
OBSERVING_SECONDS = 0.1
TRANSCRIPTS_SECONDS = 0.1
NAP_SECONDS = 0.01
SETTLE_SECONDS = 0.2
LAST_SECONDS = 0.6
"""How long after its start the process ends, with the context that there is by then;
MEMTUI_HOOK_SECONDS allows more on a slow machine."""
NOTHING_YET_SECONDS = 5.0
"""The same of a start that has no context yet: on a busy machine it takes its time to read what is stored,
and every agent waits for ten seconds."""
MOST_SECONDS = 3_600

SHOWN_NOWHERE = (*STARTS, b'"InstructionsLoaded"')
"""What stands in the events that no context shows."""
PATIENCE_MS = 50
MOST_UNSTORED = 65_536
"""Unstored bytes of a segment that are looked at."""


def answer(
    agent: str,
    raw: bytes,
    database: bytes,
    begun: float,
    ticket: bytes,
    leave: Callable[[], object] = tuple,
    *,
    is_start: bool = False,
) -> None:
    """Store what waits, print the context for a starting session (`is_start`), and end the process.

    `begun` is when the process began, in monotonic seconds, used where the system doesn't say. The event
    itself is on its way to the spool by a `ticket`, or there if it is an end; what was handed over
    before is waited for. `leave` is called last of all.
    """
    ready, is_complete, is_ending = b"", False, False

    def end(*cut: object) -> None:
        nonlocal is_ending
        if is_ending:
            # The time is up while the process ends: what is printed isn't printed twice.
            return
        is_ending = True
        if ready and not defer(agent, raw, database, ready):
            posix.write(1, ready)
        if cut and not is_complete:
            clear_markers()
            spawn_job_for_rest(database)
        try:
            leave()
        finally:
            posix._exit(0)

    import gc

    # So short a process has nothing to collect, and would be searched again and again.
    gc.disable()
    set_deadline(end, begun, NOTHING_YET_SECONDS if is_start else LAST_SECONDS)
    wait_for_hooks(spool_path(database), SETTLE_SECONDS, ticket)
    if is_start and (told := prepared_answer(agent, raw, database)):
        ready, is_complete = told
        end("what waits is left to others")
    find_packages()
    try:
        if fast := fast_answer(agent, raw, database):
            ready, is_complete, is_again = fast
            set_deadline(end, begun, LAST_SECONDS)
        if not fast or not is_complete:
            ready = full_answer(agent, raw, database)
        elif is_again():
            ready = b""
    except Exception:
        # The memory can't be written, or there is none: what could be read is printed.
        end()
    end()


def fast_answer(agent: str, raw: bytes, database: bytes) -> tuple[bytes, bool, Callable[[], bool]] | None:
    """The answer to an event, whether it is complete (no unstored event could add to it), and what logs it
    as `context_answer` says; None where the store has to find it."""
    import apsw

    try:
        db = open_memory(database)
        # A file of any other schema is left to the store.
        if db is None or db.readonly("main"):
            return None
        payload = parsed(raw)
        known = agent_in(agent, payload)
        if not is_start_of(known, payload):
            return None
        root = root_of(payload, known)
        project = db.execute(PROJECT, (root,)).get
        if project is None:
            return None
        session, source = session_of(payload), storable(payload.get("source"))
        answer, is_again = context_answer(db, known, name_in(payload), str(project), session, source, root)
        is_waited_for = has_unstored(db, database) or is_waiting(db, known.name, str(project), session)
        return answer, not is_waited_for, is_again
    except (apsw.Error, OSError, ValueError):
        return None


def open_memory(database: bytes) -> apsw.Connection | None:
    """Open a memory for one answer; None for one of another schema."""
    import apsw

    from ...database import SCHEMA

    db = apsw.Connection(database.decode(), flags=apsw.SQLITE_OPEN_READWRITE)
    db.set_busy_timeout(PATIENCE_MS)
    if db.pragma("user_version") != SCHEMA:
        return None
    # The disk isn't waited for: what a power failure takes is a log entry, not a memory.
    db.pragma("synchronous", "NORMAL")
    db.wal_autocheckpoint(0)
    from ...context.log import log_starts

    log_starts(db)
    return db


def context_answer(
    db: apsw.Connection, agent: Agent, name: str, project: str, session: str, source: object, folder: str
) -> tuple[bytes, Callable[[], bool]]:
    """The answer to a session's start by the event of this name; and what appends it to the context log
    and returns whether another hook has given the same a moment ago."""
    from ...context.block import compose
    from ...context.own_files import own_files
    from ...context.scope import scope_of

    scope = scope_of(db, agent.name, project, session, source)
    own, told = own_files(db, project, agent.name), handed_over(agent.name, source)
    context = compose(db, project, scope=scope, own=own, told=told, folder=folder)
    answer = agent.answer(db, name, context.text)

    def is_again() -> bool:
        if not answer:
            return False
        from ...context.log import append_log_entry

        return append_log_entry(db, agent.name, session, project, context, source) is False

    return answer, is_again


def is_waiting(db: apsw.Connection, agent: str, project: str, session: str) -> bool:
    """Whether transcripts are to be read or turns to be summed up before this session begins."""
    from ...tables import queue_statements as queue_sql
    from ...tables.queue_statements import boot_ms, lease_values, unfinished_values

    unread = "SELECT 1 FROM transcripts WHERE {} LIMIT 1"
    return (
        db.execute(queue_sql.FOR_RULES, lease_values(boot_ms())).get is not None
        or db.execute(unread.format("is_due = 1")).get is not None
        or db.execute(unread.format("read_at IS NULL AND agent = ?"), (agent,)).get is not None
        or db.execute(queue_sql.UNFINISHED, unfinished_values(agent, project, session)).get is not None
    )


def has_unstored(db: apsw.Connection, database: bytes) -> bool:
    """Whether the spool has unstored events that a context may show."""
    stored = stored_by_segment(db)
    folders = [folder for folder in fallback_spools(database) if is_private_directory(folder)]
    for folder in (spool_path(database), *folders):
        if any(is_unstored(path, stored) for path in files_in(folder + b"/", b".jsonl")):
            return True
    return False


def is_unstored(path: bytes, stored: dict[str, Beginning]) -> bool:
    """Whether a segment has such events; `stored` is what is stored of each segment."""
    file = open_segment(path)
    try:
        result = stored_beginning(file, stored.get(segment_key(path)), stored)
        begin = result[0] if result else 0
        size = posix.fstat(file).st_size - begin
        if size > MOST_UNSTORED:
            return True
        lines = posix.pread(file, size, begin).split(b"\n")
    finally:
        posix.close(file)
    return any(line and not any(mark in line for mark in SHOWN_NOWHERE) for line in lines)


def full_answer(agent: str, raw: bytes, database: bytes) -> bytes:
    """Store what waits; what to print then, nothing at an end."""
    import json
    import site
    from pathlib import Path

    # Unlike SQLite, the rest may lie anywhere.
    site.main()
    from ..ingest.cleaning import cleaned

    payload = cleaned(json.loads(raw))
    from ...records.events import SpoolRecord

    record = SpoolRecord(0, 0, agent, agent_variables(), str(Path.cwd()), payload)
    agent = agent_of_record(record)
    event = next(iter(events_of(record)), None)
    if event is None or event.kind not in ("session_start", "reply", "session_end"):
        return b""
    from ...database.connection import wait_when_busy
    from ...store import Store
    from ..ingest.catch_up import finish_turns, read_due_transcripts
    from ..ingest.drain import drain

    path = database.decode("utf-8", "surrogateescape")
    is_start = event.kind == "session_start" and not event.subagent
    if event.cwd:
        ask_for(database, agent, event.cwd)
    with Store.open(path, patience=PATIENCE_SECONDS) as store:
        store.transaction().only_adds = True
        drain(store, seconds=BUDGET_SECONDS, patience=PATIENCE_SECONDS, settling=False)
        wait_when_busy(store.db, PATIENCE_SECONDS)
        observe(store)
        project = store.known_projects.of(event.cwd)[0] if is_start else ""
        if is_read := read_due_transcripts(store, TRANSCRIPTS_SECONDS):
            finish_turns(store, *(agent, project, event.session) if is_start else ())
        observe(store)
        if not is_start:
            prepare(store.db, database)
        if not is_read or store.pending.is_for_rules() or has_unstored(store.db, database):
            spawn_job_for_rest(database)
        if not is_start:
            return b""
        answer, is_again = context_answer(
            store.db, BY_NAME[agent], name_in(payload), project, event.session, payload.get("source"),
            event.cwd or "",
        )  # fmt: skip
        return b"" if is_again() else answer


def observe(store: Store) -> None:
    """Process the queue for a moment, unless another process keeps the memory locked."""
    if not store.pending.is_waiting():
        return
    from ...observe.jobs.job import process_briefly
    from ..ingest.drain import unless_busy

    until = time.monotonic() + OBSERVING_SECONDS
    with unless_busy():
        while (
            not process_briefly(store, until - time.monotonic()).elected
            and store.pending.is_for_rules()
            and time.monotonic() < until
        ):
            # Another process is at it, and may have done with this session in a moment.
            time.sleep(NAP_SECONDS)


def clear_markers() -> None:
    """Let no message be blamed for the cut of this process, if it has begun to work on any."""
    if worker := sys.modules.get("memtui.store.observe.jobs.worker"):
        in_spite_of_errors(worker.clear_markers)


def spawn_job_for_rest(database: bytes) -> None:
    """Have a background process do what there was no time for."""
    from ...observe.jobs.spawn import spawn_job

    # The agent must not see what goes wrong here, and what waits is done by whoever comes next.
    try:  # noqa: SIM105 - contextlib would have to be imported
        spawn_job(database)
    except Exception:
        pass


def find_packages() -> None:
    """Make `import apsw` work: the hook was started without the directories of packages."""
    from ...database import load_apsw

    try:
        load_apsw()
    except ImportError:
        version = "python{}.{}".format(*sys.version_info)
        folder = sys.executable.rpartition("/bin/")[0]
        sys.path.append(f"{folder}/lib/{version}/site-packages")
        try:
            load_apsw()
        except ImportError:
            import site

            site.main()


def set_deadline(end: object, begun: float, allowed: float) -> None:
    """Call `end` when the process has taken longer than is allowed, in seconds."""
    # Not `signal`, which makes enumerations of all that this has.
    import _signal  # type: ignore[import-not-found]

    try:
        seconds = float(posix.environ.get(b"MEMTUI_HOOK_SECONDS", b""))
    except ValueError:
        seconds = 0.0
    seconds = seconds if 0 < seconds < MOST_SECONDS else allowed
    _signal.signal(_signal.SIGALRM, end)
    _signal.setitimer(_signal.ITIMER_REAL, max(0.01, seconds - age(begun)))


def age(begun: float) -> float:
    """How long ago this process began, in seconds, including the time before it could run."""
    try:
        with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - pathlib takes long to import
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / posix.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError):
        return time.monotonic() - begun


def check() -> None:
    """Import all that an event and a session's start take; raises what an import raises."""
    from importlib import import_module

    find_packages()
    for name in (
        "capture.hook_process.main",
        "capture.hook_process.child",
        "capture.ingest.spool_files",
        "context.block",
        "context.log",
    ):
        import_module(f"memtui.store.{name}")
