"""Whether a repository will show a file as changed: its version control is left alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...git.command import GitError, Limit, changed_lines
from ...paths import repository_root
from ...tables.projects.repositories import locate
from ...text.plural import count_noun
from ...translation import _

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
    changed = count_noun(lines, "lines")
    if not remote:
        return _(
            "It is tracked by {repository}: {lines} changed. Nothing was committed.",
            repository=root,
            lines=changed,
        )
    return _(
        "It is tracked by {repository}, which goes to {remote}: {lines} changed. Nothing was committed.",
        repository=root,
        remote=remote,
        lines=changed,
    )
