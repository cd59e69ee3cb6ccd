"""A conversation to read: it scrolls by line, the cursor stands on what was said or done."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from rich.segment import Segment
from textual import events
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from memtui.store.capture.conversation_entries import Conversation, Entry
from memtui.store.capture.next_prompt import Dropped
from memtui.store.search.narrowing import places

from ..keys.bindings import FIND, hidden, key
from ..parts.text_view import LineView
from ..protocol import browser
from ..text.content import MATCH
from .flow import entry_lines, estimated_height, has_gap

BAR = "▌"
KEPT, PAINTED = 400, 2_000
"""Entries and lines that are kept as they are shown."""


class ConversationView(LineView, inherit_bindings=False):
    """Only what is in view and a screenful around is rendered; how high the rest is, is estimated until
    then, and what is in view keeps its place when that turns out otherwise."""

    COMPONENT_CLASSES = {"conversation--cursor", "conversation--bar"}
    DEFAULT_CSS = """
    ConversationView {
        & > .conversation--cursor { background: $boost; }
        & > .conversation--bar { color: $foreground 60%; }
        &:focus > .conversation--cursor { background: $block-cursor-blurred-background 60%; }
        &:focus > .conversation--bar { color: $text-primary; }
    }
    """
    BINDINGS = [
        hidden("up,k", "move(-1)", "Up", "One entry up", "conversation.up"),
        hidden("down,j", "move(1)", "Down", "One entry down", "conversation.down"),
        hidden("pageup,ctrl+b", "page(-1)", "Page up", "A screenful up", "conversation.page-up"),
        hidden("pagedown", "page(1)", "Page down", "A screenful down", "conversation.page-down"),
        hidden("home,g", "first", "Start", "To the beginning", "conversation.first"),
        hidden("end,G", "last", "End", "To the end", "conversation.last"),
        key(
            "enter",
            "select",
            "Whole",
            "Show it whole: what a tool was given, and what came back",
            "conversation.open",
        ),
        key(
            "space",
            "fold",
            "Fold",
            "Show the summary, or the steps of a sub-agent, or fold them again",
            "conversation.fold",
        ),
        key(
            "c",
            "recall",
            "Tell again",
            "In the summary of a compaction: tell the session what it lacks",
            "conversation.recall",
        ),
        *FIND,
    ]

    @dataclass
    class Highlighted(Message):
        """Another entry is under the cursor."""

        entry: Entry

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, ConversationView.Highlighted)

    @dataclass
    class Selected(Message):
        """An entry was opened."""

        entry: Entry

    @dataclass
    class Recalled(Message):
        """What a compaction's summary lacks is to be told again."""

        lost: tuple[Dropped, ...]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.conversation = Conversation(())
        self.cursor = 0
        """Which of `rows` is selected. To read; `go_to` changes it."""
        self.rows: Sequence[int] = ()
        """The places of the entries that aren't folded away."""
        self.phrase = ""
        """What is lit wherever it stands."""
        self._unfolded: set[str] = set()
        self._heights: list[int] = []
        self._ends: list[int] = []
        self._measured: set[int] = set()
        self._lines: dict[int, list[Content]] = {}
        self._strips: dict[tuple[int, bool, bool], Strip] = {}
        self._painted_cursor = 0
        self._width = 0
        self._is_settling = False

    @property
    def entry(self) -> Entry | None:
        """The entry under the cursor."""
        at = self.cursor
        return self.conversation.entries[self.rows[at]] if at < len(self.rows) else None

    def show(self, conversation: Conversation, *, hold: bool = False) -> None:
        """Show a conversation from its beginning; with `hold` the entry under the cursor keeps its line."""
        before = self.entry if hold else None
        line = self._start(self.cursor) - self.scroll_offset.y if before is not None else 0
        self.conversation = conversation
        self._lay_out()
        at = self._first_with_memory() if before is None else self._nearest(before)
        self.cursor = at
        self._settle_at(at, line)
        self._announce()

    def _first_with_memory(self) -> int:
        """Which of the first two rows the cursor begins at: the one that is a memory, which keys act on."""
        entries = self.conversation.entries
        first = (at for at, place in enumerate(self.rows[:2]) if entries[place].refs)
        return next(first, 0)

    def go_to(self, place: int) -> None:
        """Select the entry at a place of the conversation, unfolding what it is folded in."""
        entries, parent = self.conversation.entries, self.conversation.entries[place].parent
        folded = False
        while parent is not None:
            folded = folded or entries[parent].key not in self._unfolded
            self._unfolded.add(entries[parent].key)
            parent = entries[parent].parent
        if folded:
            self._lay_out()
        at = self.rows.index(place)
        self.cursor = at
        top = self.scroll_offset.y
        if not top <= self._start(at) < top + self.size.height - 1:
            self._settle_at(at, self.size.height // 4)
        self._selected()

    def go_to_prompt(self, step: int) -> bool:
        """Select the next prompt (1) or the one before (-1), at the top; return whether there is one."""
        entries = self.conversation.entries
        onwards = range(self.cursor + step, len(self.rows) if step > 0 else -1, step)
        at = next((at for at in onwards if entries[self.rows[at]].kind == "prompt"), None)
        if at is None:
            return False
        self.cursor = at
        self._settle_at(at, 0)
        self._selected()
        return True

    def read_again(self) -> None:
        """Render what was said anew, as texts are to be read now."""
        line = self._start(self.cursor) - self.scroll_offset.y
        self._lay_out()
        self._settle_at(self.cursor, line)

    def light(self, phrase: str) -> None:
        """Light a phrase wherever it stands, `` for none."""
        self.phrase = phrase
        self._strips.clear()
        self.refresh()

    def is_unfolded(self, entry: Entry) -> bool:
        """Whether what can be folded of an entry is shown."""
        return entry.key in self._unfolded

    def action_move(self, step: int) -> None:
        """One entry down or up; within a long one first a line."""
        at, top, height = self.cursor, self.scroll_offset.y, self.size.height
        if step > 0 and self._end(at) > top + height:
            self._scroll(top + 1)
        elif step < 0 and self._start(at) < top:
            self._scroll(top - 1)
        elif 0 <= at + step < len(self.rows):
            self.cursor = at + step
            self._show_cursor(step)
            self._selected()

    def action_page(self, step: int) -> None:
        """A screenful down or up, with the cursor on an entry that is in view then."""
        height = max(1, self.size.height - 1)
        self._scroll(self.scroll_offset.y + step * height)
        top = self.scroll_offset.y
        line = top if step < 0 else min(top + height, self._total - 1)
        at = bisect_right(self._ends, line if top or step > 0 else 0)
        self.cursor = max(0, min(at, len(self.rows) - 1))
        self._selected()

    def action_first(self) -> None:
        """The first entry."""
        self.cursor = 0
        self._settle_at(0, 0)
        self._selected()

    def action_last(self) -> None:
        """The last entry."""
        at = max(0, len(self.rows) - 1)
        self.cursor = at
        self._settle_at(at, self.size.height)
        self._show_cursor(1)
        self._selected()

    def action_select(self) -> None:
        """Show the entry whole."""
        if (entry := self.entry) is not None:
            self.post_message(self.Selected(entry))

    def action_fold(self) -> None:
        """Show what is folded in the entry, or fold it, or what it is below of, again."""
        entry = self.entry
        if entry is not None and entry.parent is not None and not entry.below:
            entry = self.conversation.entries[entry.parent]
        if entry is None or not (entry.below or entry.kind == "summary"):
            return
        line = self._start(self.cursor) - self.scroll_offset.y
        self._unfolded ^= {entry.key}
        self._lay_out()
        self.cursor = self._nearest(entry)
        self._settle_at(self.cursor, max(0, line))
        self._selected()

    def action_recall(self) -> None:
        """Tell the session again what the summary of its compaction lacks."""
        if (entry := self.entry) is not None:
            self.post_message(self.Recalled(entry.lost))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "recall":
            return self.entry is not None and bool(self.entry.lost)
        return super().check_action(action, parameters)

    def on_resize(self) -> None:
        self.read_again()

    def on_click(self, event: events.Click) -> None:
        if (offset := event.get_content_offset(self)) is None:
            return
        at = bisect_right(self._ends, self.scroll_offset.y + offset.y)
        if at == self.cursor:
            self.action_select()
        elif at < len(self.rows):
            self.cursor = at
            self._selected()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._settle()

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        line = self.scroll_offset.y + y
        at = bisect_right(self._ends, line)
        if at >= len(self.rows):
            return Strip.blank(self.size.width, self.visual_style.rich_style)
        key = line, at == self.cursor, self.has_focus
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) >= PAINTED:
                self._strips.clear()
            strip = self._strips[key] = self._painted(at, line - self._start(at))
        return strip

    def _painted(self, at: int, part: int) -> Strip:
        lines, base, edge = self._lines_of(at), self.visual_style, Content(" ")
        content = lines[part] if part < len(lines) else Content()
        if at == self.cursor and (part or content.plain):
            edge = Content.styled(BAR, self.get_visual_style("conversation--bar", partial=True))
            if self.conversation.entries[self.rows[at]].kind == "step":
                base = self.get_visual_style("conversation--cursor")
        for start, end in places(content.plain, self.phrase) if self.phrase else ():
            content = content.stylize(MATCH, start, end)
        rendered = (edge + content).render(base, end="")
        strip = Strip([Segment(text, style.rich_style) for text, style in rendered if text])
        return strip.adjust_cell_length(self.size.width, base.rich_style)

    @property
    def _total(self) -> int:
        return self._ends[-1] if self._ends else 0

    def _start(self, at: int) -> int:
        return self._ends[at - 1] if 0 < at <= len(self._ends) else 0

    def _end(self, at: int) -> int:
        return self._ends[at] if at < len(self._ends) else self._total

    def _nearest(self, entry: Entry) -> int:
        """Where in `rows` an entry is by its key, else the last before its time."""
        entries = self.conversation.entries
        keys = {entries[place].key: at for at, place in enumerate(self.rows)}
        if entry.key in keys:
            return keys[entry.key]
        refs = {ref: at for at, place in enumerate(self.rows) for ref in entries[place].refs}
        if near := [refs[ref] for ref in entry.refs if ref in refs]:
            return near[0]
        earlier = [at for at, place in enumerate(self.rows) if entries[place].at <= entry.at]
        return max(earlier, default=0)

    def _lay_out(self) -> None:
        """See what is visible, and estimate how high each entry is."""
        entries = self.conversation.entries
        is_shown = [True] * len(entries)
        for place, entry in enumerate(entries):
            if entry.parent is not None:
                is_shown[place] = is_shown[entry.parent] and entries[entry.parent].key in self._unfolded
        self.rows = [place for place, shown in enumerate(is_shown) if shown]
        self._width = max(1, self.scrollable_content_region.width - 2)
        self._heights = [
            estimated_height(entries[place], self._width, is_unfolded=self.is_unfolded(entries[place]))
            for place in self.rows
        ]
        self._lines.clear()
        self._measured.clear()
        self._add_up()
        self.refresh()

    def _add_up(self) -> None:
        self._strips.clear()
        self._ends = list(accumulate(self._heights))
        self.virtual_size = Size(0, self._total)

    def _lines_of(self, at: int) -> list[Content]:
        lines = self._lines.pop(at, None)
        if lines is None:
            entries = self.conversation.entries
            entry, before = entries[self.rows[at]], entries[self.rows[at - 1]] if at else None
            lines = entry_lines(
                entry,
                self._width,
                browser(self).reading,
                is_unfolded=self.is_unfolded(entry),
                has_gap=has_gap(entry, before),
            )
        self._lines[at] = lines
        if len(self._lines) > KEPT:
            del self._lines[next(iter(self._lines))]
        return lines

    def _measure(self, at: int) -> int:
        """Measure an entry, and return by how many lines it is higher than was estimated."""
        if at in self._measured or self.size.width <= 0:
            return 0
        self._measured.add(at)
        before, self._heights[at] = self._heights[at], len(self._lines_of(at))
        return self._heights[at] - before

    def _settle(self) -> None:
        """Measure what is in view and half a screenful around; what is in view keeps its place."""
        if self._is_settling or not self.rows:
            return
        self._is_settling = True
        try:
            height = max(1, self.size.height)
            while True:
                top = self.scroll_offset.y
                at = bisect_right(self._ends, max(0, top - height // 2))
                line, shift, changed = self._start(at), 0, False
                while at < len(self.rows) and line < top + shift + height + height // 2:
                    end_before = self._end(at)
                    more = self._measure(at)
                    changed = changed or more != 0
                    shift += more if end_before <= top else 0
                    line += self._heights[at]
                    at += 1
                if not changed:
                    return
                self._add_up()
                if shift:
                    self._scroll(top + shift)
                self.refresh()
        finally:
            self._is_settling = False

    def _settle_at(self, at: int, line: int) -> None:
        """Have an entry begin on a line of the view, or as near as there are lines before and after it."""
        for _try in range(4):
            wanted = max(0, self._start(at) - line)
            self._scroll(wanted)
            self._settle()
            if self.scroll_offset.y == min(
                max(0, self._start(at) - line), max(0, self._total - self.size.height)
            ):
                break
        self._painted_cursor = self.cursor
        self.refresh()

    def _show_cursor(self, step: int) -> None:
        """Scroll as little as brings the entry into view, of a high one its first or last lines."""
        at, height = self.cursor, max(1, self.size.height)
        if self._measure(at):
            self._add_up()
        start, end, top = self._start(at), self._end(at), self.scroll_offset.y
        if end - start > height:
            self._scroll(start if step > 0 else end - height)
        elif start < top:
            self._scroll(start)
        elif end > top + height:
            self._scroll(end - height)

    def _scroll(self, y: int) -> None:
        self.scroll_to(y=max(0, y), animate=False, force=True)

    def _selected(self) -> None:
        for at in (self._painted_cursor, self.cursor):
            top = max(0, self._start(at) - self.scroll_offset.y)
            bottom = min(self.size.height, self._end(at) - self.scroll_offset.y)
            if top < bottom:
                self.refresh(Region(0, top, self.size.width, bottom - top))
        self._painted_cursor = self.cursor
        self._announce()

    def _announce(self) -> None:
        if (entry := self.entry) is not None:
            self.post_message(self.Highlighted(entry))
