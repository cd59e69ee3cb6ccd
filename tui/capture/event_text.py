"""Events in words: how each stands, and passages about one. Times are ms since the epoch, UTC."""

from __future__ import annotations

import json
from collections.abc import Iterator

from textual.content import Content

from memtui.store.capture.status.queue_view import QueueDetail, QueueItem
from memtui.store.translation import _

from ..text.ages import ago, full, span
from ..text.content import DIM, Passage, joined, plain
from ..text.status import Status
from .processing import Observer

STANDS = {
    "pending": Status("○", _("waiting"), ""),
    "processing": Status("◐", _("at work"), "$text-accent"),
    "failed": Status("✗", _("failed"), "bold $text-error"),
    "abandoned": Status("✗", _("abandoned"), "bold $text-error"),
    "quarantined": Status("⚠", _("not stored"), "bold $text-warning"),
    "processed": Status("✓", _("processed"), "$text-success"),
}
UNKNOWN = Status("?", _("unknown"), "$text-muted")
"""How a message stands of which another program said what nobody knows."""

SHOWN = 4_000
"""Characters of what an event told that are worth showing."""


def kind(item: QueueItem) -> str:
    """Return what a message is about: the tool, the end of a turn, or an event."""
    if item.kind == "event":
        return _("event")
    return item.what or (_("end of turn") if item.kind == "summary" else _("tool"))


def session(item: QueueItem) -> str:
    """Whose it is, as far as that may be shown."""
    return _("hidden session") if item.hidden else item.session or item.agent


def event_passages(detail: QueueDetail, question: str, now: int) -> Iterator[Passage]:
    """Yield all about one event, and what is asked before something is done to it."""
    item = detail.item
    stands = STANDS.get(item.status, UNKNOWN)
    head = Content.assemble(
        (f"{stands.symbol} {stands.word}", stands.style), " ", plain(kind(item), "bold")
    )
    yield Passage(head)
    if question:
        yield Passage(plain(question, "bold $text-warning"), space=1)
    if item.reason:
        yield Passage(plain(_(item.reason)), _("Why") if item.status != "processed" else _("By"), space=1)
    if item.wait_ms:
        yield Passage(plain(_("in {time}", time=span(item.wait_ms))), _("Next try"))
    yield Passage(
        plain(_("{attempts} of 3", attempts=item.attempts) if item.kind != "event" else str(item.attempts)),
        _("Tries"),
    )
    yield Passage(plain(joined(ago(item.created_at, now), full(item.created_at))), _("Since"))
    yield Passage(plain(session(item)), _("Session"))
    if item.project:
        yield Passage(plain(item.project), _("Project"))
    yield Passage(plain(item.agent), _("Agent"))
    if detail.made and not item.hidden:
        yield Passage(plain(detail.made), _("Record"))
    if not item.hidden:
        yield from _told(detail)


def observer(current: Observer) -> Content:
    """Return who observes, in a few words."""
    if current.trouble:
        return plain(_("config.toml can't be read"), "bold $text-warning")
    if current.model is None:
        return plain(_("observed by rules"), DIM)
    if current.rest:
        return plain(_("{model} rests: {rest}", model=current.model, rest=current.rest), "$text-warning")
    return plain(
        _(
            "observed by {model} · {left} tokens left today",
            model=current.model,
            left=f"{current.left:,}",
        ),
        DIM,
    )


def _told(detail: QueueDetail) -> Iterator[Passage]:
    """What the event told, as long as it is kept."""
    message = detail.message
    parts = (
        [
            (_("Input"), message.tool_input),
            (_("Response"), message.tool_response),
            (_("Prompt"), message.last_user_message),
            (_("Reply"), message.last_assistant_message),
        ]
        if message
        else [(_("As told"), detail.record)]
    )
    for name, text in parts:
        if text:
            yield Passage(plain(name, DIM), space=1)
            yield Passage(plain(_readable(text), newlines=True))


def _readable(text: str) -> str:
    """JSON with its lines apart; anything else as it is."""
    cut = text[:SHOWN] + ("…" if len(text) > SHOWN else "")
    if text[:1] not in "{[" or len(text) > SHOWN:
        return cut
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=1)
    except (ValueError, RecursionError):
        return cut
