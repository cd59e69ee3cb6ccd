"""The upper part of one session: what it was about and how it stands, and its summary as a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from store import Session, Summary
from store.text.plural import count_noun

from ..parts.headings import Heading
from ..parts.text_view import GrowingText
from ..text.ages import clock, day
from ..text.content import DIM, Passage, joined, plain
from ..text.status import lasted, name, short_id, status
from .view import MOST, SessionView

PARTS = ("request", "investigated", "learned", "completed", "next_steps", "notes", "text")

NONE = "Nothing sums this session up yet. An agent's hook does, when the agent stops; so does:"


class SessionHead(Vertical):
    """Shows what a `SessionView` tells."""

    DEFAULT_CSS = "SessionHead { height: 2; }"

    upper = getters.query_one("#upper", Heading)
    lower = getters.query_one("#lower", Heading)

    def compose(self) -> ComposeResult:
        yield Heading(id="upper")
        yield Heading(id="lower")

    def show(self, view: SessionView, now: int) -> None:
        """Show a session as it stands at `now`, ms since the epoch, UTC."""
        row, session = view.row, view.row.session
        stands = status(row, now)
        symbol = Content.styled(f"{stands.symbol} ", stands.style)
        self.upper.left = symbol + plain(name(session) or "untitled session", "bold")
        self.upper.right = plain(joined(session.project, session.agent, short_id(session)))
        started = f"{day(session.started_at, now)} {clock(session.started_at)}"
        self.lower.left = plain(joined(stands.word, started, lasted(row)), DIM).pad_left(2)
        shown = f"newest {MOST:,} shown" if len(view.rows) == MOST else ""
        counts = count_noun(row.prompts, "prompts"), count_noun(row.observations, "observations")
        self.lower.right = plain(joined(*counts, shown), DIM)


class SummaryCard(GrowingText):
    """One of a session's summaries; `summary` is the one that is shown, None when it has none."""

    DEFAULT_CSS = """
    SummaryCard {
        border: round $foreground 30%;
        border-title-color: $foreground 75%;
        border-subtitle-color: $foreground 75%;
        &:focus { border: round $accent; border-title-color: $accent; }
    }
    """

    summary: Summary | None = None

    def show_one(
        self, summaries: Sequence[Summary], at: int, now: int, *, hold: bool = False
    ) -> None:
        """Show the summary at `at` of a session's, which come in time order; `now` is in ms."""
        self.summary = summaries[at]
        many = f" {at + 1} of {len(summaries)}" if len(summaries) > 1 else ""
        self.border_title = f"Summary{many} · {self.summary.level}"
        made = self.summary.created_at
        self.border_subtitle = f"{day(made, now)} {clock(made)}"
        self.show(list(_passages(self.summary)), hold=hold)

    def show_none(self, session: Session) -> None:
        """Say that there is none, and what makes one."""
        self.summary = None
        self.border_title, self.border_subtitle = "No summary", ""
        command = f'mem summary --session @{session.id} --learned "…" --completed "…"'
        self.show([Passage(plain(NONE)), Passage(plain(command, "$text-accent"))])


def _passages(summary: Summary) -> Iterator[Passage]:
    said = [(part, (getattr(summary, part) or "").strip()) for part in PARTS]
    for part, text in said:
        if text:
            label = part.replace("_", " ").capitalize() if part != "text" else ""
            yield Passage(plain(text, newlines=True), label)
    if not any(text for _, text in said):
        yield Passage(Content.styled("It says nothing.", DIM))
