"""Whether a repository will show a file as changed: its version control is left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..git.command import GitError, Limit, changed_lines
from ..paths import repository_root
from ..tables.projects.repositories import locate
from ..text.plural import count_noun

if TYPE_CHECKING:
    from pathlib import Path

SECONDS = 3.0


def tracked(path: Path) -> str:
    """Return a sentence on a file that a repository tracks: how many of its lines are changed now, and
    where it goes from there. "" for one that none does, or where git can't be asked."""
    root = repository_root(str(path.parent))
    if root is None:
        return ""
    try:
        lines = changed_lines(root, str(path), Limit(SECONDS))
    except GitError:
        return ""
    if lines is None:
        return ""
    remote = locate(str(path.parent)).remote
    whose = f"{root}, which goes to {remote}" if remote else root
    return f"It is tracked by {whose}: {count_noun(lines, 'lines')} changed. Nothing was committed."
