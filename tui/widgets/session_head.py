"""The two lines above a session: what it was about, how it stands, whose it is."""

from __future__ import annotations

from textual import getters
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from ..ages import clock, day
from ..session_view import MOST, SessionView
from ..status import lasted, name, short_id, status
from ..text import DIM, plain
from .heading import Heading


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
        self.upper.right = plain(_joined(session.project, session.agent, short_id(session)))
        started = f"{day(session.started_at, now)} {clock(session.started_at)}"
        self.lower.left = plain(_joined(stands.word, started, lasted(row)), DIM).pad_left(2)
        shown = f"newest {MOST:,} shown" if len(view.entries) == MOST else ""
        counts = _many(row.prompts, "prompt"), _many(row.observations, "observation")
        self.lower.right = plain(_joined(*counts, shown), DIM)


def _joined(*parts: str) -> str:
    return " · ".join(filter(None, parts))


def _many(count: int, of: str) -> str:
    return f"{count:,} {of}" if count == 1 else f"{count:,} {of}s"
