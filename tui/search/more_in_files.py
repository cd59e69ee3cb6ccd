"""How many of agents' files hold a query's words, below its hits; Enter leads there."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget

from memtui.store.platform.translation import _

from ..keys.bindings import key
from ..protocol import browser
from ..text.content import DIM, plain


def asks_for_files(text: str) -> bool:
    """Return whether a query asks for agents' files, as `kind:file` does, and for no memories."""
    if ":" not in text and "：" not in text:
        return False
    from memtui.store.files.query import file_query

    return file_query(text) is not None


class MoreInFiles(Widget, can_focus=True):
    """`3 more in agents' own files`, where there are any; a click leads there too."""

    ALLOW_MAXIMIZE = False
    DEFAULT_CSS = """
    MoreInFiles {
        height: 1;
        padding: 0 1;
        display: none;
        &.-offered { display: block; }
        &:focus { text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "enter",
            "go_there",
            "Agents' files",
            "Show the files that hold the words",
            "results.files",
        ),
    ]

    count: reactive[int] = reactive(0)
    words: str = ""

    @property
    def more(self) -> str:
        """The word for those beside hits; none where only files were asked for."""
        return "" if asks_for_files(self.words) else _("more ")

    def watch_count(self) -> None:
        self.set_class(self.count > 0, "-offered")

    def render(self) -> Content:
        return plain(
            _("{count} {more}in agents' own files ", count=f"{self.count:,}", more=self.more)
        ) + Content.styled("Enter", DIM)

    async def on_click(self) -> None:
        await self.action_go_there()

    async def action_go_there(self) -> None:
        """Show these files, on their screen."""
        await browser(self).find_in_files(self.words)
