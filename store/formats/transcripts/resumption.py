"""How an agent's own session is resumed, or a copy of it: by which command, in which directory, and what is
in the way."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from ...agents.registry import agent_called
from ...links.foreground import find_program
from ...platform.errors import SourceError
from ...platform.regular_file import open_regular
from ...platform.translation import _
from ...records.dataclasses import dataclass, field, replace
from ...records.rows import Session
from ...tables.removal.purge import PURGED_SESSION
from ..sqlite.file import open_foreign
from ..sqlite.table import columns
from .discovery import transcripts_of_session

ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:@-]{0,199}")
"""What a session's id may be to stand in a command: it begins no option, and needs no quotes."""
HEAD = 1 << 16
"""Bytes of a transcript in which the directory of its session is looked for."""
_DIRECTORY = re.compile(rb'"(?:cwd|directory)"\s*:\s*("(?:[^"\\]|\\.){1,4000}")')


@dataclass(frozen=True, slots=True)
class Resumption:
    """How a session is gone on with. `command` is empty where it can't be, and `reason` says why.

    `directory` is where to run it, None where that is gone or isn't known; `obstacle` says what would
    make it fail here, `` where nothing is known of the kind; `doubt` what may. `variables` are added to the
    environment that it runs in.
    """

    command: tuple[str, ...] = ()
    directory: Path | None = None
    reason: str = ""
    obstacle: str = ""
    doubt: str = ""
    variables: Mapping[bytes, bytes] = field(default_factory=dict)

    @property
    def can_run(self) -> bool:
        """Whether it can be run here and now."""
        return bool(self.command) and self.directory is not None and not self.obstacle

    @property
    def brief_line(self) -> str:
        """The same on one line, of a prompt only where it stands."""
        words = tuple("…" if "\n" in word else word for word in self.command)
        return replace(self, command=words).shell_line

    @property
    def shell_line(self) -> str:
        """What to type into a shell; `` where there is no command."""
        if not self.command:
            return ""
        line = shlex.join(self.command)
        return f"cd {shlex.quote(str(self.directory))} && {line}" if self.directory else line


def resumption(session: Session, *, fork: bool = False) -> Resumption:
    """Return how a session, or a copy of it, is resumed on this machine; the agent's folders are looked
    through."""
    agent, id = agent_called(session.agent), session.content_session_id
    if agent is None or id.startswith(PURGED_SESSION):
        return Resumption(reason=_no_agent(session))
    command = agent.resume_command(id, fork=fork)
    if command is None:
        return Resumption(
            reason=_("{agent} has no command that forks a session.", agent=agent.name)
            if fork
            else _("{agent} has no command that resumes a session.", agent=agent.name)
        )
    if not ID.fullmatch(id):
        return Resumption(reason=_("Its id can't be used in a command."))
    paths = transcripts(session)
    known = [path for path in paths if agent.resumes(path)]
    directory, obstacle = place(session, known, command[0])
    if not obstacle and paths and not known:
        obstacle = _(
            "It is a conversation of {agent}'s window, which {command} can't resume.",
            agent=agent.name,
            command=command[0],
        )
    doubt = ""
    if not paths:
        doubt = _("{agent} keeps no transcript of it here: it may not know it any more.", agent=agent.name)
    return Resumption(command, directory, "", obstacle, doubt)


def _no_agent(session: Session) -> str:
    if session.content_session_id.startswith(PURGED_SESSION):
        return _("The session was purged, and its id with it.")
    if session.agent == "manual":
        return _("The session was begun by hand: there is no agent to resume it.")
    return _("How {agent} resumes a session isn't known.", agent=session.agent or _("its agent"))


def transcripts(session: Session) -> list[Path]:
    """Return what an agent wrote of a session, on this machine."""
    agent, id = agent_called(session.agent), session.content_session_id
    if agent is None or not ID.fullmatch(id):
        return []
    return [
        path
        for path in transcripts_of_session(agent.name, id)
        if path.suffix != ".db" or _stored_directory(path, id) is not None
    ]


def place(session: Session, transcripts: list[Path], program: str) -> tuple[Path | None, str]:
    """Return the directory in which to go on with a session by a program, None for none, and what is in the
    way of that, `` for nothing."""
    directory, lost = _directory(session, transcripts)
    if find_program(program) is None:
        return directory, _("{program} is not on your PATH.", program=program)
    if lost:
        return directory, _(
            "{lost} isn't there any more. If it was moved: `mem session move {lost} NEW`", lost=lost
        )
    return directory, "" if directory else _("The directory it ran in isn't known.")


def _directory(session: Session, transcripts: list[Path]) -> tuple[Path | None, str]:
    """Return the directory to run in, as the transcript tells it, else as the session does, and the one
    that isn't there any more, `` for none."""
    lost = ""
    named = [_named_directory(path, session.content_session_id) for path in transcripts]
    for text in (*named, session.project_path):
        if text and text.startswith("/") and text.isprintable():
            with suppress(OSError, ValueError):
                if Path(text).is_dir():
                    return Path(text), ""
            lost = lost or text
    return None, lost


def _named_directory(path: Path, id: str) -> str | None:
    if path.suffix == ".db":
        return _stored_directory(path, id)
    try:
        with open_regular(path) as file:
            match = _DIRECTORY.search(file.read(HEAD))
        result = json.loads(match[1]) if match else None
    except (OSError, ValueError):
        return None
    return result if isinstance(result, str) else None


def _stored_directory(path: Path, id: str) -> str | None:
    """Return the directory of a session in OpenCode's database, `` for one without; None where it has
    no such session."""
    with suppress(SourceError), open_foreign(path) as db:
        for table in ("session", "session_v2"):
            if {"id", "directory"} <= set(columns(db, table)):
                row = db.execute(f"SELECT directory FROM {table} WHERE id = ?", (id,)).fetchone()
                if row is not None:
                    return row[0] if isinstance(row[0], str) else ""
    return None
