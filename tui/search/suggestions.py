"""What else a query may be for: what mistyped words may have meant, where it finds nothing the queries that
find something, and how many of agents' files hold its words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import TYPE_CHECKING

from textual import events
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from memtui.store import IN_PROJECT_HERE, Correction, Count, Query, Store, parse
from memtui.store.platform.leaves import has_leaf, leaf
from memtui.store.platform.translation import _
from memtui.store.search.narrowing import asks_for_sessions

from ..keys.bindings import key
from ..protocol import browser
from ..text.content import DIM, fit, plain
from ..text.queries import understood, without
from .providers import FIRST_HITS, PATIENCE
from .request import SearchRequest

if TYPE_CHECKING:
    # It takes parts of the store that the first paint can do without.
    from memtui.store import Remark


CORRECT_KEY = "^y"
LABELS = 9
LONGEST = 240
"""Cells for what was understood, so that the suggestions stay in view."""
RELATED_KEY = "="
"""The screen's own, which shows related hits again."""


class DidYouMean(Widget):
    """`No memory has the word athentication. Did you mean authentication?` A click takes it.

    Where there is no room for all of it, the question alone. With neither, why no hits are by meaning.
    """

    DEFAULT_CSS = """
    DidYouMean {
        height: 1;
        padding: 0 1;
        display: none;
        &.-offered { display: block; }
        &.-trouble { display: block; height: auto; max-height: 3; }
    }
    """

    remarks: reactive[tuple[Remark, ...]] = reactive(())
    corrections: reactive[tuple[Correction, ...]] = reactive(())
    trouble: reactive[str] = reactive("")

    @dataclass
    class Chosen(Message):
        """What was meant is to be searched for; `text` is the query."""

        text: str

    @property
    def meant(self) -> str | None:
        """The query that was likely meant."""
        if self.remarks:
            return next(filter(None, (remark.query for remark in self.remarks)), None)
        return self.corrections[0].query if self.corrections else None

    def watch_remarks(self) -> None:
        self._show()

    def watch_corrections(self) -> None:
        self._show()

    def watch_trouble(self) -> None:
        self._show()

    def render(self) -> Content:
        if self.remarks:
            return self._remark()
        if not self.corrections:
            return plain(self.trouble, DIM)
        typed = Content(_(" or ")).join(plain(correction.typed, "bold") for correction in self.corrections)
        first, *others = self.corrections
        why = Content.assemble(_("No memory has the word "), typed, _(". "))
        return self._question(why, first.query if others else first.meant)

    def on_click(self) -> None:
        self.action_take()

    def action_take(self) -> None:
        """Search for what was meant."""
        if self.meant is not None:
            self.post_message(self.Chosen(self.meant))

    def _show(self) -> None:
        is_offered = bool(self.remarks or self.corrections)
        self.set_class(is_offered, "-offered")
        self.set_class(bool(self.trouble) and not is_offered, "-trouble")
        self.refresh(layout=True)

    def _remark(self) -> Content:
        first, *others = self.remarks
        content = plain(f"{first.sentence} ")
        if self.meant is None:
            return fit(content, self.size.width)
        return self._question(content, self.meant if others else first.meant or self.meant)

    def _question(self, why: Content, meant: str) -> Content:
        question = Content.assemble(_("Did you mean "), plain(meant, "bold $text-accent"), _("?"))
        offer = Content.assemble("  ", (CORRECT_KEY, "bold $accent"), (_(" takes it"), DIM))
        room = self.size.width - offer.cell_length
        text = why + question
        if text.cell_length > room:
            text = fit(question, room).rstrip()
        return text + offer


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Another query, what it does in words, and how much it would find."""

    words: str
    text: str
    count: Count


@dataclass(frozen=True, slots=True)
class Suggestions:
    """A query without hits, and other queries that have some.

    `related` counts the related hits that were left out; None where none were. `waiting` says that
    events of agents are still to be stored, `` where none are.
    """

    query: Query
    items: Sequence[Suggestion]
    related: Count | None = None
    remarks: Sequence[Remark] = ()
    waiting: str = ""
    trouble: str = ""
    """Why nothing was searched, in a sentence."""


class NoHits(Widget, can_focus=True):
    """Each suggestion has a letter, and a click takes it too; Enter takes the first."""

    ALLOW_MAXIMIZE = False
    BINDINGS = [
        key("enter", "take(0)", "Take the first", "Take the first suggestion", "nothing.take"),
    ]

    suggestions: reactive[Suggestions | None] = reactive(None)

    @dataclass
    class Chosen(Message):
        """A suggestion was chosen; `text` is its query."""

        text: str

    def render(self) -> Content:
        return Content("\n").join(self._lines())

    def on_key(self, event: events.Key) -> None:
        if event.character and event.character in ascii_lowercase[: self._many]:
            event.stop()
            self.action_take(ascii_lowercase.index(event.character))

    def on_click(self, event: events.Click) -> None:
        if (index := event.style.meta.get("suggestion")) is not None:
            self.action_take(index)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self._many) if action == "take" else super().check_action(action, parameters)

    def action_take(self, index: int) -> None:
        """Search on with another query."""
        if self.suggestions and index < self._many:
            self.post_message(self.Chosen(self.suggestions.items[index].text))

    @property
    def _many(self) -> int:
        return len(self.suggestions.items) if self.suggestions and not self._is_empty_trash else 0

    @property
    def _is_empty_trash(self) -> bool:
        return self.suggestions is not None and self.suggestions.query.text.split() == ["is:deleted"]

    def _lines(self) -> Iterator[Content]:
        if self.suggestions is None:
            return
        if self._is_empty_trash:
            yield Content.styled(_("The trash is empty."), "bold")
            yield Content()
            yield Content.styled(_("What is deleted comes here; D leads back."), DIM)
            return
        if self.suggestions.trouble:
            yield plain(self.suggestions.trouble, "bold $text-warning")
        else:
            yield Content.styled(_("No memory matches."), "bold")
        if self.suggestions.waiting:
            yield plain(self.suggestions.waiting, "$text-warning")
        for remark in self.suggestions.remarks:
            yield plain(remark.sentence)
        yield Content()
        for label, what in understood(self.suggestions.query, browser(self).here):
            shown = what.truncate(LONGEST, ellipsis=True)
            yield fit(Content(label), LABELS).stylize(DIM) + shown
        yield Content()
        for index, suggestion in enumerate(self.suggestions.items):
            many = suggestion.count
            hits = _("{count} hit", count=many) if many.value == 1 else _("{count} hits", count=many)
            line = _line(ascii_lowercase[index], suggestion.words, hits)
            yield line.stylize(Style.from_meta({"suggestion": index}))
        if (related := self.suggestions.related) and related.value:
            line = _line(RELATED_KEY, _("related hits too"), _("{count} related", count=related))
            yield line.stylize(Style.from_meta({"@click": "screen.exact(False)"}))
        if self.suggestions.items and not self.has_focus:
            yield Content()
            yield Content.styled(_("Press ↓, then a letter."), DIM)


def suggest(store: Store, asked: SearchRequest, corrections: Sequence[Correction]) -> Suggestions:
    """Return the changes to a query without hits that find something, each with its count; where only exact
    hits are asked for also how many related ones there would be. Sessions that match are one of them.
    """
    # The first paint does without it.
    from memtui.store.capture.ingest.catch_up import still_waiting

    query = asked.query
    remarks = () if asks_for_sessions(query.text) else store.remarks(query.text)
    changes = [*_remarked(remarks), *_corrected(corrections), *_changes(query)]
    counted = (Suggestion(words, text, store.find(text).count()) for words, text in changes)
    items = [suggestion for suggestion in counted if suggestion.count.value]
    sessions = store.list_search.sessions(query.text)
    if sessions.ids:
        count = Count(len(sessions.ids), sessions.complete)
        items.insert(-1, Suggestion(_("sessions, not memories"), f"kind:session {query.text}", count))
    related = _related(store, query) if asked.exact_only else None
    return Suggestions(query, items, related, remarks, still_waiting(store))


def meant_for(corrections: Sequence[Correction]) -> str:
    """Return what was meant for what was typed, in words."""
    return _(", ").join(
        _("{meant} for {typed}", meant=correction.meant, typed=correction.typed)
        for correction in corrections
    )


def asks_for_files(text: str) -> bool:
    """Return whether a query asks for agents' files, as `kind:file` does, and for no memories."""
    if (":" not in text and "：" not in text) or not has_leaf("files"):
        return False
    return leaf("files.query").file_query(text) is not None


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
    BINDINGS = [
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


def _line(key: str, words: str, found: str) -> Content:
    return Content.assemble((key, "bold $accent"), "  ", plain(words), "  ", (found, DIM))


def _related(store: Store, query: Query) -> Count:
    results = store.find(query).page(limit=FIRST_HITS, related=True, seconds=PATIENCE)
    return Count(len(results.hits), results.complete)


def _remarked(remarks: Sequence[Remark]) -> Iterator[tuple[str, str]]:
    """The query that was meant by filters that find nothing, the whole of it."""
    for text in dict.fromkeys(remark.query for remark in remarks):
        if text is not None:
            meant = _(", ").join(item.meant for item in remarks if item.query == text and item.meant)
            yield _("did you mean {meant}?", meant=meant), text


def _corrected(corrections: Sequence[Correction]) -> Iterator[tuple[str, str]]:
    """One change for all corrections, as each has the query with all of them made."""
    if corrections:
        meant = meant_for(corrections)
        text = corrections[0].query
        yield _("did you mean {meant}?", meant=meant), text
        if chips := parse(text).chips:
            yield _("{meant}, without any filter", meant=meant), without(text, *chips)


def _changes(query: Query) -> Iterator[tuple[str, str]]:
    chips, bare = query.chips, not query.terms and not query.excluded
    for chip in chips:
        if len(chips) > 1 or not bare:
            is_here = chip.label == IN_PROJECT_HERE
            words = _("without {filter}", filter=chip.label)
            yield _("everywhere, not only here") if is_here else words, without(query.text, chip)
    if len(chips) > 1 and not bare:
        yield _("without any filter"), without(query.text, *chips)
    yield _("everything, newest first"), ""
