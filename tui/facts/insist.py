"""Making a rule harder: where its agents are told it, beside the starts that tell it among others."""

from __future__ import annotations

from functools import partial
from typing import Literal

from textual import work

from memtui.store import Fact, Store, ref
from memtui.store.config import context_settings
from memtui.store.context.broken_rules import rule_use, tell_at_prompts
from memtui.store.context.scope import Profile, profile_of, save_profile
from memtui.store.platform.leaves import leaf
from memtui.store.platform.translation import _

from ..keys.bindings import key
from ..lists.picker import Pick, PickScreen
from ..text.paths import short
from .supersede import SupersedingScreen

Place = Literal["file", "start", "prompts"]

INSIST = key(
    "exclamation_mark",
    "insist",
    "Insist",
    "Make this rule harder: in the agent's file, at the head of each start, or at prompts it matters to",
    "facts.insist",
    display="!",
)


def places() -> list[Pick[Place]]:
    """Return where a rule can be told."""
    off = "" if context_settings().at_prompt else _("needs at_prompt = true below [context] in config.toml")
    file = _("A line of CLAUDE.md, AGENTS.md or the like in the repository.")
    start = _("Before all else that a session of the project is told.")
    prompts = _("At prompts that share a word with it, or with what broke it; and it is pinned.")
    return [
        Pick(_("In the agent's instruction file"), "file", told=file),
        Pick(_("At the head of each start"), "start", told=start),
        Pick(_("At each prompt that it matters to"), "prompts", note=off and _("off"), told=off or prompts),
    ]


def insist(store: Store, fact: Fact, place: Place) -> str:
    """Have a rule be told at a place, as one change; return in a sentence what was done."""
    name = ref("fact", fact.id)
    if place == "file":
        agent = next((row.agent for row in reversed(rule_use(store, fact).turns)), "")
        promoted = leaf("files.linking").Promotion(store).to_instructions(name, agent, fact.project)
        return _("{ref} promoted to {path} (u takes it back)", ref=name, path=short(promoted.path))
    with store.change(_("fact {ref} made harder", ref=name)):
        if place == "prompts":
            tell_at_prompts(store, fact)
            if not context_settings().at_prompt:
                return _("Told at prompts once at_prompt = true stands below [context] in config.toml")
            return _("Told at each prompt that it matters to (u undoes)")
        if fact.project:
            before = profile_of(store.db, fact.project)
            first = (name, *(item for item in before.first if item != name))
            profile = Profile(before.budget, first, before.left_out - {name}, before.brief)
            save_profile(store, fact.project, profile)
        else:
            store.facts.set_column(fact, "pinned", True)
    return _("Told at the head of each start (u undoes)")


class InsistingScreen(SupersedingScreen):
    """A screen on which a rule can be made harder."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        if action == "insist" and not self.browser.read_only:
            return self.is_mounted and len(self.facts_chosen) == 1
        return super().check_action(action, parameters)

    @work(group="write")
    async def action_insist(self) -> None:
        """Choose where the fact is told."""
        (name,) = self.facts_chosen
        fact = await self.browser.side.run(lambda store: store.facts.get(name))

        def chosen(pick: Pick[Place] | None) -> None:
            if pick is not None:
                self._insist(fact, pick.value)

        self.app.push_screen(PickScreen(_("where is it told?"), places(), _("tells it there")), chosen)

    @work(group="write")
    async def _insist(self, fact: Fact, place: Place) -> None:
        await self.browser.write(partial(insist, fact=fact, place=place), "!")
