"""Append to the context log what a session was given, at next to no cost; a locked memory goes
without.
"""

from __future__ import annotations

import time

from ..platform.paths import files_in, starts_path
from ..platform.system import posix

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

    from .wrapper import Context


KEPT = 500
"""So many of the newest entries are kept."""

LONGEST = 200
"""Characters of a session's name."""

MOMENT_MS = 5_000
"""So long after a session was told at an occasion, it is told nothing at the same one: its hooks are
registered more than once."""

STARTUP, PROMPT, FILE = "startup", "prompt", "file"
"""Occasions; a session that starts again is told at "resume", "clear" or "compact"."""
NEW = ("", "new")
"""What agents also call the start of a new session."""

INSERT = f"""
INSERT INTO given_contexts (at, agent, session, project, tokens, refs, occasion)
SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 WHERE ?3 = '' OR NOT EXISTS (
    SELECT 1 FROM given_contexts WHERE session = ?3 AND agent = ?2 AND occasion = ?7
    AND abs(?1 - at) < {MOMENT_MS} AND ?7 NOT IN ('{PROMPT}', '{FILE}')
)
"""
COUNT_USES = """
INSERT INTO memory_uses (kind, record_id, told, told_at, agent, session)
SELECT iif(value GLOB '[0-9]*', 'o', substr(value, 1, 1)), CAST(ltrim(value, 'pfsn') AS INTEGER), 1,
    ?1, ?2, ?3
FROM json_each(?6) WHERE true
ON CONFLICT DO UPDATE SET told = told + 1, told_at = ?1, agent = ?2, session = ?3
"""
"""Counts for each memory of an entry that it was told once more."""
BOUND = f"DELETE FROM given_contexts WHERE id <= last_insert_rowid() - {KEPT}"
EACH_REF = "json_each(iif(json_valid(refs), refs, '[]'))"
"""The refs of an entry, a row each; none where they are damaged."""
LATEST = 40
"""So many of the newest entries of a project tell what was told again and again."""
TOLD_AT_STARTS = f"""
SELECT value, count(*) FROM (
    SELECT refs FROM given_contexts WHERE project = ? AND occasion NOT IN ('{PROMPT}', '{FILE}')
    ORDER BY id DESC LIMIT {LATEST}
), {EACH_REF} WHERE value GLOB 'p*' GROUP BY value
"""
"""At how many starts each prompt was told."""
TOLD = f"""
SELECT DISTINCT value FROM given_contexts, {EACH_REF}
WHERE session = ? AND agent = ?
"""


def append_log_entry(
    db: apsw.Connection,
    agent: str,
    session: str,
    project: str,
    context: Context,
    occasion: object = STARTUP,
) -> bool | None:
    """Log which memories a session of an agent is given at an occasion; answers as `write_log_entry` does.

    Of several that log the same start at once one makes the entry, and the others learn of it.
    """
    entry = log_entry(agent, session, project, context.tokens, context.refs, occasion)
    return write_log_entry(db, entry)


def log_entry(
    agent: str, session: str, project: str, tokens: int, refs: Iterable[str], occasion: object
) -> list[int | str]:
    """Return the values of an entry of the present moment."""
    named = occasion if isinstance(occasion, str) and occasion not in NEW else STARTUP
    listed = "[{}]".format(",".join(f'"{ref}"' for ref in refs))
    at = time.time_ns() // 1_000_000
    return [at, agent, session[:LONGEST], project, tokens, listed, named[:LONGEST]]


def write_log_entry(db: apsw.Connection, entry: list[int | str]) -> bool | None:
    """Write an entry to the log and return True; False, and nothing is written, where the session was told
    at the same occasion a moment ago, None where it can't be written."""
    import apsw

    try:
        with db:
            db.execute(INSERT, entry)
            is_new = bool(db.changes())
            if is_new:
                db.execute(BOUND)
                db.execute(COUNT_USES, entry[:6])
    except (apsw.Error, ValueError):
        # The session has its answer, which matters more.
        return None
    return is_new


TOLD_FILE = b".told"
"""The end of the name of a file that says what a start was told of what was prepared for it."""
MOST_TOLD = 65_536
"""Bytes of such a file."""
VALUES = "SELECT value FROM json_each(?)"


def log_starts(db: apsw.Connection) -> None:
    """Log what starts were told that opened no memory. A file is emptied then, and stays for a moment: that
    it is there keeps a hook that is registered twice from telling it again."""
    import apsw

    for path in files_in(starts_path(db.filename.encode("utf-8", "surrogateescape")), TOLD_FILE):
        try:
            file = posix.open(path, posix.O_RDWR | posix.O_CLOEXEC | posix.O_NOFOLLOW)
        except OSError:
            continue
        try:
            if entry := posix.read(file, MOST_TOLD):
                values = [value for (value,) in db.execute(VALUES, (entry.decode(),))]
                if write_log_entry(db, values) is not None:
                    posix.ftruncate(file, 0)
            elif time.time() - posix.fstat(file).st_mtime > MOMENT_MS / 1_000:
                posix.unlink(path)
        except (apsw.Error, OSError, ValueError):
            # What a full disk or another program has made of it tells nothing.
            continue
        finally:
            posix.close(file)


def told_refs(db: apsw.Connection, agent: str, session: str) -> frozenset[str]:
    """Return the refs of what a session was given so far. Raises apsw's errors."""
    if not session:
        return frozenset()
    return frozenset(str(ref) for (ref,) in db.execute(TOLD, (session[:LONGEST], agent)))
