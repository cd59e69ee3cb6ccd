"""Add an observation with nothing but SQLite, for the lean `mem add`: the same row as
`Observations.add` stores.

It becomes a document that waits to be indexed by whoever reads or writes next.
"""

from __future__ import annotations

import apsw

from ..database import SCHEMA
from ..database.connection import set_up
from ..database.recording import Recorder
from ..platform.clock import common_columns, now_ms
from ..platform.paths import current_folder, forget_starts
from ..text import redaction
from .new_rows import LIVE_MS, LIVE_SESSION, insert_statement, manual_session

PATIENCE_SECONDS = 1.0
"""How long a lock is waited for here; then the store waits on, and says so when in vain."""

MAXIMUM_WAITING = 1_000
"""Where more documents than this wait to be indexed, the store takes over and indexes them."""


COMMAND = "mem add"

ADDED = '["{named} added", {"named": ["{kind} {ref}", {"kind": ["observation"], "ref": %d}]}]'
ADDED_MANY = '["observations added"]'
"""What the journal keeps of them, as `database.recording.stored` writes it."""

LISTS = ("facts", "concepts", "files_read", "files_modified", "tags")
"""The columns that hold lists: those of `FIELDS`, which takes longer to import than to hold equal."""


class NewObservation:
    """What is said of a new observation, by column; all of it plain."""

    def __init__(self) -> None:
        self.texts: dict[str, str] = {}
        self.lists: dict[str, list[str]] = {column: [] for column in LISTS}
        self.numbers: dict[str, int] = {}
        self.private = False
        self.live_agent = ""
        """The agent whose live session it belongs to, where no session is named."""

    def copy(self) -> NewObservation:
        """Another one of which the same is said."""
        other = NewObservation()
        other.texts |= self.texts
        other.lists |= {column: [*items] for column, items in self.lists.items()}
        other.numbers |= self.numbers
        other.private = self.private
        other.live_agent = self.live_agent
        return other


def add_observations(
    db: apsw.Connection, given: list[NewObservation], agent: str | None = None
) -> list[int] | None:
    """Store observations in one transaction, run by an agent or a person (None); their ids, or those of
    the same events.

    None, and nothing is stored, where one of them needs more than is done here.
    """
    try:
        set_up(db, PATIENCE_SECONDS)
        # What a statement could have to take back is no more than what it writes: no file for that.
        db.pragma("temp_store", "memory")
        # A file of any other schema is left to the store.
        if db.pragma("user_version") != SCHEMA:
            return None
        db.execute("BEGIN IMMEDIATE")
        waiting = "SELECT count(*) > ?1 FROM (SELECT 1 FROM unindexed LIMIT ?1 + 1)"
        if db.execute(waiting, (MAXIMUM_WAITING,)).get:
            return None
        numbers: list[int] = []
        recorder = Recorder(db, machine_of(db), via=COMMAND, agent=agent)
        try:
            for observation in given:
                same_event = "SELECT id FROM observations WHERE event_id = ?"
                known: int | None = db.execute(same_event, (observation.texts.get("event_id"),)).get
                number = known or insert_observation(db, observation)
                if number is None:
                    return None
                numbers.append(number)
            recorder.what = ADDED % numbers[0] if len(given) == 1 else ADDED_MANY
            recorder.write()
        finally:
            recorder.close()
    except apsw.Error:
        return None
    forget_starts(db.filename)
    commit(db)
    return numbers


def insert_observation(db: apsw.Connection, given: NewObservation) -> int | None:
    """Return the id of a new row, in its session; None where that session needs more than its id."""
    machine = machine_of(db)
    owner = find_or_create_session(db, given, machine)
    if owner is None:
        return None
    texts = given.texts
    values = common_columns(machine, private=given.private)
    values |= {column: json_array(items) for column, items in given.lists.items()}
    values |= {
        "session_id": owner[0],
        "project": texts.get("project", owner[1]),
        "type": texts.get("type", "note"),
        "title": texts["title"],
        "subtitle": texts.get("subtitle"),
        "narrative": texts.get("narrative"),
        "tool_name": texts.get("tool_name"),
        "prompt_number": given.numbers.get("prompt_number"),
        "discovery_tokens": given.numbers.get("discovery_tokens", 0),
        "event_id": texts.get("event_id"),
    }
    number: int = db.execute(insert_statement("observations", values), values).get
    return number


def machine_of(db: apsw.Connection) -> str:
    """Return which machine writes here."""
    return str(db.execute("SELECT value FROM meta WHERE key = 'machine_id'").get)


def find_or_create_session(
    db: apsw.Connection, given: NewObservation, machine: str
) -> tuple[int, str] | None:
    """Return the id and project of the session, made when it is unknown; None if it isn't plain."""
    named, agent = given.texts.get("session"), given.texts.get("agent", "manual")
    project = given.texts.get("project") or known_project(db)
    if given.live_agent and not named and project is not None:
        since = now_ms() - LIVE_MS
        live: tuple[int, str] | None = db.execute(
            LIVE_SESSION, (given.live_agent, project, since)
        ).fetchone()
        if live:
            return live
    key = named or (manual_session(project) if project is not None else "@")
    if key.startswith("@"):
        return None
    result = db.execute(
        "SELECT id, project, private FROM sessions "
        "WHERE content_session_id = ? AND agent = coalesce(?, agent) "
        "ORDER BY started_at DESC LIMIT 1",
        (key, None if named else agent),
    ).fetchone()
    if result:
        number, held, private = result
        return (number, held) if not private and (named or held == project) else None
    if project is None or not is_plain(project):
        return None
    values = common_columns(machine)
    values |= {
        "agent": agent,
        "content_session_id": key,
        "project": project,
        "status": "active",
        "started_at": values["created_at"],
    }
    made: int = db.execute(insert_statement("sessions", values), values).get
    return made, project


def known_project(db: apsw.Connection) -> str | None:
    """Return the project of the current directory, where that is known by its place."""
    result: str | None = db.execute(
        "SELECT project FROM project_places WHERE kind = 'root' AND place = ?", (current_folder(),)
    ).get
    return result


def is_plain(text: str) -> bool:
    """Return whether a text is stored as it stands: no private tag or secret, no control character or
    surrogate."""
    is_printable = "<" not in text and text.replace("\n", "").isprintable()
    return is_printable and redaction.is_plain(text)


def json_array(items: list[str]) -> str:
    """Plain texts as `json.dumps` writes them."""
    escaped = (item.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") for item in items)
    return "[" + ", ".join(f'"{item}"' for item in escaped) + "]"


def commit(db: apsw.Connection) -> None:
    """Commit, or end the process with a sentence: what raised may have landed, so the store must
    not write it again."""
    try:
        db.execute("COMMIT")
    except apsw.Error as error:
        from ..database.transaction import translate_errors
        from ..platform.errors import StoreError

        try:
            with translate_errors(db):
                raise error
        except StoreError as content:
            raise SystemExit(str(content)) from error
