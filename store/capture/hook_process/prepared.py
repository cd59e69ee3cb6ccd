"""What a new session is told, prepared when the last one ended, so that its start reads one file.

A file for each agent and folder holds the answer, and what it was made of besides the memory. Every
transaction that may take something away removes these files before it commits; what only adds leaves
them, told as of then, until they are prepared again. Where none holds, the start asks the memory.
"""

from __future__ import annotations

import time

from ...agents.registry import BY_NAME, agent_of_event
from ...platform.paths import (
    CHOSEN,
    DUE,
    HANDED_OVER,
    PREPARED,
    PRIVATE_FILE,
    files_in,
    forget_starts,
    make_private_directories,
    repository_root,
    spool_path,
    starts_path,
    written_at,
)
from ...platform.system import posix
from ..ingest.spool_files import segment_name
from . import AGENT_VARIABLES, STARTS, read_setting

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import apsw

    from ...agents.base import Agent

NAMES = tuple(mark.strip(b'"').decode() for mark in STARTS)
SESSIONS = ("session_id", "sessionId", "conversation_id")
CHILDREN = ("agent_id", "agentId", "parent_id", "parentAgentId", "parent_agent_id")
NEW_SESSION = (None, "", "new", "startup", "clear")
"""How agents call the start of a session that holds nothing yet."""
OTHER_EVENTS = ("prompt", "toolName", "reason", "stopReason")
"""What a start without a name lacks."""
LONGEST_PLAIN, HEXADECIMAL = 8, "0123456789abcdef-"
"""Characters of a name that is too short for a secret; what most ids are made of."""
LONGEST_FILE = 150
"""Bytes of a folder's path in the name of a file, the last ones."""
ASKED = b".asked"
"""The end of the name of a file that says which start is to be prepared."""
MOST_PREPARED = 8
"""So many are, those that were asked for last."""
HAND_OVER_SECONDS = 300
"""So long after a hand-over its session may start."""
PROJECT = "SELECT project FROM project_places WHERE kind = 'root' AND place = ?"


class Scanning:
    """What the interpreter's own scanner of JSON has to know; `json` takes long to import."""

    strict = True
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, float


def parsed(raw: bytes) -> dict[str, Any]:
    """Return a JSON object, bytes that are no UTF-8 replaced. ValueError where it is none."""
    from _json import make_scanner

    try:
        scan = make_scanner(Scanning())  # type: ignore[arg-type]
        result, _ = scan(raw.decode("utf-8", "replace").lstrip(), 0)
    except (StopIteration, RecursionError) as error:
        raise ValueError from error
    if not isinstance(result, dict):
        raise ValueError
    return result


def prepared_answer(agent: str, raw: bytes, database: bytes) -> tuple[bytes, bool] | None:
    """Return what is prepared for a start, b"" where it was told a moment ago, and whether no event waits
    that came later; None where nothing is prepared that holds. That it was told is noted for the log."""
    try:
        payload = parsed(raw)
        known, session, source = agent_in(agent, payload), file_of(payload), payload.get("source")
        if not session or handed_over(known.name, source) or not is_new_session(known, payload):
            return None
        root = root_of(payload, known)
        path = path_of(database, known.name, root)
        start = parsed(read_setting(path) or b"")
        if not holds(start, database, known, root):
            return None
        if not note_told(database, start, known.name, session, source):
            return b"", True
        is_all = written_at(path) > written_at(spool_path(database) + segment_name())
        return start["answer"].replace("0" * 8, posix.urandom(4).hex(), 1).encode(), is_all
    except (OSError, ValueError, KeyError, ImportError):
        return None


def defer(agent: str, raw: bytes, database: bytes, answer: bytes) -> bool:
    """Keep a start's answer for the session's first prompt, where the agent takes it there; whether it
    does. What is kept goes with all that is prepared, where something may not be told any more."""
    try:
        payload = parsed(raw)
        known, session = agent_in(agent, payload), file_of(payload)
        if not known.start_event or not session:
            return False
        text = answer.decode().replace(f'"{name_of_start(known)}"', f'"{known.start_event}"', 1)
        write_file(starts_path(database) + session.encode() + DUE, text)
    except (OSError, ValueError, ImportError):
        return False
    return True


def answer_due(raw: bytes, database: bytes) -> bool:
    """Print at a prompt what was kept of its session's start, and return whether there was anything; at a
    slash command it waits for the next one."""
    payload = parsed(raw)
    prompt, session = payload.get("prompt"), file_of(payload)
    if not isinstance(prompt, str) or prompt.lstrip().startswith("/") or not session:
        return False
    path = starts_path(database) + session.encode() + DUE
    answer = read_setting(path)
    if not answer:
        return False
    # Whoever removes it prints it.
    posix.unlink(path)
    posix.write(1, answer)
    return True


