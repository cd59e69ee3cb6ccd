"""Find out which sessions' branches aren't merged, as git here says: what was decided on one may not hold
anywhere else yet. A branch that is gone was merged or given up, and counts as neither.
"""

from __future__ import annotations

from ..database.transaction import snapshot
from ..store import Store
from ..tables import unmerged_sessions as table
from .changed_files import BACKGROUND_SECONDS, repositories_here
from .git import GitError, Limit, unmerged


def refresh_branches(store: Store, limit: Limit | None = None) -> bool:
    """Note which sessions' branches aren't merged, and return whether that has changed.

    Git is asked only for projects that have sessions on branches; where it can't say anything, what was
    noted stays.
    """
    if store.read_only or not table.projects_on_branches(store.db):
        return False
    limit = limit or Limit(BACKGROUND_SECONDS)
    with snapshot(store.db):
        places = repositories_here(store.db)
    now: dict[int, None] = {}
    for repository, here in places.items():
        projects = {place.project for place in here} & table.projects_on_branches(store.db)
        try:
            names = unmerged(repository.root, limit) if projects else set()
        except GitError:
            now |= dict.fromkeys(table.noted(store.db, projects))
        else:
            now |= dict.fromkeys(table.on_branches(store.db, projects, names))
    if now.keys() == set(table.noted(store.db)):
        return False
    with store.transaction():
        table.note(store.db, now)
    return True
