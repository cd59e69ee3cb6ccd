"""Meeting the team by itself, where next to nothing may be imported of who is in none."""

from __future__ import annotations

from contextlib import suppress

from ...platform.errors import StoreError
from ...store import Store
from .membership import is_due

SECONDS = 3
"""How long the server is waited for."""


def meet_team_if_due(store: Store) -> None:
    """Meet the store's team, if it has one that is due; what stands in the way is noted."""
    if is_due(store):
        with suppress(StoreError):
            from .meeting import meet_team

            meet_team(store, seconds=SECONDS)
