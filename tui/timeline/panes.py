"""What happened around the selected memory, in a few lines under it."""

from __future__ import annotations

from store import Scope

from .lists import TimelineList
from .moments import rows
from .view import TimelineView
from .window import WindowSize

SCOPES: tuple[Scope, ...] = ("session", "project", "all")


class TimelinePane(TimelineList):
    """A timeline list with its window in its title."""

    window_size = WindowSize.for_minutes(30)
    scope: Scope = "session"

    def on_mount(self) -> None:
        self._entitle()

    def step_window(self, steps: int) -> None:
        """Look further (1) or less far (-1); what is shown follows with the next `show_around`."""
        self.window_size = self.window_size.wider() if steps > 0 else self.window_size.narrower()
        self._entitle()

    def step_scope(self) -> None:
        """From the session to its project, to everything, and to the session again."""
        self.scope = SCOPES[(SCOPES.index(self.scope) + 1) % len(SCOPES)]
        self._entitle()

    async def show_around(self, found: TimelineView, *, hold: bool = False) -> None:
        """Show a window; with `hold` its anchor stays on its line."""
        window = found.window
        moments = list(rows(window.rows, found.sessions, window.anchor))
        await self.show(moments, scope=window.scope, hold=hold)

    async def show_nothing(self) -> None:
        """Show no row."""
        await self.show([], scope=self.scope)

    def _entitle(self) -> None:
        self.border_title = f"timeline {self.window_size.label} · {self.scope}"
