"""Panes side by side, or one above the other, whose sizes are chosen by keys and mouse, and kept."""

from __future__ import annotations

from textual import events
from textual.containers import Horizontal
from textual.geometry import Offset, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.screen import Screen
from textual.widget import Widget

from ..protocol import browser

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


def _focusable_at(screen: Screen[object], at: Offset) -> Widget | None:
    """The widget that a click there gives the focus."""
    widget, _ = screen.get_widget_at(*at)
    around = (node for node in widget.ancestors_with_self if isinstance(node, Widget))
    return next((item for item in around if item.focusable), None)
