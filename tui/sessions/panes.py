"""The upper part of one session: what it was about and how it stands, and its summary as a card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from memtui.store import Query, Session, SessionRow, Summary
from memtui.store.fields import filled_fields
from memtui.store.text.plural import count_noun

from ..parts.document_view import GrowingDocument
from ..parts.headings import Heading
from ..protocol import ReadingMode
from ..text.ages import day_and_clock
from ..text.content import DIM, Passage, joined, plain
from ..text.markdown.blocks import document
from ..text.status import lasted, short_id, status
from .view import MOST, SessionView

NONE = "No summary yet. The agent's hook adds one when the agent stops; to add one yourself:"


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
        row = view.row
        self.upper.left, whose, stands = session_lines(row, now)
        self.upper.right = plain(whose)
        self.lower.left = plain(stands, DIM).pad_left(2)
        shown = f"newest {MOST:,} shown" if len(view.rows) == MOST else ""
        counts = count_noun(row.prompts, "prompts"), count_noun(row.observations, "observations")
        self.lower.right = plain(joined(*counts, shown), DIM)


class SummaryCard(GrowingDocument):
    """One of a session's summaries; `summary` is the one that is shown, None when it has none."""

    DEFAULT_CSS = """
    SummaryCard {
        border: round $foreground 30%;
        border-title-color: $dim;
        border-subtitle-color: $dim;
        &:focus { border: round $accent; border-title-color: $accent; }
    }
    """

    summary: Summary | None = None

    def show_one(
        self, summaries: Sequence[tuple[int, Summary]], at: int, now: int, *, hold: bool = False
    ) -> None:
        """Show the level of a summary at `at` of a session's, as its view has them; `now` is in ms."""
        number, self.summary = summaries[at]
        all, _ = summaries[-1]
        many = f" {number} of {all}" if all > 1 else ""
        self.border_title = f"Summary{many} · {self.summary.level}"
        self.border_subtitle = day_and_clock(self.summary.created_at, now)
        summary = self.summary
        self.show_document(lambda reading: list(said_by(summary, reading)), hold=hold)

    def show_none(self, session: Session) -> None:
        """Say that there is none, and what makes one."""
        self.summary = None
        self.border_title, self.border_subtitle = "No summary", ""
        command = f'mem summary --session @{session.id} --learned "…" --completed "…"'
        self.show_other([Passage(plain(NONE)), Passage(plain(command, "$text-accent"))])


def session_lines(row: SessionRow, now: int) -> tuple[Content, str, str]:
    """Return what a session is called, behind its symbol; whose it is; and how it stands at `now`, ms
    since the epoch, with its start and how long it lasted."""
    session, stands = row.session, status(row, now)
    symbol = Content.styled(f"{stands.symbol} ", stands.style)
    return (
        symbol + plain(row.title or "untitled session", "bold"),
        joined(
            session.project,
            session.agent,
            "started by a program" if session.automatic else "",
            short_id(session),
        ),
        joined(stands.word, day_and_clock(session.started_at, now), lasted(row)),
    )


def said_by(summary: Summary, reading: ReadingMode, parts: Sequence[str] = ()) -> Iterator[Passage]:
    """Yield the passages of these parts of a summary, of all where none of these says anything."""
    texts = [
        (field, value.strip()) for field, value in filled_fields(summary) if field.form == "text"
    ]
    texts = [(field, text) for field, text in texts if text]
    for field, text in [pair for pair in texts if pair[0].name in parts] or texts:
        yield from document(text, Query(), reading, field.heading)
    if not texts:
        yield Passage(Content.styled("It says nothing.", DIM))
