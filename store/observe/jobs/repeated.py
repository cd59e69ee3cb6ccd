"""Rules that a user says again, and those that an agent breaks after it was told them.

A rule is told by a session's start, or by its user in an earlier turn. From then on it is broken by a
command, an edit or a reply that does what it forbids, unless the turn's prompt asks for that; and by a
prompt that says that it was said before, or begins with it after the agent has done something. A prompt
that is sent again breaks nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from ...context.broken_rules import broken_by
from ...context.log import EACH_REF
from ...records.kinds import BROKEN, COMMAND, REPLY, ref_of
from ...records.rows import Common, Fact, Observation, Prompt, Session
from ...store import Store
from ...tables.base import read_object
from ...tables.fact_sources import speaker_of
from ..rules.facts import ExtractedFact
from ..rules.repeated_rules import Ban, ban_of, is_order, saying_of, sayings

MOST_RULES = 200
"""So many of a project's newest facts are compared with what its user says."""
TOLD = f"""
SELECT value, min(at) FROM given_contexts, {EACH_REF}
WHERE session = ? AND agent = ? GROUP BY value
"""


def rules_of(store: Store, project: str) -> list[Fact]:
    """Return what the user stated of a project, and of all, and holds."""
    facts = [
        fact
        for scope in dict.fromkeys((project, ""))
        for fact in store.facts.list(project=scope, limit=MOST_RULES, is_current=True)
    ]
    return [fact for fact in facts if fact.kind != "S" and speaker_of(fact.extra) != "assistant"]


def with_repeated(facts: Iterable[ExtractedFact], text: str, rules: list[Fact]) -> Iterator[ExtractedFact]:
    """Yield what a user's prompt states, what says a rule in other words as that rule, and the rules that
    it says again in words that state nothing by themselves."""
    for fact in facts:
        own = saying_of(fact.content)
        known = next((rule for rule in rules if own.repeats(rule.content)), None)
        yield fact if known is None or fact.is_change else _as_said(known, fact.confidence)
    for saying in sayings(text):
        for rule in rules:
            if saying.repeats(rule.content):
                yield _as_said(rule, rule.confidence)


def _as_said(fact: Fact, confidence: float) -> ExtractedFact:
    return ExtractedFact(fact.content, fact.kind, fact.entities, confidence)


def note_broken(store: Store, session: Session) -> None:
    """Note on each rule of a session's project what in the session broke it. Inside a transaction."""
    if session.automatic:
        return
    prompts = store.prompts.standing(session)
    told = {str(ref): at for ref, at in store.db.execute(TOLD, (session.content_session_id, session.agent))}
    observations: list[Observation] | None = None
    for rule in rules_of(store, session.project):
        ban, at = ban_of(rule.content), told.get(ref_of(rule))
        said = _distinct(prompt for prompt in prompts if prompt.uid in rule.evidence)
        against: list[Observation] = []
        if ban and (said or at is not None):
            if observations is None:
                observations = store.observations.of_session(session)
            against = [item for item in observations if _is_against(ban, item, prompts, said, at)]
        # A prompt that answers what was found to be against the rule is of the same break.
        found = {(item.prompt_number or 0) + 1 for item in against}
        again = _said_again(rule, prompts, said, at) if ban or is_order(rule.content) else ()
        broken = [*against, *(prompt for prompt in again if prompt.prompt_number not in found)]
        _note(store, rule, broken, {item.uid for item in (*prompts, *(observations or ()))})


def _distinct(prompts: Iterable[Prompt]) -> list[Prompt]:
    """Return the prompts without those that were sent again."""
    first: dict[str, Prompt] = {}
    for prompt in prompts:
        first.setdefault(prompt.text.strip(), prompt)
    return [*first.values()]


def _said_again(
    rule: Fact, prompts: list[Prompt], said: list[Prompt], told: int | None
) -> Iterator[Prompt]:
    """Yield the prompts of a session that say a rule again since it was broken. Who begins every task with
    it says so by habit."""
    is_habit = False
    for place, prompt in enumerate(said):
        own = [*sayings(prompt.text)]
        again = [saying for saying in own if saying.repeats(rule.content)]
        is_known = place > 0 or (told is not None and told < prompt.created_at)
        begins = own[:1] == again[:1] != []
        leads_on = begins and len(own) > len(again)
        is_answer = is_known and begins and not (leads_on and is_habit) and prompt.id != prompts[0].id
        is_habit |= leads_on
        is_reproach = any(saying.is_reproach for saying in again)
        if is_answer or (is_reproach and (is_known or rule.created_at < prompt.created_at)):
            yield prompt


def _is_against(
    ban: Ban, item: Observation, prompts: list[Prompt], said: list[Prompt], told: int | None
) -> bool:
    """Return whether an observation is of what a ban forbids, after the agent was told it."""
    turn = item.prompt_number or 0
    is_told = (told is not None and told < item.created_at) or any(
        prompt.prompt_number < turn for prompt in said
    )
    if not is_told or item.subagent or item.type == "note" or not item.is_visible:
        return False
    asked = next((prompt for prompt in prompts if prompt.prompt_number == turn), None)
    if asked is not None and ban.is_named_in(asked.text):
        # It is asked for, or what is left of it is taken away.
        return False
    line = str(read_object(item.extra).get(COMMAND) or "")
    return ban.is_broken_by(
        line, item.files_modified, (item.narrative or "") if item.tool_name == REPLY else ""
    )


def _note(store: Store, fact: Fact, broken: Iterable[Common], own: set[str]) -> None:
    """Note what broke a rule in a session, of which all is `own`."""
    before = broken_by(fact)
    after = [*(uid for uid in before if uid not in own), *dict.fromkeys(item.uid for item in broken)]
    if set(after) != set(before):
        extra = read_object(fact.extra) | {BROKEN: after}
        store.facts.write_columns([fact.id], {"extra": json.dumps(extra, ensure_ascii=False)})
