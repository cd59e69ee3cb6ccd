"""What hooks reported, a line each and one in full, and who observes. Times are ms since the epoch, UTC."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.content import Content

from memtui.store import Store, StoreError, TokenUsage, current_backoff, process_at_once
from memtui.store.aio import AsyncStore
from memtui.store.capture.status import queue_view
from memtui.store.capture.status.queue_view import QueueDetail, QueueItem
from memtui.store.config import model_settings
from memtui.store.platform.translation import _

from ..lists.paged_list import PagedList
from ..lists.provider import FoundRows, Provider
from ..parts.headings import column_heads
from ..text.ages import WIDTH, age, ago, full, span
from ..text.content import DIM, GAP, Passage, fit, joined, plain, right_aligned
from ..text.records import Status

SECONDS = 10.0
"""What one press of the key may spend on the rules."""


@dataclass(frozen=True, slots=True)
class Observer:
    """Which model observes, None for the rules; how many tokens it has left today; why it rests, and
    what is wrong with the configuration, `` for nothing."""

    model: str | None = None
    left: int = 0
    rest: str = ""
    trouble: str = ""


def current_observer(store: Store) -> Observer:
    """Return which model observes by the configuration, and how it stands. Call it in a thread."""
    try:
        settings = model_settings()
    except StoreError as error:
        return Observer(trouble=str(error))
    if settings is None:
        return Observer()
    rest = current_backoff(store, settings)
    left = TokenUsage(store.db, store.transaction()).left_today(settings)
    return Observer(settings.name, left, rest.kind if rest else "")


def process_now(path: Path) -> str:
    """Work on the queue, on a connection of its own, and tell what came of it. Call it in a thread."""
    try:
        with Store.open(path) as store:
            done, is_asked = process_at_once(store, SECONDS)
    except StoreError as error:
        return str(error)
    if not done.elected:
        return _("Another process is at work on the queue.")
    count = f"{done.recorded + done.settled:,}"
    if is_asked:
        return _("{count} processed by the rules. The model is asked in the background.", count=count)
    return _("{count} processed by the rules.", count=count)


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


WIDTHS = {"ref": 5, "stands": 10, "kind": 11, "session": 22, "tries": 5, "age": WIDTH}
HEADS = {
    "ref": "", "stands": _("State"), "kind": _("What"), "session": _("Session"), "tries": _("Tries"),
    "age": _("Since"), "reason": _("Why"),
}  # fmt: skip
LEAST = 20
"""Cells that the reason has at least, or else the session leaves, then the tries."""


States = Sequence[Sequence[str]]
"""States whose events are listed together, and below them those of others."""


@dataclass(frozen=True, slots=True)
class EventProvider:
    """The events in some states."""

    store: AsyncStore
    states: States

    async def count(self) -> int:
        results = await self.store.run(queue_view.counts)
        return sum(results[state] for together in self.states for state in together)

    async def page(self, start: int, length: int) -> Sequence[QueueItem]:
        return await self.store.run(lambda store: self._page(store, start, length))

    def _page(self, store: Store, start: int, length: int) -> list[QueueItem]:
        counts, items = queue_view.counts(store), list[QueueItem]()
        for together in self.states:
            if len(items) < length:
                items += queue_view.page(store, together, max(0, start), length - len(items))
            start -= sum(counts[state] for state in together)
        return items


def event_provider(store: AsyncStore, states: States, words: str) -> Provider[QueueItem]:
    """Return the provider of the events in some states that hold some words."""
    if not words:
        return EventProvider(store, states)

    def found(entry: Store) -> Sequence[str]:
        return [ref for together in states for ref in queue_view.found(entry, together, words)]

    async def find() -> tuple[Sequence[str], bool]:
        return await store.run(found), True

    async def read(refs: Sequence[str]) -> Sequence[QueueItem]:
        return await store.run(lambda one: queue_view.by_ref(one, refs))

    return FoundRows(find, read, lambda item: item.ref)


class EventList(PagedList[QueueItem]):
    """The session and the tries leave where there is no room for them and for the reason."""

    has_heads = True

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=lambda item: item.ref)
        self._now = now

    def render_row(self, item: QueueItem, width: int, selected: bool) -> list[Content]:
        stands = STANDS.get(item.status, UNKNOWN)
        cells = {
            "ref": plain(item.ref, DIM),
            "stands": plain(stands.word, stands.style),
            "kind": plain(kind(item), "bold" if selected else ""),
            "session": plain(session(item), DIM if item.hidden else ""),
            "tries": Content.styled(tries(item).rjust(WIDTHS["tries"]), DIM),
            "age": right_aligned(
                Content.styled(age(item.created_at, self._now(), self.as_dates), DIM), WIDTHS["age"]
            ),
        }
        cells["reason"] = plain(_(item.reason), DIM)
        symbol = Content.styled(f"{stands.symbol} ", stands.style)
        widths = columns(width - 2)
        return [symbol + GAP.join(fit(cells[part], room) for part, room in widths.items())]

    def render_heads(self, width: int) -> Content:
        return column_heads(columns(width - 2), HEADS, right=("tries", "age"), lead=2)


def columns(width: int) -> dict[str, int]:
    """Return the columns that fit into `width` cells, with the cells of each."""
    widths = dict(WIDTHS)
    for leaving in ("", "session", "tries"):
        widths.pop(leaving, None)
        room = width - sum(cells + len(GAP) for cells in widths.values())
        if room >= LEAST:
            break
    return {**widths, "reason": max(0, room)}


def tries(item: QueueItem) -> str:
    """Return how often a message was tried, `3×`; `—` for never."""
    return f"{item.attempts}×" if item.attempts else "—"