def chosen(payload: dict[str, Any], database: bytes) -> list[Any]:
    """Return what was chosen for a session's next prompt, once; none where nothing was. At a slash command,
    and at a sub-agent's prompt, it waits for the next one."""
    if str(payload.get("prompt") or "").lstrip().startswith("/") or any(map(payload.get, CHILDREN)):
        return []
    path = starts_path(database) + file_of(payload).encode() + CHOSEN
    try:
        lines: list[Any] = parsed(read_setting(path) or b"").get("lines", [])
        # Whoever removes it tells it.
        posix.unlink(path)
    except (OSError, ValueError):
        return []
    return lines


def handed_over(agent: str, source: object) -> str:
    """Return the hand-over that a session begins with, which `mem session resume --in AGENT` notes for what
    it starts; "" for none."""
    head, _, text = posix.environ.get(HANDED_OVER, b"").decode("utf-8", "replace").partition("\n")
    name, _, at = head.partition(" ")
    is_its = name == agent and source in NEW_SESSION and source != "clear"
    return text if is_its and at.isdigit() and abs(time.time() - int(at)) < HAND_OVER_SECONDS else ""


def is_new_session(agent: Agent, payload: dict[str, Any]) -> bool:
    """Whether an event is the start of a session that holds nothing yet, and no sub-agent's."""
    is_usual = name_in(payload) in ("", name_of_start(agent)) or ":name" not in (agent.envelope or "")
    return payload.get("source") in NEW_SESSION and is_usual and is_start_of(agent, payload)


def is_start_of(agent: Agent, payload: dict[str, Any]) -> bool:
    """Whether an event is the start of a session, and no sub-agent's."""
    if any(payload.get(key) for key in CHILDREN):
        return False
    if agent.nameless and not name_in(payload):
        return "source" in payload and not any(key in payload for key in OTHER_EVENTS)
    return name_in(payload) in NAMES


def name_in(payload: dict[str, Any]) -> str:
    """Return the name of an event, "" for none."""
    return str(payload.get("hook_event_name", payload.get("hookEventName")) or "")


def holds(start: dict[str, Any], database: bytes, agent: Agent, root: str) -> bool:
    """Whether what was prepared may be told here, of this memory, while what it rests on is as it was."""
    from ...context.wrapper import mem_command

    return (
        bool(start.get("answer"))
        and start["root"] == root
        and start["agent"] == agent.name
        and start["of"] == foundation(database, [path for path, _ in start["of"][1:]])
        and start["command"] == mem_command()
    )


def foundation(database: bytes, files: list[str]) -> list[list[Any]]:
    """Return what tells the file of a memory from another one, and the agent's own files from what they
    were. Raises OSError."""
    memory = posix.stat(database)
    states = [(path, posix.stat(path)) for path in files]
    own = [[path, f"{status.st_mtime_ns}:{status.st_size}"] for path, status in states]
    return [["", f"{memory.st_dev}:{memory.st_ino}"], *own]


def note_told(database: bytes, start: dict[str, Any], agent: str, session: str, source: object) -> bool:
    """Note for the log what a session is told; False where another hook has told it the same just now.

    Raises OSError where it can't be noted.
    """
    from _json import encode_basestring_ascii as quoted

    from ...context.log import MOMENT_MS, TOLD_FILE, log_entry

    entry = log_entry(agent, session, start["project"], start["tokens"], start["refs"], source)
    values = ",".join(quoted(value) if isinstance(value, str) else str(value) for value in entry)
    path = starts_path(database) + f"{agent}-{entry[2]}-{entry[6]}".encode() + TOLD_FILE
    try:
        write(path, f"[{values}]", posix.O_EXCL)
    except FileExistsError:
        if time.time_ns() - written_at(path) > MOMENT_MS * 1_000_000:
            # It was told at another start, which is to be logged first.
            raise
        return False
    return True


def prepare(db: apsw.Connection, database: bytes) -> None:
    """Prepare the starts that were asked for."""
    import json

    import apsw

    places = set()
    for path in files_in(starts_path(database), ASKED)[-MOST_PREPARED:]:
        try:
            place = parsed(read_setting(path) or b"")
            places.add((str(place["agent"]), str(place["root"])))
        except (OSError, ValueError, KeyError):
            continue
    try:
        version = db.pragma("data_version")
        starts = [start_in(db, database, *place) for place in places]
        db.execute("BEGIN IMMEDIATE")
        try:
            # Nobody commits meanwhile, so that nothing is left that a transaction has taken away.
            if db.pragma("data_version") == version:
                for start in starts:
                    write_file(path_of(database, start["agent"], start["root"]), json.dumps(start))
        finally:
            db.execute("ROLLBACK")
    except (apsw.Error, OSError):
        # Another process is writing, or nothing can be written: what was prepared is of before.
        forget_starts(database.decode("utf-8", "surrogateescape"))


