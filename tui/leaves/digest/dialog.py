"""The digest of since yesterday, a week, thirty days, the last week of work or all, over the screen; it can
be copied."""

from __future__ import annotations

from functools import partial

from memtui.store import Query, Store, StoreError
from memtui.store.leaves.digest.digest import SINCE, WorkDigest, digest, moments, spans_of_work
from memtui.store.platform.translation import N_, _

from ...parts.dialog import QuestionScreen
from ...screen import MemScreen
from ...text.markdown.blocks import document

SPANS = {
    "y": N_("since yesterday"),
    "w": N_("seven days"),
    "m": N_("thirty days"),
    "l": N_("the last week of work"),
    "a": N_("all"),
}
"""What the time is called that a key leads to."""


def open_digest(screen: MemScreen, key: str = "y") -> None:
    """Show what was done in the time that a key leads to."""
    screen.run_worker(_show(screen, key), group="digest", exclusive=True)


async def _show(screen: MemScreen, key: str) -> None:
    try:
        result, spans = await screen.browser.side.run(partial(_of_span, key))
    except StoreError as error:
        screen.notify(str(error), severity="error", markup=False)
        return

    def answered(pressed: str | None) -> None:
        if pressed in spans:
            open_digest(screen, pressed)
        elif pressed == "c":
            screen.app.copy_to_clipboard(result.text)
            screen.notify(_("Copied: the digest, as Markdown."))

    # Only what holds work leads on.
    answers = {letter: _(name) for letter, name in SPANS.items() if letter in spans and letter != key}
    question = QuestionScreen(
        _("digest, {time}", time=_(SPANS[key])),
        document(result.text, Query(), screen.browser.reading),
        {**answers, "c": _("copies"), "escape": _("closes")},
    )
    screen.app.push_screen(question, answered)


def _of_span(key: str, store: Store) -> tuple[WorkDigest, frozenset[str]]:
    spans = spans_of_work(store)
    since, until = spans.get(key) or moments(SINCE["y"]) or (0, 0)
    return digest(store, since, until), frozenset(spans)
