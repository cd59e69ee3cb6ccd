"""The name to save a query by."""

from __future__ import annotations

from collections.abc import Sequence

from textual import getters, on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from memtui.store import SavedSearch, Store, parse
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ..keys.bindings import key
from ..protocol import browser
from ..text.content import DIM, plain
from ..text.queries import without
from .dialog import Dialog
from .line_input import LineInput

LONGEST = 60
"""Characters of a name."""


class SaveSearchScreen(Dialog[None]):
    """A name for a query, and what it would replace; Enter saves."""

    CSS_PATH = "save_search.tcss"
    BINDINGS = [
        key("escape", "dismiss", "Cancel", "Save nothing", "save.cancel"),
    ]

    box = getters.query_one(Vertical)
    effect = getters.query_one("#effect", Static)

    def __init__(self, query: str, saved: Sequence[SavedSearch]) -> None:
        """`saved` are the searches that have a name already."""
        super().__init__()
        self._query = query
        self._saved = saved

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = _("save this search as")
            yield LineInput(suggested(self._query, self._saved), max_length=LONGEST, compact=True)
            yield Static(plain(self._query, DIM), id="query-saved")
            yield Static(id="effect")

    @on(Input.Changed)
    def _tell(self, message: Input.Changed) -> None:
        before = next((search for search in self._saved if search.name == message.value.strip()), None)
        self.effect.display = before is not None
        self.box.border_subtitle = _("⏎ {does} · esc cancels", does=_("replaces") if before else _("saves"))
        if before is not None:
            content = _("Replaces the search {name}: {query}", name=before.name, query=before.query)
            self.effect.update(plain(content, "bold"))

    @on(Input.Submitted)
    @work(group="write")
    async def _save(self, message: Input.Submitted) -> None:
        name, query = message.value.strip(), self._query

        def saved(store: Store) -> str:
            with store.change() as action:
                kept = store.searches.save(name, query)
                action.what = _("search “{name}” saved", name=kept.name)
            return _("Saved as {name}. The palette lists it.", name=safe(name))

        if name:
            await browser(self).write(saved, "ctrl+s")
            self.dismiss()


def suggested(query: str, saved: Sequence[SavedSearch]) -> str:
    """Return the name a query has; else its words, where no other has that name; else all of it."""
    names = {search.query: search.name for search in saved}
    words = without(query, *parse(query).chips).replace('"', "").removeprefix("kind:session").strip()
    free = words if words and words not in names.values() else query
    return names.get(query, free)[:LONGEST].strip()
