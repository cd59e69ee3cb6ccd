"""Whether vectors are kept of a memory, the records whose vectors are not as their text is, and where the
files of vectors lie, which can be made anew. Next to nothing is imported: every commit and search asks.
"""

from __future__ import annotations

import os

import apsw

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

KEY = "embeddings"
"""The row of `meta` that says that vectors are kept, and which state of the memory they were brought to
last: a file of vectors that names another one is of another memory, or of another time of this one."""


SUFFIX = ".db"
"""How the name of a file of vectors ends."""


def new_state() -> str:
    """Return a name that no state of any memory has yet."""
    return os.urandom(8).hex()


def are_kept(db: apsw.Connection) -> bool:
    """Return whether vectors are kept of this memory."""
    return state(db) is not None


def state(db: apsw.Connection) -> str | None:
    """Return the state that the vectors were brought to last; None where none are kept."""
    result = db.execute("SELECT value FROM meta WHERE key = ?", (KEY,)).get
    return None if result is None else str(result)


def set_state(db: apsw.Connection, name: str | None) -> None:
    """Note that vectors are kept and of which state they are; None: that they aren't."""
    if name is None:
        db.execute("DELETE FROM meta WHERE key = ?", (KEY,))
        db.execute("DELETE FROM unembedded")
    else:
        sql = "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value"
        db.execute(sql, (KEY, name))


def keep(db: apsw.Connection) -> None:
    """Have vectors kept from now on."""
    if not are_kept(db):
        set_state(db, new_state())


def take_over(old: apsw.Connection, new: apsw.Connection) -> None:
    """Have a memory that takes the place of another keep vectors if that did. They are compared with its
    rows then."""
    known = "SELECT 1 FROM meta WHERE key = ?"
    are_wanted = old.execute(known, (KEY,)).get is not None
    with new:
        set_state(new, None)
        if are_wanted:
            keep(new)


def is_waiting(db: apsw.Connection) -> bool:
    """Return whether any record's vectors are out of date, or missing."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM unembedded)").get)


def is_outdated(db: apsw.Connection) -> bool:
    """Return whether a record may have vectors of a text that it no longer has."""
    return bool(db.execute("SELECT EXISTS (SELECT 1 FROM unembedded WHERE is_new = 0)").get)


def note_followed(db: apsw.Connection, state: str) -> None:
    """Note that the vectors of all that was noted are taken out, and which state that is."""
    set_state(db, state)
    # What isn't indexed yet may be reworded again without being noted again.
    db.execute(
        "DELETE FROM unembedded WHERE NOT EXISTS (SELECT 1 FROM unindexed x CROSS JOIN documents d "
        "ON d.id = x.document_id WHERE d.kind = unembedded.kind AND d.record_id = unembedded.record_id)"
    )
    db.execute("UPDATE unembedded SET is_new = 0 WHERE is_new = 1")


def may_be_due(db: apsw.Connection, database: Path) -> bool:
    """Return whether a job may find vectors to build: they are kept, and records wait for theirs, here or
    in a file of vectors, or there is no such file. Which model they are of isn't asked."""
    if not are_kept(db):
        return False
    if is_waiting(db):
        return True
    files = list(vectors_directory(database).glob(f"*{SUFFIX}"))
    for path in files:
        try:
            file = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
            if file.execute("SELECT EXISTS (SELECT 1 FROM due)").get:
                return True
        except apsw.Error:
            # Whoever reads it next tells.
            continue
    return not files


def try_follow(db: apsw.Connection, follow: Callable[[], object]) -> None:
    """Have the vectors follow what other programs wrote, if that can be done now: none of them is found
    until then."""
    try:
        if db.in_transaction or not is_outdated(db):
            return
    except (apsw.SQLError, apsw.CorruptError, apsw.IOError, apsw.FullError, apsw.BusyError):
        # Whatever reads next tells; a table that is missing here need not keep anybody from an answer.
        return
    # The lean `mem add` passes here, which has no time to import it.
    from ..database.transaction import try_write

    try_write(db, follow)


def vectors_directory(database: Path) -> Path:
    """Return the directory of a memory's vectors, whether it is there or not."""
    from ..database.connection import real_path

    return type(database)(f"{real_path(str(database))}-vectors")


def drop_vectors(database: Path, *, keep: str = "") -> bool:
    """Delete the files of a memory's vectors, but for the one named `keep` without its suffix; whether they
    are gone."""
    folder = vectors_directory(database)
    files = (path for path in folder.glob(f"*{SUFFIX}") if path.is_file() and not path.is_symlink())
    is_gone = drop_files(path for path in files if path.stem != keep)
    if not keep:
        try:  # noqa: SIM105 - contextlib would have to be imported
            folder.rmdir()
        except OSError:
            pass
    return is_gone


def drop_files(paths: Iterable[Path]) -> bool:
    """Delete files of vectors and what lies beside them; False where one of them can't be."""
    is_gone = True
    for path in paths:
        for end in ("", "-journal"):
            try:
                path.with_name(path.name + end).unlink(missing_ok=True)
            except OSError:
                is_gone = False
    return is_gone
