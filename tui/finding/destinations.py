"""Where a text leads, for whoever offers it: the query line, the palette and `g`."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from textual.content import Content

from memtui.store.platform.translation import N_, _
from memtui.store.text.plural import count_noun

from ..protocol import Browser
from ..text.content import plain

if TYPE_CHECKING:
    # It knows the language of dates, which the first paint can do without.
    from memtui.store.links.destinations import Destination


KINDS = N_("file"), N_("commit"), N_("date")
"""Of what memories are listed, where no id leads to one."""


async def find_destinations(app: Browser, text: str) -> list[Destination]:
    """Return where a text leads."""
    from memtui.store.links.destinations import destinations

    now = datetime.fromtimestamp(app.now() / 1000)
    return await app.side.run(lambda store: destinations(store, text, now))


def name_of(destination: Destination) -> Content:
    """Return what a destination is called, on a line: its id, or what it is of, and its title."""
    id = destination.ref or _(destination.kind)
    return Content.assemble((id, "bold"), " ", plain(destination.title))


def many_of(destination: Destination) -> str:
    """Return how many memories are there, `` for what is one."""
    return count_noun(destination.count, "memories") if destination.query else ""
