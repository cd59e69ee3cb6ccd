"""A screen on which a fact can be superseded by another one, and reinstated."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from textual import work

from memtui.store import Fact, Store

from ..keys.bindings import key
from ..screen import MemScreen

if TYPE_CHECKING:
    from .supersede import Replacement

SUPERSEDE = key(
    "S",
    "supersede",
    "Supersede",
    "Say which fact replaces this one, or the marked ones; on a superseded fact, reinstate it",
    "facts.supersede",
)


class SupersedingScreen(MemScreen):
    """Subclasses give `facts_chosen`."""

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
        from .supersede import SupersedeScreen, reinstate

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
        from .supersede import supersede

        await self.browser.write(partial(supersede, facts=facts, chosen=chosen), "S")
        self.marks = {}
