"""What hooks reported: a line each and one in full, who observes; and the panes of one agent with what the
last key did to it, of one event, and of how capture is doing. Times are ms since the epoch, UTC."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from textual.content import Content

from memtui.store import Store, StoreError, TokenUsage, current_backoff, process_at_once
from memtui.store.aio import AsyncStore
from memtui.store.capture import queue_view
from memtui.store.capture.queue_view import QueueDetail, QueueItem
from memtui.store.config import model_settings
from memtui.store.platform.translation import _

from ..lists.columns import Column, ColumnList
from ..lists.provider import FoundRows, Provider
from ..parts.text_view import TextView
from ..protocol import Capture
from ..text.ages import WIDTH, age, ago, full, span
from ..text.capture import capture_passages
from ..text.content import DIM, Passage, joined, plain
from ..text.records import Status
from .agents import Hooks, Outcome, Question, agent_passages, agent_status

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


class EventList(ColumnList[QueueItem]):
    """The session and the tries leave where there is no room for them and for the reason."""

    least = 20
    lead = 2

    def __init__(self, now: Callable[[], int]) -> None:
        super().__init__(key=lambda item: item.ref)

        def stands(item: QueueItem, _selected: bool) -> Content:
            status = STANDS.get(item.status, UNKNOWN)
            return plain(status.word, status.style)

        def since(item: QueueItem, _selected: bool) -> Content:
            return Content.styled(age(item.created_at, now(), self.as_dates), DIM)

        self.columns = (
            Column("", lambda item, _selected: plain(item.ref, DIM), 5),
            Column(_("State"), stands, 10),
            Column(_("What"), lambda item, selected: plain(kind(item), "bold" if selected else ""), 11),
            Column(
                _("Session"),
                lambda item, _selected: plain(session(item), DIM if item.hidden else ""),
                22,
                leaves=1,
            ),
            Column(
                _("Tries"),
                lambda item, _selected: Content.styled(tries(item), DIM),
                5,
                is_number=True,
                leaves=2,
            ),
            Column(_("Since"), since, WIDTH, is_number=True),
            Column(_("Why"), lambda item, _selected: plain(_(item.reason), DIM)),
        )

    def sign(self, item: QueueItem) -> Content:
        status = STANDS.get(item.status, UNKNOWN)
        return Content.styled(f"{status.symbol} ", status.style)


def tries(item: QueueItem) -> str:
    """Return how often a message was tried, `3×`; `—` for never."""
    return f"{item.attempts}×" if item.attempts else "—"


NOTHING = Question()
NO_EVENTS = _("""\
No event has come yet. What agents do arrives through their hooks; rules, or the model that config.toml \
names, turn it into memories: see docs/observer.md.""")
LABELS = 12
"""Cells of the labels, beside which the line of bars stands."""


class AgentPane(TextView):
    """What was done to an agent stays here until it no longer holds, or another is looked at."""

    outcome: Outcome | None = None
    """What the last key did."""
    question = NOTHING
    """What is asked before something is done."""

    agent = ""
    """Which one is shown."""
    _stood: Status | None = None
    _is_new = False

    def tell(self, agent: str, outcome: Outcome | None = None, question: Question = NOTHING) -> None:
        """Show this with an agent from now on: what was done to it, or what is asked."""
        self.agent, self.outcome, self.question, self._is_new = agent, outcome, question, True

    def asks(self, agent: str, question: Question) -> bool:
        """Whether this is asked about this agent just now."""
        return (self.agent, self.question) == (agent, question)

    def show_agent(self, hooks: Hooks, agent: str, now: int) -> None:
        """Show how an agent stands at `now`, ms since the epoch, UTC."""
        is_other = agent != self.agent
        if is_other:
            self.agent, self.outcome, self.question = agent, None, NOTHING
        state = next(state for state in hooks.states if state.agent == agent)
        stands = agent_status(state, other=hooks.others.get(agent, ""))
        if stands != self._stood and not self._is_new:
            self.outcome, self.question = None, NOTHING
        self.entitle(agent)
        self._stood, self._is_new = stands, False
        passages = list(agent_passages(hooks, state, self.outcome, self.question, now))
        self.show(passages, hold=not is_other)


class EventPane(TextView):
    """One event, and what is asked before it is dropped."""

    question = ""
    """What is asked."""

    _detail: QueueDetail | None = None

    def __init__(self) -> None:
        super().__init__()
        self.entitle(_("Event"))

    def ask(self, question: str, now: int) -> None:
        """Ask something about the event at `now`, ms since the epoch; `` asks nothing any more."""
        self.question = question
        self.show_event(self._detail, now)

    def show_event(self, detail: QueueDetail | None, now: int, *, hold: bool = False) -> None:
        """Show all about an event, or nothing; with `hold` it is the same one again."""
        self._detail = detail
        self.show(list(event_passages(detail, self.question, now)) if detail else [], hold=hold)


class CapturePane(TextView):
    """Shows a `Capture` as it stands, and keeps its place while that changes."""

    def __init__(self) -> None:
        super().__init__()
        self.entitle(_("Capture"))
        self.has_events = True
        """Whether any event is listed."""
        self._capture: Capture | None = None
        self._now = 0

    def show_capture(self, capture: Capture | None, now: int) -> None:
        """Show how it stands at `now`, ms since the epoch, UTC; None while that isn't known."""
        self._capture, self._now = capture, now
        self._tell()

    def on_resize(self) -> None:
        self._tell()

    def _tell(self) -> None:
        if self._capture is None:
            self.show([Passage(Content.styled("…", DIM))], hold=True)
            return
        room = self.scrollable_content_region.width - LABELS
        passages = list(capture_passages(self._capture, self._now, room))
        if not self.has_events:
            passages.append(Passage(Content.styled(NO_EVENTS, DIM), space=1))
        self.show(passages, hold=True)


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
