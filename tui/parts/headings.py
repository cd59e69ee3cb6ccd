"""The lines above a list: its heading, tabs with their counts, and the heads of its columns."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import accumulate

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

from memtui.store.platform.translation import _

from ..text.content import DIM, GAP, edges, fit, plain, right_aligned

MOST_GAP, LEAST_GAP = 3, 2


class Heading(Widget):
    """The left end gives way to the right one."""

    DEFAULT_CSS = "Heading { height: 1; padding: 0 1; }"

    left: reactive[Content] = reactive(Content())
    right: reactive[Content] = reactive(Content())

    def render(self) -> Content:
        return edges(self.left, self.right, self.size.width)


class TabLine(Widget):
    """One of `names` is `current`; whoever shows it binds the keys to `step`."""

    DEFAULT_CSS = "TabLine { height: 1; padding: 0 1; }"

    current: reactive[int] = reactive(0, init=False)
    counts: reactive[dict[str, int]] = reactive(dict)
    """How many there are under each name; shown where there is room for all."""

    @dataclass
    class Changed(Message):
        """Another tab is the current one."""

        tabs: TabLine
        name: str

        @property
        def control(self) -> TabLine:
            return self.tabs

    def __init__(self, *names: str, id: str | None = None) -> None:
        super().__init__(id=id)
        self.names = names

    def step(self, places: int) -> None:
        """Switch to the next tab (1) or the one before (-1), round and round."""
        self.current = (self.current + places) % len(self.names)

    def watch_current(self, current: int) -> None:
        self.post_message(self.Changed(self, self.names[current]))

    def render(self) -> Content:
        line = Content(" " * self._gap).join(self._labels())
        if hidden := self._hidden:
            line = "…" + line[hidden + 1 :]
        return fit(line, self.size.width)

    def on_click(self, event: events.Click) -> None:
        if (offset := event.get_content_offset(self)) is not None:
            x = offset.x + self._hidden
            results = (at for at, end in enumerate(self._ends) if x < end)
            self.current = next(results, self.current)

    @property
    def _gap(self) -> int:
        names = sum(cell_len(_(name)) for name in self.names) + MOST_GAP * (len(self.names) - 1)
        return MOST_GAP if names <= self.size.width else LEAST_GAP

    @property
    def _ends(self) -> list[int]:
        """Where each label ends, with the gap behind it."""
        gap = self._gap
        return list(accumulate(label.cell_length + gap for label in self._labels()))

    @property
    def _hidden(self) -> int:
        """How many cells are out of view at the left, so that the current name is in it."""
        ends, width = self._ends, self.size.width
        whole = ends[-1] - self._gap
        return max(0, min(ends[self.current], whole) - width)

    def _labels(self) -> list[Content]:
        names = [self._title(at) for at in range(len(self.names))]
        counted = [
            Content.assemble(name, (f" {self.counts[key]:,}", DIM)) if key in self.counts else name
            for key, name in zip(self.names, names, strict=True)
        ]
        width = sum(label.cell_length + MOST_GAP for label in counted) - MOST_GAP
        return counted if width <= self.size.width else names

    def _title(self, at: int) -> Content:
        style = "bold $text-accent underline" if at == self.current else ""
        return Content.styled(_(self.names[at]), style)


def column_heads(
    widths: Mapping[str, int],
    names: Mapping[str, str] | None = None,
    *,
    right: Collection[str] = (),
    lead: int = 0,
) -> Content:
    """Return one line with the head of each column in `widths`, in that order, as many cells wide.

    A column is called as `names` says, else by its key; `` has no head. Those in `right` stand at its right
    end, as numbers do. `lead` blank cells come before the first.
    """
    names = names or {}
    heads = []
    for column, width in widths.items():
        head = plain(names.get(column, column))
        heads.append(fit(right_aligned(head, width) if column in right else head, width))
    return Content(" " * lead) + GAP.join(heads)
