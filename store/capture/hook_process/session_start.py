"""Answer the start of a session with a context; store what waits then, and at the end of a turn or session.

Where nothing else waits, the start takes the fast path: a context of what is stored, importing SQLite
and little more. What is unusual (a sub-agent, an unknown project, a memory to be upgraded) is left to
the store; a test compares the two answers. Where other events wait, they are stored first, as they are
at the end of a turn and of a session, and the queue is processed. All of it takes a fraction of a second,
whatever state the memory is in; where anything is amiss there is no answer. Nobody waits for it at an end,
unless a session starts at once.
"""

from __future__ import annotations

import posix
import sys
import time

from ...agents.registry import BY_NAME, agent_of_event
from ...platform.paths import (
    fallback_spools,
    is_private_directory,
    read_config,
    repository_root,
    spool_path,
)
from ..ingest.hand_overs import wait_for_hooks
from . import AGENT_VARIABLES, STARTS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    import apsw

    from ...agents.base import Agent
    from ...store import Store
    from ..ingest.beginnings import Beginning


BUDGET_SECONDS = 0.15
PATIENCE_SECONDS = 0.05
OBSERVING_SECONDS = 0.1
TRANSCRIPTS_SECONDS = 0.1
NAP_SECONDS = 0.01
SETTLE_SECONDS = 0.2
LAST_SECONDS = 0.6
"""How long after its start the process ends, with the context that there is by then;
MEMTUI_HOOK_SECONDS allows more on a slow machine."""
MOST_SECONDS = 3_600

NAMES = tuple(mark.strip(b'"').decode() for mark in STARTS)
SHOWN_NOWHERE = (*STARTS, b'"InstructionsLoaded"')
"""What stands in the events that no context shows."""
SESSIONS = ("session_id", "sessionId", "conversation_id")
CHILDREN = ("agent_id", "agentId", "parent_id", "parentAgentId", "parent_agent_id")
PATIENCE_MS = 50
LONGEST_PLAIN, HEXADECIMAL = 8, "0123456789abcdef-"
"""Characters of a name that is too short for a secret; what most ids are made of."""
MOST_UNSTORED = 65_536
"""Unstored bytes of a segment that are looked at."""

EVENT = "SELECT key, iif(key = 'workspace_roots', value ->> 0, atom) FROM json_each(?)"
PROJECT = "SELECT project FROM project_places WHERE kind = 'root' AND place = ?"


def answer(
    agent: str,
    raw: bytes,
    database: bytes,
    begun: float,
    ticket: bytes,
    leave: Callable[[], object] = tuple,
) -> None:
    """Store what waits, print the context for a starting session, and end the process.

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
        if ready:
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
    set_deadline(end, begun)
    find_packages()
    wait_for_hooks(spool_path(database), SETTLE_SECONDS, ticket)
    fast = fast_answer(agent, raw, database, agent_variables())
    if fast is not None:
        ready, is_complete = fast.answer, fast.is_complete
    try:
        if fast is None or not fast.is_complete:
            ready = full_answer(agent, raw, database)
        elif fast.is_again():
            ready = b""
    except Exception:
        # The memory can't be written, or there is none: what could be read is printed.
        end()
    end()


class FastAnswer:
    """What to print, and whether it is complete: no unstored event could add to it."""

    def __init__(self, answer: bytes, is_complete: bool, is_again: Callable[[], bool]) -> None:
        self.answer = answer
        self.is_complete = is_complete
        self.is_again = is_again
        """Appends to the context log; whether another hook has given the same answer a moment ago."""


def fast_answer(agent: str, raw: bytes, database: bytes, environment: frozenset[str]) -> FastAnswer | None:
    """The answer to an event; None where the store has to find it."""
    import apsw

    from ...database import SCHEMA

    try:
        path = database.decode()
        db = apsw.Connection(path, flags=apsw.SQLITE_OPEN_READWRITE)
        db.set_busy_timeout(PATIENCE_MS)
        # A file of any other schema is left to the store.
        if db.pragma("user_version") != SCHEMA or db.readonly("main"):
            return None
        return _answer(db, agent, raw, database, environment)
    except (apsw.Error, OSError, ValueError):
        return None


def _answer(
    db: apsw.Connection, agent: str, raw: bytes, database: bytes, environment: frozenset[str]
) -> FastAnswer | None:
    """The answer from a memory that can be read."""
    payload = dict(db.execute(EVENT, (raw.decode(),)))
    name = payload.get("hook_event_name", payload.get("hookEventName"))
    if name not in NAMES or any(payload.get(key) for key in CHILDREN):
        return None
    known = BY_NAME[agent_of_event(agent, payload, environment)]
    project = db.execute(PROJECT, (root_of(payload, known),)).get
    if project is None:
        return None
    from ...context.block import compose
    from ...context.own_files import own_files
    from ...context.scope import scope_of

    session, source = session_of(payload), storable(payload.get("source"))
    scope = scope_of(db, known.name, session, source)
    context = compose(db, str(project), scope=scope, own=own_files(db, str(project), known.name))
    answer = known.answer(db, name, context.text)

    def is_again() -> bool:
        if not answer:
            return False
        from ...context.log import append_log_entry

        # The disk isn't waited for: what a power failure takes is a log entry, not a memory.
        db.pragma("synchronous", "NORMAL")
        db.wal_autocheckpoint(0)
        return append_log_entry(db, known.name, session, str(project), context, source).is_again

    is_complete = not has_unstored(db, database) and not is_waiting(db, known.name, str(project), session)
    return FastAnswer(answer, is_complete, is_again)


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


def root_of(payload: dict[str, Any], agent: Agent) -> str:
    """The directory of the repository in which a session starts, else the one in which it does: as
    the event says, else the hook's own."""
    fields = (payload.get(key) for key in agent.directory_fields)
    named = (field for field in fields if isinstance(field, str) and field.strip())
    folder = next(named, None) or posix.getcwd()
    return repository_root(folder) or folder


