"""Panes side by side, or one above the other, whose sizes are chosen by keys and mouse, and kept; and a
screen of them, of which one can be as large as the screen."""

from __future__ import annotations

from textual import events, on
from textual.containers import Horizontal
from textual.css.query import QueryType
from textual.geometry import Offset, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Input

from ..protocol import browser
from .text_view import LineView

LEAST_WIDTH, LEAST_HEIGHT = 20, 4
"""Cells that each pane keeps."""
STEP = 0.04
"""The part of the room that a key moves the border by."""
DRAGGED = "-dragged"


class Split(Horizontal):
    """Two panes whose border can be dragged. Where there are more or fewer of them, or no size was
    chosen, they are as large as the style sheet says.

    What percentage the first one takes is kept under the name of the split; under `NAME-stacked`
    where they lie one above the other only for want of room.
    """

    DEFAULT_CSS = """
    Split { width: 1fr; height: 1fr; }
    .-dragged { border-left: solid $accent !important; }
    """

    _dragged_to: float | None = None
    _is_gripped = False

    _laid_out: float | None = None

    def __init__(self, split: str, *, is_column: bool = False, id: str | None = None) -> None:
        """`is_column`: its panes lie one above the other at every size."""
        super().__init__(id=id)
        self._split = split
        self.is_column = is_column

    @property
    def is_stacked(self) -> bool:
        """Whether its panes lie one above the other."""
        return super().layout.name == "vertical"

    @property
    def panes(self) -> tuple[Widget, Widget] | None:
        """The two panes; None where another number of them is in view."""
        shown = [pane for pane in self.displayed_children if pane.region and not pane.styles.is_docked]
        return (shown[0], shown[1]) if self.region and len(shown) == 2 else None

    @property
    def layout(self) -> Layout:
        """The layout that is styled, with the share that was chosen."""
        styled, share = super().layout, self._share
        return styled if share is None else _Shares(styled, share, is_stacked=self.is_stacked)

    def on_mount(self) -> None:
        self.watch(self.app, "settings", self._settings_changed, init=False)

    @property
    def is_chosen(self) -> bool:
        """Whether the sizes of its panes were chosen."""
        return self._share is not None

    def is_grip(self, x: int, y: int) -> bool:
        """Whether a cell of the screen is on the border between the panes."""
        if self.panes is None or not self.region.contains(x, y):
            return False
        first, second = self.panes
        if self.is_stacked:
            has_border = first.styles.border_bottom[0]
            return y == (first.region.bottom - 1 if has_border else second.region.y)
        has_border = first.styles.border_right[0]
        return x == (first.region.right - 1 if has_border else second.region.x)

    def move_border(self, steps: int) -> None:
        """Make the first pane larger (1) or smaller (-1)."""
        if (at := self._border) is not None:
            self._keep(self._within(at + steps * STEP))

    def reset(self) -> None:
        """Make the panes as large as they are where nothing was chosen."""
        self._keep(None)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if event.button == 1 and self.is_grip(*event.screen_offset):
            event.stop()
            self.capture_mouse()
            self._is_gripped = True
            self._mark_border()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._is_gripped:
            event.stop()
            at = event.screen_offset - self.region.offset
            self._dragged_to = self._within((at.y if self.is_stacked else at.x) / self._length)
            self._lay_out()

    def on_mouse_up(self, event: events.MouseUp) -> None:
        if not self._is_gripped:
            return
        event.stop()
        self.release_mouse()
        self._is_gripped, share, self._dragged_to = False, self._dragged_to, None
        self._mark_border()
        if share is not None:
            self._keep(share)
        elif (pane := _focusable_at(self.screen, event.screen_offset)) is not None:
            # No more than a click on a title.
            self.screen.set_focus(pane)

    @property
    def _length(self) -> int:
        """The cells that the panes share."""
        return max(1, self.region.height if self.is_stacked else self.region.width)

    @property
    def _border(self) -> float | None:
        """Where the second pane begins, as a part of the room."""
        if self.panes is None:
            return None
        at = self.panes[1].region.offset - self.region.offset
        return (at.y if self.is_stacked else at.x) / self._length

    @property
    def _share(self) -> float | None:
        percent = browser(self).settings.panes.get(self._kept_as)
        return self._dragged_to or (None if percent is None else percent / 100)

    @property
    def _kept_as(self) -> str:
        return f"{self._split}-stacked" if self.is_stacked and not self.is_column else self._split

    def _within(self, share: float) -> float:
        """The share, or the nearest that leaves something of each pane."""
        least = min(0.5, (LEAST_HEIGHT if self.is_stacked else LEAST_WIDTH) / self._length)
        return max(least, min(share, 1 - least))

    def _keep(self, share: float | None) -> None:
        percent = None if share is None else round(share * 100)
        browser(self).keep(panes={self._kept_as: percent})

    def _mark_border(self) -> None:
        if self.panes is not None and not self.is_stacked:
            self.panes[1].set_class(self._is_gripped, DRAGGED)

    def _settings_changed(self) -> None:
        if self._share != self._laid_out:
            self._lay_out()

    def _lay_out(self) -> None:
        self._laid_out = self._share
        # Asked of a pane: what a widget asks for itself leaves its own arrangement as it is.
        for pane in self.children[:1]:
            pane.refresh(layout=True)


class _Shares(Layout):
    """Gives the first of two panes a share of the room; what isn't two panes is laid out as styled."""

    def __init__(self, styled: Layout, share: float, *, is_stacked: bool) -> None:
        self._styled, self._share, self._is_stacked = styled, share, is_stacked

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        whole, least = (size.height, LEAST_HEIGHT) if self._is_stacked else (size.width, LEAST_WIDTH)
        if len(children) != 2 or whole < 2 * least:
            return self._styled.arrange(parent, children, size, greedy)
        first = max(least, min(round(whole * self._share), whole - least))
        region = Region(0, 0, size.width, size.height)
        parts = region.split_horizontal(first) if self._is_stacked else region.split_vertical(first)
        return [
            WidgetPlacement(part.shrink(pane.styles.margin), Offset(), pane.styles.margin, pane)
            for part, pane in zip(parts, children, strict=True)
        ]


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


def _focusable_at(screen: Screen[object], at: Offset) -> Widget | None:
    """The widget that a click there gives the focus."""
    widget, _ = screen.get_widget_at(*at)
    around = (node for node in widget.ancestors_with_self if isinstance(node, Widget))
    return next((item for item in around if item.focusable), None)
