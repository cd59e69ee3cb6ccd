"""Who in the team may read what is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.store import Store, StoreError
from memtui.store.team.sharing import Choice, check_may_share, share_memories
from memtui.store.translation import _

from ..lists.pick import Pick, PickScreen
from .changes import told

if TYPE_CHECKING:
    from .screen import MarkingScreen


def picks() -> list[Pick[Choice]]:
    """Return what there is to choose from, what says least about others first."""
    return [
        Pick(
            _("Nobody else"),
            "private",
            told=_("Teammates lose it when they next meet the team; whoever read it has read it."),
        ),
        Pick(
            _("The project's members"),
            "project",
            told=_("Whoever is in its project may read it from the next meeting on."),
        ),
        Pick(
            _("The whole team"),
            "team",
            told=_("Everybody in the team may read it from the next meeting on."),
        ),
        Pick(
            _("As its project is shared"),
            None,
            told=_("By the rule that `mem team share PROJECT` made; without one it is yours alone."),
        ),
    ]


async def share_picks(screen: MarkingScreen, refs: Sequence[str]) -> PickScreen[Choice] | None:
    """Return what asks who may read memories; None, and a sentence, where nothing can be shared."""
    try:
        await screen.browser.side.run(check_may_share)
    except StoreError as error:
        screen.notify(str(error), severity="warning", markup=False)
        return None
    title = _("who may read it") if len(refs) == 1 else _("who may read them")
    return PickScreen(title, picks(), _("shares"))


def share(store: Store, refs: Sequence[str], choice: Choice) -> str:
    """Choose who may read memories, and return what came of it in a sentence or two."""
    return told(share_memories(store, refs, choice))
