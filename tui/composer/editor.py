"""The work on a project's context: what is chosen for it, step by step, and what of that is saved."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace

from memtui.store import Store
from memtui.store.context.preview import Preview, preview
from memtui.store.context.scope import BUDGET_TOKENS, Profile

LEAST, MOST = 100, 100_000
"""Tokens of a budget."""
STEPS = ((2_000, 100), (10_000, 500), (MOST, 1_000))
"""Up to so many tokens, by how many a key changes the budget."""

LOOKED_AT = 20
"""So many projects are looked at for one that has anything to tell."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A profile that can be compared: what comes first, what is left out, what is told in brief."""

    budget: int = BUDGET_TOKENS
    first: tuple[str, ...] = ()
    left_out: frozenset[str] = frozenset()
    brief: frozenset[str] = frozenset()

    @classmethod
    def of(cls, profile: Profile) -> Draft:
        """Return the draft that equals a profile."""
        return cls(profile.budget, profile.first, profile.left_out, profile.brief)

    @property
    def profile(self) -> Profile:
        """The same as the store keeps it."""
        return Profile(self.budget, self.first, self.left_out, self.brief)

    def ticked(self, ref: str) -> Draft:
        """Return the draft with a memory included, or left out where it was included."""
        return replace(self, left_out=self.left_out ^ {ref})

    def trimmed(self, ref: str) -> Draft:
        """Return the draft with a memory in brief, or in full where it was in brief."""
        return replace(self, brief=self.brief ^ {ref})

    def lifted(self, ref: str, shown: Collection[str]) -> Draft:
        """A memory one place earlier: a usual one becomes the last of those that come first.

        `shown` are the memories in the list: what is hidden meanwhile keeps its place, but is not
        counted as one.
        """
        if ref not in self.first:
            return replace(self, first=(*self.first, ref))
        return self._swapped(ref, -1, shown)

    def lowered(self, ref: str, shown: Collection[str]) -> Draft:
        """A memory one place later: the last of those that come first becomes a usual one."""
        if ref not in self.first:
            return self
        if ref == [text for text in self.first if text in shown or text == ref][-1]:
            return replace(self, first=tuple(name for name in self.first if name != ref))
        return self._swapped(ref, 1, shown)

    def with_budget(self, steps: int) -> Draft:
        """Return the draft with a larger budget (1) or a smaller one (-1), in round numbers of tokens."""
        at = self.budget
        size = next((size for end, size in STEPS if at < end or (at == end and steps < 0)), 1_000)
        budget = (at // size + 1) * size if steps > 0 else (-(-at // size) - 1) * size
        return replace(self, budget=max(LEAST, min(budget, MOST)))

    def _swapped(self, ref: str, step: int, shown: Collection[str]) -> Draft:
        places = [at for at, text in enumerate(self.first) if text in shown or text == ref]
        here = places.index(self.first.index(ref))
        there = here + step
        if not 0 <= there < len(places):
            return self
        first = list(self.first)
        number, other = places[here], places[there]
        first[number], first[other] = first[other], first[number]
        return replace(self, first=tuple(first))


@dataclass(slots=True)
class EditorState:
    """The work on one project: what is saved, and every step since, the last of them in force."""

    saved: Draft
    steps: list[Draft] = field(default_factory=list)

    @property
    def draft(self) -> Draft:
        """What is chosen now."""
        return self.steps[-1] if self.steps else self.saved

    @property
    def is_saved(self) -> bool:
        """Whether nothing would be lost."""
        return self.draft == self.saved

    def change(self, change: Callable[[Draft], Draft]) -> bool:
        """Take a step; whether it changed anything."""
        before, after = self.draft, change(self.draft)
        if after == before:
            return False
        self.steps = [*(self.steps or [before]), after]
        return True

    def undo(self) -> bool:
        """Take the last step back; whether there was one."""
        if len(self.steps) < 2:
            return False
        self.steps.pop()
        return True

    def keep(self, saved: Draft) -> None:
        """This is saved now; where no step was taken, it is what is chosen, too."""
        if self.is_saved and saved != self.saved:
            self.steps = []
        self.saved = saved


def compose(store: Store, project: str, draft: Draft | None, nonce: str) -> Preview:
    """Return the preview of a draft, or of the project's own profile, with a nonce in its tag."""
    return preview(store, project, draft.profile if draft else None, nonce)


def first_project(store: Store, folder: str, selected: str) -> str:
    """The project to begin with: the folder's, else that of what is selected, else the one with
    most memories; of these the first that has anything to tell."""
    here = store.known_projects.named_at(folder)
    named = [name for name, _ in store.projects()[:LOOKED_AT]]
    offers = [here, selected, *sorted(named, key=lambda name: not name)]
    return next((offer for offer in offers if preview(store, offer).items), here)
