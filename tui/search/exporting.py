"""Exporting all that a query matches, as `mem export --query` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from memtui.store import Query, Store
from memtui.store.formats.common.scope import Scope
from memtui.store.translation import _

if TYPE_CHECKING:
    from ..marks.screen import MarkingScreen
    from .providers import ResultCounts

EVERYTHING = "kind:observation,prompt,summary,fact"


async def export_query(screen: MarkingScreen, query: Query, counts: ResultCounts) -> None:
    """Ask where to write what a query matches exactly, and do so; of an empty one all that there is.
    What is private or deleted stays."""

    def refs(store: Store) -> Sequence[str]:
        return store.refs(query if query.text.strip() else EVERYTHING)

    many = range(counts.count.value)
    note = _("What is private or deleted stays.")
    if counts.related:
        note = _("Exact hits only. What is private or deleted stays.")
    await screen.export_memories(_("this query"), many, refs, Scope(), note)
