"""What every screen does with its panes: their sizes, and one of them as large as the screen."""

from __future__ import annotations

from textual import events, on
from textual.css.query import QueryType
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from .split import Split
from .text_view import LineView

ARRANGING = {"zoom", "unzoom", "resize_panes", "stack_panes", "reset_panes"}


class PaneScreen(Screen[None]):
    """The sizes of its panes are those of its `Split`s. The pane with the focus can take the whole
    screen, until the focus leaves it."""

    ALLOW_IN_MAXIMIZED_VIEW = "Header, Notice, KeysFooter"
    ESCAPE_TO_MINIMIZE = False

    def can_arrange(self, action: str) -> bool:
        """Whether one of `ARRANGING` does anything now."""
        match action:
            case "zoom":
                return self.maximized is None and self._pane is not None and self._has_panes
            case "unzoom":
                return self.maximized is not None
            case "reset_panes":
                return any(split.is_chosen for split in self.query(Split))
        return self._split(is_stacked=action == "stack_panes") is not None

    def action_zoom(self) -> None:
        """Give the pane with the focus the whole screen."""
        self.maximized = self._pane

    def action_unzoom(self) -> None:
        """Show the other panes again."""
        self.maximized = None

    def action_resize_panes(self, steps: int) -> None:
        """Move the border between what lies side by side."""
        if (split := self._split(is_stacked=False)) is not None:
            split.move_border(steps)

    def action_stack_panes(self, steps: int) -> None:
        """Move the border between what lies one above the other."""
        if (split := self._split(is_stacked=True)) is not None:
            split.move_border(steps)

    def action_reset_panes(self) -> None:
        """Make all panes as large as they are by default."""
        for split in self.query(Split):
            split.reset()

    def focus_next(self, selector: str | type[QueryType] = "*") -> Widget | None:
        self.maximized = None
        return super().focus_next(selector)

    def focus_previous(self, selector: str | type[QueryType] = "*") -> Widget | None:
        self.maximized = None
        return super().focus_previous(selector)

    def get_focusable_widget_at(self, x: int, y: int) -> Widget | None:
        """Return what a press of the mouse gives the focus; nothing where it begins to drag a border."""
        if any(split.is_grip(x, y) for split in self.query(Split)):
            return None
        return super().get_focusable_widget_at(x, y)

    def watch_maximized(self, old: Widget | None, new: Widget | None) -> None:
        for pane in (old, new):
            if isinstance(pane, LineView):
                pane.retitle()
        self.refresh_bindings()

    @on(events.DescendantFocus)
    @on(events.DescendantBlur)
    def _leave_zoom(self) -> None:
        zoomed, focused = self.maximized, self.focused
        if zoomed is None:
            return
        is_inside = focused is None or zoomed in focused.ancestors_with_self
        is_shown = all(node.display for node in zoomed.ancestors_with_self if isinstance(node, Widget))
        if not (is_inside and is_shown):
            self.maximized = None

    @property
    def _pane(self) -> Widget | None:
        """What `z` zooms: the pane that the focus is in."""
        focused = self.focused
        if focused is None or isinstance(focused, Input) or not focused.allow_maximize:
            return None
        panes = (node for node in focused.ancestors_with_self if isinstance(node, Widget))
        return next((widget for widget in panes if widget.has_class("pane")), focused)

    @property
    def _has_panes(self) -> bool:
        """Whether there is anything beside the pane."""
        panes = (widget for widget in self.query("*") if widget.can_focus and not isinstance(widget, Input))
        return sum(1 for _ in panes) > 1

    def _split(self, *, is_stacked: bool) -> Split | None:
        """The split nearest to the focus, else the first in view."""
        splits = [item for item in self.query(Split) if item.panes and item.is_stacked == is_stacked]
        around = self.focused.ancestors if self.focused is not None else []
        return next((node for node in around if node in splits), splits[0] if splits else None)
