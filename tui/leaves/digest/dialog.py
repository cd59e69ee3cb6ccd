"""The digest of since yesterday, of a week or of thirty days, over the screen; it can be copied."""

from __future__ import annotations

from functools import partial

from memtui.store import Query, Store, StoreError
from memtui.store.leaves.digest.digest import WorkDigest, digest, moments
from memtui.store.platform.translation import N_, _

from ...parts.dialog import QuestionScreen
from ...screen import MemScreen
from ...text.markdown.blocks import document

SPANS = {
    "y": ("yesterday", N_("since yesterday")),
    "w": ("7d", N_("seven days")),
    "m": ("30d", N_("thirty days")),
}
"""The time that a key leads to, as a query names it, and what it is called."""


def open_digest(screen: MemScreen, key: str = "y") -> None:
    """Show what was done in the time that a key leads to."""
    screen.run_worker(_show(screen, key), group="digest", exclusive=True)


async def _show(screen: MemScreen, key: str) -> None:
    time, name = SPANS[key]
    try:
        result = await screen.browser.side.run(partial(_since, time))
    except StoreError as error:
        screen.notify(str(error), severity="error", markup=False)
        return

    def answered(pressed: str | None) -> None:
        if pressed in SPANS:
            open_digest(screen, pressed)
        elif pressed == "c":
            screen.app.copy_to_clipboard(result.text)
            screen.notify(_("Copied: the digest, as Markdown."))

    answers = {letter: _(told) for letter, (_time, told) in SPANS.items() if letter != key}
    question = QuestionScreen(
        _("digest, {time}", time=_(name)),
        document(result.text, Query(), screen.browser.reading),
        {**answers, "c": _("copies"), "escape": _("closes")},
    )
    screen.app.push_screen(question, answered)


def _since(time: str, store: Store) -> WorkDigest:
    return digest(store, *(moments(time) or (0, 0)))
