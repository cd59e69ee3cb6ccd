"""The files of vectors that an earlier memtui kept beside a store. A vector can be turned back into words,
more or less, so they are deleted before they could outlive a text.
"""

from __future__ import annotations

from pathlib import Path


def old_vectors(database: Path) -> Path:
    """Return the directory of these files, whether it is there or not."""
    return Path(f"{database.resolve()}-vectors")


def drop_old_vectors(database: Path) -> bool:
    """Delete them and what lies beside them; whether they are gone."""
    folder = old_vectors(database)
    if folder.is_symlink() or not folder.is_dir():
        return True
    is_gone = True
    for path in (*folder.glob("*.db"), *folder.glob("*.db-journal")):
        try:
            path.unlink(missing_ok=True)
        except OSError:
            is_gone = False
    try:
        folder.rmdir()
    except OSError:
        # What else lies there is not ours.
        return is_gone
    return True