def start_in(db: apsw.Connection, database: bytes, agent: str, root: str) -> dict[str, Any]:
    """Return what a new session of an agent is told in a folder, as it is kept; the place alone where it is
    told nothing."""
    from ...context.block import compose
    from ...context.own_files import own_files
    from ...context.wrapper import BLANK_NONCE, mem_command

    start: dict[str, Any] = {"agent": agent, "root": root}
    known, project = BY_NAME.get(agent), db.execute(PROJECT, (root,)).get
    if known is None or not isinstance(project, str):
        return start
    own = own_files(db, project, agent)
    of = foundation(database, [file.path for file in own])
    context = compose(db, project, nonce=BLANK_NONCE, own=own)
    answer = known.answer(db, name_of_start(known), context.text)
    if not answer:
        return start
    return start | {
        "answer": answer.decode(), "command": mem_command(), "of": of,
        "project": project, "tokens": context.tokens, "refs": context.refs,
    }  # fmt: skip


def ask_for(database: bytes, agent: str, folder: str) -> None:
    """Have the next start of an agent in a folder prepared, by whoever prepares next."""
    import json

    root = repository_root(folder) or folder
    try:
        write_file(path_of(database, agent, root, ASKED), json.dumps({"agent": agent, "root": root}))
        for path in files_in(starts_path(database), ASKED)[:-MOST_PREPARED]:
            posix.unlink(path)
            posix.unlink(path[: -len(ASKED)] + PREPARED)
    except OSError:
        # Nothing can be written: the start asks the memory.
        pass


def write_file(path: bytes, text: str) -> None:
    """Write a file in one step, in a folder that is made if need be, for the user alone. Raises OSError."""
    make_private_directories(path.rpartition(b"/")[0])
    write(path + b".new", text, posix.O_TRUNC | posix.O_NOFOLLOW)
    posix.rename(path + b".new", path)


def write(path: bytes, text: str, flags: int) -> None:
    """Write a file that is made if need be, for the user alone, opened with more flags. Raises OSError."""
    file = posix.open(path, posix.O_WRONLY | posix.O_CREAT | posix.O_CLOEXEC | flags, PRIVATE_FILE)
    try:
        posix.write(file, text.encode())
    finally:
        posix.close(file)


def path_of(database: bytes, agent: str, root: str, end: bytes = PREPARED) -> bytes:
    """Return the file of what is prepared, or asked for, for an agent in a folder."""
    name = root.encode("utf-8", "surrogateescape").replace(b"%", b"%25").replace(b"/", b"%2F")
    return starts_path(database) + agent.encode() + name[-LONGEST_FILE:] + end


def name_of_start(agent: Agent) -> str:
    """Return the name of the event by which an agent starts a session."""
    return next((name for name in NAMES if name in agent.hooks), NAMES[0])


def root_of(payload: dict[str, Any], agent: Agent) -> str:
    """The directory of the repository in which a session starts, else the one in which it does: as
    the event says, else the hook's own."""
    fields = (payload.get(key) for key in agent.directory_fields)
    fields = (field[0] if isinstance(field, list) and field else field for field in fields)
    named = (field for field in fields if isinstance(field, str) and field.strip())
    folder = next(named, None) or posix.getcwd()
    return repository_root(folder) or folder


def session_of(payload: dict[str, Any]) -> str:
    """The agent's own id of the session, as it is stored; empty where there is none."""
    named = (payload.get(key) for key in SESSIONS)
    return storable(next((name for name in named if isinstance(name, str)), ""))


def file_of(payload: dict[str, Any]) -> str:
    """The same where it may name a file, else empty."""
    session = session_of(payload)
    return "" if "/" in session else session


def agent_in(agent: str, payload: dict[str, Any]) -> Agent:
    """The agent that an event is of, which another one may have named; KeyError where none is known."""
    return BY_NAME[agent_of_event(agent, payload, agent_variables())]


def agent_variables() -> frozenset[str]:
    """The variables that are set which say what agent runs this hook."""
    return frozenset(name.decode() for name in AGENT_VARIABLES if name in posix.environ)


def storable(name: object) -> str:
    """A name of an event as it may be stored: the event itself is cleaned by another process."""
    if not isinstance(name, str):
        return ""
    if len(name) <= LONGEST_PLAIN or not name.strip(HEXADECIMAL):
        return name
    from ...text.redaction import scrub

    return scrub(name)
