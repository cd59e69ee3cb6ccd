"""The start of a session is the one event that is answered: with what the agent should know.

What is stored already is told at little cost (`plain_start`). Where other events wait, they are
stored first, as they are at the end of a session, and what waits in the queue is observed. All within
a fraction of a second, whatever state the memory is in; where anything is amiss there is no answer.
"""

from __future__ import annotations

import posix
import sys
import time

from .fast_path import fast_answer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from ...store import Store


BUDGET_SECONDS = 0.15
PATIENCE_SECONDS = 0.05
OBSERVING_SECONDS = 0.1
LAST_SECONDS = 0.6
"""How long after its start the process ends, with what could be told by then; MEMTUI_HOOK_SECONDS
gives it more on a machine that is slow."""
MOST_SECONDS = 3_600


def answer(agent: str, raw: bytes, database: bytes, begun: float) -> None:
    """Store what waits, and print the context that the agent of a starting session takes.

    `begun` is when the process began, in monotonic seconds, where nothing tells it better.
    """
    known, is_all = b"", False

    def end(*cut: object) -> NoReturn:
        if known:
            posix.write(1, known)
        if cut and not is_all:
            spawn_job_for_rest(database)
        posix._exit(0)

    set_deadline(end, begun)
    find_packages()
    plain = fast_answer(agent, raw, database, agent_variables())
    if plain is not None:
        known, is_all = plain.answer, plain.is_all
    try:
        if plain is None or not plain.is_all:
            known = full_answer(agent, raw, database)
        else:
            posix.write(1, known)
            known = b""
            plain.note()
    except Exception:
        # The memory can't be written, or there is none: what could be read is told.
        end()
    end()


def full_answer(agent: str, raw: bytes, database: bytes) -> bytes:
    """What to print after what waits was stored; nothing at the end of a session."""
    import json
    import site
    from pathlib import Path

    told = json.loads(raw)
    # Unlike SQLite, the rest may lie anywhere.
    site.main()
    from ...agents.registry import BY_NAME, agent_of_record, events_of
    from ...events import SpoolRecord

    record = SpoolRecord(0, 0, agent, agent_variables(), str(Path.cwd()), told)
    event = next(iter(events_of(record)), None)
    if event is None or event.kind not in ("session_start", "session_end"):
        return b""
    from ...context.block import compose
    from ...context.log import append_log_entry
    from ...database.connection import wait_when_busy
    from ...store import Store
    from ..ingest.drain import drain

    path = database.decode("utf-8", "surrogateescape")
    with Store.open(path, patience=PATIENCE_SECONDS) as store:
        drain(store, seconds=BUDGET_SECONDS, patience=PATIENCE_SECONDS)
        wait_when_busy(store.db, PATIENCE_SECONDS)
        observe(store)
        if event.kind == "session_end" or event.subagent:
            return b""
        project, _ = store.known_projects.of(event.cwd)
        name = str(told.get("hook_event_name", ""))
        given = compose(store.db, project)
        agent = agent_of_record(record)
        answer = BY_NAME[agent].answer(store.db, name, given.text)
        if answer:
            append_log_entry(store.db, agent, event.session, project, given)
        return answer


def observe(store: Store) -> None:
    """Make memory of what waits in the queue; what another process keeps from it waits on."""
    if not store.pending.is_waiting(leased=False):
        return
    from ...observe.jobs.job import process_briefly
    from ..ingest.drain import unless_busy

    with unless_busy():
        process_briefly(store, OBSERVING_SECONDS)


def spawn_job_for_rest(database: bytes) -> None:
    """Have what there was no time for done by a process of its own."""
    from ...observe.jobs.spawn import spawn_job

    # The agent must not see what goes wrong here, and what waits is done by whoever comes next.
    try:  # noqa: SIM105 - contextlib would have to be imported
        spawn_job(database)
    except Exception:
        pass


def agent_variables() -> frozenset[str]:
    """The variables of the environment that tell which agent runs this."""
    from .spool_writer import AGENT_VARIABLES

    return frozenset(name.decode() for name in AGENT_VARIABLES if name in posix.environ)


def find_packages() -> None:
    """Let SQLite be imported, which lies beside this program: the hook started without packages."""
    try:
        import apsw
    except ImportError:
        version = "python{}.{}".format(*sys.version_info)
        folder = sys.executable.rpartition("/bin/")[0]
        sys.path.append(f"{folder}/lib/{version}/site-packages")
        try:
            import apsw  # noqa: F401
        except ImportError:
            import site

            site.main()


def set_deadline(end: object, begun: float) -> None:
    """Have the process end when it has taken too long."""
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
    """How long ago this process began, in seconds, the time included in which it had to wait."""
    try:
        with open("/proc/self/stat", "rb") as file:  # noqa: PTH123 - pathlib takes long to import
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        return time.clock_gettime(time.CLOCK_BOOTTIME) - ticks / posix.sysconf("SC_CLK_TCK")
    except (OSError, AttributeError):
        return time.monotonic() - begun