def session_of(payload: dict[str, Any]) -> str:
    """The agent's own id of the session, as it is stored; empty where there is none."""
    named = (payload.get(key) for key in SESSIONS)
    return storable(next((name for name in named if isinstance(name, str)), ""))


def storable(name: object) -> str:
    """A name of an event as it may be stored: the event itself is cleaned by another process."""
    if not isinstance(name, str):
        return ""
    if len(name) <= LONGEST_PLAIN or not name.strip(HEXADECIMAL):
        return name
    from ...text.redaction import scrub

    return scrub(name)


def has_unstored(db: apsw.Connection, database: bytes) -> bool:
    """Whether the spool has unstored events that a context may show."""
    from ..ingest.beginnings import stored_by_segment

    stored = stored_by_segment(db)
    folders = [folder for folder in fallback_spools(database) if is_private_directory(folder)]
    for folder in (spool_path(database), *folders):
        try:
            names = posix.listdir(folder)
        except OSError:
            continue
        for name in names:
            if name.endswith(b".jsonl") and is_unstored(folder + b"/" + name, stored):
                return True
    return False


def is_unstored(path: bytes, stored: dict[str, Beginning]) -> bool:
    """Whether a segment has such events; `stored` is what is stored of each segment."""
    from ..ingest.beginnings import open_segment, segment_key, stored_beginning

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
    from ...agents.registry import agent_of_record, events_of
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
    with Store.open(path, patience=PATIENCE_SECONDS) as store:
        drain(store, seconds=BUDGET_SECONDS, patience=PATIENCE_SECONDS, settling=False)
        wait_when_busy(store.db, PATIENCE_SECONDS)
        observe(store)
        is_start = event.kind == "session_start" and not event.subagent
        project = store.known_projects.of(event.cwd)[0] if is_start else ""
        if is_read := read_due_transcripts(store, TRANSCRIPTS_SECONDS):
            finish_turns(store, *(agent, project, event.session) if is_start else ())
        observe(store)
        if (
            not is_read
            or store.pending.is_for_rules()
            or has_unstored(store.db, database)
            or wants_vectors(store)
        ):
            spawn_job_for_rest(database)
        if not is_start:
            return b""
        from ...context.block import compose
        from ...context.log import append_log_entry
        from ...context.own_files import own_files
        from ...context.scope import scope_of

        name = str(payload.get("hook_event_name", payload.get("hookEventName", "")))
        source = payload.get("source")
        scope = scope_of(store.db, agent, event.session, source)
        own = own_files(store.db, project, agent)
        context = compose(store.db, project, scope=scope, own=own)
        answer = BY_NAME[agent].answer(store.db, name, context.text)
        if not answer:
            return b""
        logged = append_log_entry(store.db, agent, event.session, project, context, source)
        return b"" if logged.is_again else answer


def observe(store: Store) -> None:
    """Process the queue for a moment, unless another process keeps the memory locked."""
    if not store.pending.is_waiting():
        return
    from ...observe.jobs.job import process_briefly
    from ..ingest.drain import unless_busy

    until = time.monotonic() + OBSERVING_SECONDS
    with unless_busy():
        while (
            not process_briefly(store, until - time.monotonic(), for_vectors=False).elected
            and store.pending.is_for_rules()
            and time.monotonic() < until
        ):
            # Another process is at it, and may have done with this session in a moment.
            time.sleep(NAP_SECONDS)


def wants_vectors(store: Store) -> bool:
    """Whether vectors may be to be built. Whether their model can be asked now, the job finds out: to
    load it would take longer than all else that an agent waits for."""
    from ...leaves.embeddings import waiting

    try:
        is_configured = b"embeddings" in read_config()
    except OSError:
        return False
    return is_configured and waiting.may_be_due(store.db, store.path)


def clear_markers() -> None:
    """Let no message be blamed for the cut of this process, if it has begun to work on any."""
    if worker := sys.modules.get("memtui.store.observe.jobs.worker"):
        try:  # noqa: SIM105 - contextlib would have to be imported
            worker.clear_markers()
        except OSError:
            pass


def spawn_job_for_rest(database: bytes) -> None:
    """Have a background process do what there was no time for."""
    from ...observe.jobs.spawn import spawn_job

    # The agent must not see what goes wrong here, and what waits is done by whoever comes next.
    try:  # noqa: SIM105 - contextlib would have to be imported
        spawn_job(database)
    except Exception:
        pass


def agent_variables() -> frozenset[str]:
    """The variables that are set which say what agent runs this hook."""
    return frozenset(name.decode() for name in AGENT_VARIABLES if name in posix.environ)


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


def set_deadline(end: object, begun: float) -> None:
    """Call `end` when the process has taken too long."""
    # Not `signal`, which makes enumerations of all that this has.
    import _signal  # type: ignore[import-not-found]

    try:
        seconds = float(posix.environ.get(b"MEMTUI_HOOK_SECONDS", b""))
    except ValueError:
        seconds = 0.0
    seconds = seconds if 0 < seconds < MOST_SECONDS else LAST_SECONDS
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
