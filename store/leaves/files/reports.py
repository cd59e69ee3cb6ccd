"""What is asked of the reports on loaded files, also by a hook's process, which waits for every import."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Report = tuple[str, str, str, str]
    """The path of a file, its type, why it was loaded, and the file that imports it or ""."""

NEWEST = (
    "SELECT session, max(at), folder FROM loaded WHERE reason = 'session_start' "
    "AND folder IN (SELECT value FROM json_each(?))"
)
"""The last session in one of some folders."""
LOADED = "SELECT path, type, reason, parent FROM loaded WHERE session = ? AND folder = ? ORDER BY at, rowid"
FOLDERS = (
    "SELECT folder FROM loaded WHERE reason = 'session_start' GROUP BY folder ORDER BY max(at) DESC LIMIT ?"
)


def at_start(reports: Sequence[Report]) -> list[Report]:
    """Return the reports on files that a start loads, and on those that these import; other imports are
    of files that are loaded once something is read."""
    loaded = {path for path, _, reason, _ in reports if reason == "session_start"}
    while more := {path for path, _, _, parent in reports if parent in loaded} - loaded:
        loaded |= more
    return [report for report in reports if report[0] in loaded]
