"""Sharing: who in the team may read memories."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from memtui.store import Store, StoreError
from memtui.store.leaves.team.sharing import Choice, choices_now, share_memories
from memtui.store.platform.translation import _

from ...lists.picker import Pick, PickScreen
from ...marks.changes import told
from ...marks.screen import MarkingScreen
from ...parts.dialog import tell_change


async def ask_and_share(screen: MarkingScreen) -> None:
    """Ask who may read all that is chosen on a screen, and have it be so."""
    refs = screen.chosen
    try:
        chosen = await screen.browser.side.run(lambda store: choices_now(store, refs))
    except StoreError as error:
        screen.notify(str(error), severity="warning", markup=False)
        return
    picked = await screen.app.push_screen_wait(_question(refs, chosen))
    if picked is None:
        return

    def share(store: Store) -> str:
        return told(share_memories(store, refs, picked.value))

    done = await screen.run_beside(_("Sharing"), refs, lambda store, _progress: share(store), key="W")
    if done is not None:
        tell_change(screen.app, done)
        screen.browser.look()


def _question(refs: Sequence[str], chosen: Sequence[Choice]) -> PickScreen[Choice]:
    """Return what asks who may read memories, what says least about others first, and marks what was chosen
    by now."""
    picks: list[Pick[Choice]] = [
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
    now = _("now")
    title = _("who may read it") if len(refs) == 1 else _("who may read them")
    picks = [replace(pick, note=now) if pick.value in chosen else pick for pick in picks]
    return PickScreen(title, picks, _("shares"))
