"""A search that the team's server answers, for what need not be here: its rows stand in the place of those
that are."""

from __future__ import annotations

from asyncio import sleep
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from memtui.store import (
    Hit,
    ListRow,
    NotFoundError,
    Page,
    Snippet,
    Store,
    StoreError,
    highlight,
    parse_ref,
)
from memtui.store.platform.translation import _
from memtui.store.records.sharing import TeamMark

from ...search.providers import Found, Ranked
from ...text.ages import ago, full
from ...text.content import DIM, Passage, joined, plain
from ...text.team_mark import mark_passages

if TYPE_CHECKING:
    from memtui.store.leaves.team.search import TeamHit, TeamHits

MOST = 100
PAUSE = 0.3
"""Seconds without a key after which the server is asked: not by each letter."""
AWAY = -(1 << 40)
"""Below it are the document ids of rows that only the server has."""


class OnServer(Ranked):
    """The best of what the team's server has. It is asked once, and for no longer than its deadline."""

    _answer: TeamHits | None = None
    _trouble = ""

    @property
    def trouble(self) -> str:
        """Why the server gave nothing, or what of the query it wasn't asked by; "" where all is well."""
        if self._trouble or self._answer is None or not self._answer.left_out:
            return self._trouble
        return _(
            "The server wasn't asked by {parts}: that is only searched here.",
            parts=" ".join(self._answer.left_out),
        )

    @property
    def end(self) -> str:
        """Where these are from."""
        return _("the team's server is away") if self._trouble else _("on the team's server")

    async def _search(self) -> None:
        if self._answer is None and not self._trouble:
            await sleep(PAUSE)
            try:
                self._answer = await self.reader.run_beside(self._asked)
            except StoreError as error:
                self._trouble = str(error)
        hits = self._answer.hits if self._answer is not None else ()
        self._found = await self.reader.run(lambda store: [*self._rows(store, hits)])
        self._page = Page([item.hit for item in self._found])

    def _asked(self, store: Store) -> TeamHits:
        # It needs a driver, which may not be there.
        from memtui.store.leaves.team.search import search_team

        return search_team(store, self.query.text, limit=MOST)

    def _rows(self, store: Store, hits: Sequence[TeamHit]) -> Iterator[Found]:
        for number, item in enumerate(hits):
            row = _row_here(store, item) or _row_away(item, AWAY - number)
            snippet = highlight(item.snippet, self.query)
            hit = Hit(row, 0.0, partial(store.record, item.id), partial(_whole, snippet))
            away = OnlyThere(item) if row.document_id <= AWAY else None
            yield Found(hit, highlight(row.title, self.query), away)


class OnlyThere(NamedTuple):
    """What only the team's server has."""

    hit: TeamHit

    @property
    def mark(self) -> TeamMark:
        """Whose it is."""
        return TeamMark(self.hit.author, "")

    @property
    def why(self) -> str:
        """Why nothing can be done to it."""
        return _(
            "Only the team's server has this memory of {author}'s: it is read only.", author=self.hit.author
        )

    def passages(self, now: int) -> list[Passage]:
        """Return all that the server said of it."""
        hit = self.hit
        return [
            Passage(plain(hit.title, "bold")),
            Passage(plain(joined(hit.project, hit.kind), DIM)),
            Passage(plain(joined(full(hit.at), ago(hit.at, now)), DIM)),
            *mark_passages(self.mark),
            Passage(plain(self.why, "$text-warning")),
            *(Passage(plain(text), space=1) for text in hit.texts),
        ]


def _row_here(store: Store, item: TeamHit) -> ListRow | None:
    kind, _number = parse_ref(item.id) or ("", 0)
    if kind in ("", "note", "session"):
        return None
    try:
        return store.list_row(store.record(item.id))
    except NotFoundError:
        return None


def _row_away(item: TeamHit, number: int) -> ListRow:
    kind: Any = item.kind
    return ListRow(number, kind, 0, item.title, item.kind, item.project, "", None, item.at, False, 0)


def _whole(snippet: Snippet, most: int) -> Snippet:  # noqa: ARG001
    """The server's snippets are short anyway."""
    return snippet
