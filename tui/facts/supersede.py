"""Superseding facts: the fact that holds in the place of another is chosen, or typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from textual import work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from memtui.store import Fact, Store, likely_successors, ref
from memtui.store.platform.translation import _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..keys.bindings import key
from ..lists.paged_list import PagedList
from ..lists.picker import Picker
from ..parts.line_input import LineInput
from ..protocol import browser
from ..screen import MemScreen
from ..text.ages import WIDTH as AGE
from ..text.ages import age
from ..text.content import DIM, edges, plain, right_aligned

NO_OTHER = _("There is no other fact yet: type what holds now.")
MOST = 200
MOST_LINES = 10
ROOM = 6
"""Rows of the screen for what isn't a fact that could hold."""
MOST_WORDS = 32
"""Words of what is typed that are looked for."""
LONGEST = 500
"""Characters of what is typed."""
TOLD = 40
"""Characters of a fact in a sentence."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """What holds in the place of others: a fact that is there, or a text that is yet to be one."""

    fact: Fact | None = None
    text: str = ""


class ReplacementList(PagedList[Replacement]):
    """What could hold instead, one a line."""

    may_have_marks = True

    def shared_ref_of(self, item: Replacement) -> str | None:
        return None if item.fact is None else ref("fact", item.fact.id)

    def render_row(self, item: Replacement, width: int, selected: bool) -> list[Content]:
        style = "bold" if selected else ""
        if item.fact is None:
            return [edges(plain(item.text, style), Content.styled(_("a new fact"), DIM), width)]
        since = age(item.fact.created_at, browser(self).now(), self.as_dates)
        when = right_aligned(Content.styled(since, DIM), AGE)
        right = plain(item.fact.project or _("everywhere"), DIM) + " " + when
        return [edges(plain(item.fact.content, style), right, width)]


class SupersedeScreen(Picker[Replacement]):
    """Gives what holds in the place of facts; None when it was left with Esc.

    Of several facts one of them is chosen, which supersedes the others; of one, any other that a few
    words find, or what is typed.
    """

    CSS_PATH = "supersede.tcss"

    def __init__(self, facts: Sequence[Fact]) -> None:
        super().__init__()
        self._facts = facts

    @property
    def _is_among_these(self) -> bool:
        return len(self._facts) > 1

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_subtitle = _("⏎ supersedes · esc cancels")
            if self._is_among_these:
                box.border_title = _("which of these {facts} facts holds?", facts=len(self._facts))
            else:
                box.border_title = _("what holds instead?")
                yield Static(plain(self._facts[0].content, DIM), id="old")
                yield LineInput(
                    placeholder=_("a few words find a fact, or say what holds now"),
                    max_length=LONGEST,
                    compact=True,
                )
            yield ReplacementList()
            yield self.nothing_line()

    def on_mount(self) -> None:
        if self._is_among_these:
            self.choices.focus()
            self.query_one(Vertical).styles.height = "auto"
            most = min(MOST_LINES, max(1, self.app.size.height - ROOM))
            self.choices.styles.height = min(len(self._facts), most)
        # Whatever is typed is offered as a fact.
        self.nothing.update(NO_OTHER)

    async def offers(self, typed: str) -> Sequence[Replacement]:
        if self._is_among_these:
            return [Replacement(fact) for fact in self._facts]
        old = self._facts[0]
        return await browser(self).side.run(partial(replacements, old=old, typed=typed))


def replacements(store: Store, old: Fact, typed: str) -> list[Replacement]:
    """Return what could hold in the place of a fact: those that have the words typed, and these words
    themselves; before any are typed those that are most like it, then the newest of its project."""
    text = typed.strip()
    if text:
        quoted = " ".join(
            f'"{name}"' for word in text.split()[:MOST_WORDS] if (name := word.replace('"', ""))
        )
        hits = store.find(f"kind:fact -is:superseded {quoted}").page(limit=MOST).hits if quoted else []
        held = [hit.record for hit in hits if isinstance(hit.record, Fact)]
        return [*(Replacement(fact) for fact in held if fact.id != old.id), Replacement(text=text)]
    results = {successor.id: successor for successor in likely_successors(store, old, MOST)}
    for project in dict.fromkeys((old.project, "")):
        newest = store.facts.list(project=project, limit=MOST, is_current=True)
        results |= {item.id: item for item in newest if item.id not in results}
    return [Replacement(entry) for entry in results.values() if entry.id != old.id]


def supersede(store: Store, facts: Sequence[Fact], chosen: Replacement) -> str:
    """Have facts be superseded by what was chosen, as one change; return in a sentence what was done."""
    with store.change() as action:
        if chosen.fact is None:
            new = store.supersede_by_text(ref("fact", facts[0].id), chosen.text, speaker="user").new
        else:
            new = chosen.fact
        old = [fact for fact in facts if fact.id != new.id]
        names = [ref("fact", item.id) for item in old]
        for name in names:
            store.supersede(name, ref("fact", new.id))
        which = _("fact {ref}", ref=names[0]) if len(names) == 1 else count_noun(len(names), "facts")
        action.what = _("{facts} superseded by {ref}", facts=which, ref=ref("fact", new.id))
    content = _shortened(old[0]) if len(old) == 1 else count_noun(len(old), "facts")
    return _("Superseded: {old} → {new} (u undoes)", old=content, new=_shortened(new))


def reinstate(store: Store, fact: Fact) -> str:
    """Have a fact hold again; return in a sentence what was done."""
    store.reinstate(ref("fact", fact.id))
    return _("Holds again: {fact} (u undoes)", fact=_shortened(fact))


def _shortened(fact: Fact) -> str:
    text = safe(fact.content)
    return text if len(text) <= TOLD else f"{text[: TOLD - 1]}…"


SUPERSEDE = key(
    "S",
    "supersede",
    "Supersede",
    "Say which fact replaces this one, or the marked ones; on a superseded fact, reinstate it",
    "facts.supersede",
)


class SupersedingScreen(MemScreen):
    """A screen on which a fact can be superseded by another one, and reinstated. Subclasses give
    `facts_chosen`."""

    @property
    def facts_chosen(self) -> tuple[str, ...]:
        """The refs of the marked facts, else that of the selected one; none where there is none."""
        raise NotImplementedError

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "supersede" and not self.browser.read_only:
            return bool(self.is_mounted and self.facts_chosen)
        return super().check_action(action, parameters)

    @work(group="write")
    async def action_supersede(self) -> None:
        """Choose what holds in the place of the chosen facts; one that is superseded holds again."""
        refs = self.facts_chosen

        def facts_of(store: Store) -> list[Fact]:
            return [store.facts.get(ref) for ref in refs]

        facts = await self.browser.side.run(facts_of)
        if len(facts) == 1 and facts[0].superseded_by is not None:
            await self.browser.write(partial(reinstate, fact=facts[0]), "S")
        else:

            def chosen(replacement: Replacement | None) -> None:
                if replacement is not None:
                    self._supersede(facts, replacement)

            self.app.push_screen(SupersedeScreen(facts), chosen)

    @work(group="write")
    async def _supersede(self, facts: list[Fact], chosen: Replacement) -> None:
        await self.browser.write(partial(supersede, facts=facts, chosen=chosen), "S")
        self.marks = {}
