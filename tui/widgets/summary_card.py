"""A session's summary as a card: each part under its name, and only the parts that say something."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.content import Content

from store import Session, Summary

from ..ages import clock, day
from ..text import DIM, plain
from .growing_text import GrowingText
from .text_view import Passage

PARTS = ("request", "investigated", "learned", "completed", "next_steps", "notes", "text")

NONE = "Nothing sums this session up yet. An agent's hook does, when the agent stops; so does:"


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
