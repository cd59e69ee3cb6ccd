"""What an agent's own files tell already at its start, so that a context needn't.

Which files these are the agent itself reported last time (`store/leaves/files/reports.py`); to compute it
would take a hook's process longer than all else. Next to nothing is imported, for it waits for this.
"""

from __future__ import annotations

from ..platform.system import posix
from ..text.language.same import Gist
from .pieces import Told, pieces_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    import apsw

    Report = tuple[str, str, str, str]
    """The path of a file, its type, why it was loaded, and the file that imports it or ""."""

REPORTING = "claude-code"
"""The agent that reports what it loads."""
BEGINNING = 4
"""Letters of a stem that all words of it begin with."""
FILES_INDEX = "files.db"
"""The name of the index of agents' files, which lies beside a memory and has what agents report."""
MOST_READ = 32_768
"""Bytes of all these files that are looked at."""

ROOTS = (
    "SELECT json_group_array(place) FROM project_places "
    "WHERE project = ? AND kind = 'root' AND typeof(place) = 'text'"
)

NEWEST = (
    "SELECT session, max(at), folder FROM loaded WHERE reason = 'session_start' "
    "AND folder IN (SELECT value FROM json_each(?))"
)
"""The last session in one of some folders."""
LOADED = "SELECT path, type, reason, parent FROM loaded WHERE session = ? AND folder = ? ORDER BY at, rowid"


class AgentsFile:
    """A file that an agent is told at a start: its path and its text."""

    __slots__ = ("_lines", "_low", "_sentences", "path", "text")

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self._low = text.lower()
        self._lines: list[tuple[str, str]] | None = None
        self._sentences: dict[str, Told] = {}

    def tells(self, gist: Gist) -> bool:
        """Return whether one of its sentences says the same as another one, or all of it and more.

        The gists of all would take long to make; so only of the lines that hold its words.
        """
        marks = [*(word[:BEGINNING] for word in gist.words), *gist.pairs]
        left = int(gist.may_have_left)
        least = len(marks) - (2 * left + 2 if gist.pairs else left)
        if not marks or not _holds(self._low, marks, least):
            return False
        if self._lines is None:
            self._lines = [(line, line.lower()) for line in self.text.splitlines()]
        return any(self._told(line).has(gist) for line, low in self._lines if _holds(low, marks, least))

    def _told(self, line: str) -> Told:
        if line not in self._sentences:
            self._sentences[line] = Told(piece.gist for piece in pieces_of(line, MOST_READ))
        return self._sentences[line]


def _holds(text: str, marks: list[str], least: int) -> bool:
    """Return whether a text holds at least so many of some marks."""
    spare = len(marks) - least
    for mark in marks:
        if mark not in text:
            if spare <= 0:
                return False
            spare -= 1
    return True


def own_files(db: apsw.Connection, project: str, agent: str) -> list[AgentsFile]:
    """Return the files that an agent was told when it last started in a project, as they are now; none
    where it doesn't report them, or they can't be read."""
    if agent != REPORTING:
        return []
    results = []
    left = MOST_READ
    for path in _reported(db, project):
        if left > 0 and (raw := _read(path, left)):
            left -= len(raw)
            results.append(AgentsFile(path, raw.decode("utf-8", "replace")))
    return results


def at_start(reports: Sequence[Report]) -> list[Report]:
    """Return the reports on files that a start loads, and on those that these import; other imports are
    of files that are loaded once something is read."""
    loaded = {path for path, _, reason, _ in reports if reason == "session_start"}
    while more := {path for path, _, _, parent in reports if parent in loaded} - loaded:
        loaded |= more
    return [report for report in reports if report[0] in loaded]


def _reported(db: apsw.Connection, project: str) -> list[str]:
    import apsw

    index = f"{db.filename.rpartition('/')[0]}/{FILES_INDEX}"
    try:
        posix.stat(index)
        reports = apsw.Connection(index, flags=apsw.SQLITE_OPEN_READONLY)
    except (OSError, apsw.Error):
        return []
    try:
        roots = db.execute(ROOTS, (project,)).get
        for session, _, folder in reports.execute(NEWEST, (roots,)):
            if session is not None:
                rows: list[Any] = reports.execute(LOADED, (session, folder)).fetchall()
                return [path for path, *_ in at_start(rows)]
    except apsw.Error:
        # An index of an older version, which is made anew by whoever writes it.
        return []
    finally:
        reports.close()
    return []


def _read(path: str, most: int) -> bytes:
    """The beginning of a regular file; nothing of any other."""
    try:
        file = posix.open(path, posix.O_RDONLY | posix.O_CLOEXEC | posix.O_NONBLOCK)
    except (OSError, ValueError):
        return b""
    try:
        return posix.read(file, most) if posix.fstat(file).st_mode & 0o170000 == 0o100000 else b""
    except OSError:
        return b""
    finally:
        posix.close(file)
