"""Who in the team may read what is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memtui.store import Store
from memtui.store.team.sharing import Choice, share_memories
from memtui.store.translation import _

from ..lists.pick import Pick, PickScreen
from .changes import told


def ask_who(refs: Sequence[str], chosen: Sequence[Choice]) -> PickScreen[Choice]:
    """Return what asks who may read memories, and marks what was chosen by now."""
    title = _("who may read it") if len(refs) == 1 else _("who may read them")
    now = _("now")
    picks = [replace(pick, note=now) if pick.value in chosen else pick for pick in _picks()]
    return PickScreen(title, picks, _("shares"))


def share(store: Store, refs: Sequence[str], choice: Choice) -> str:
    """Choose who may read memories, and return what came of it in a sentence or two."""
    return told(share_memories(store, refs, choice))


def _picks() -> list[Pick[Choice]]:
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
