"""Which decision a new one takes the place of: "from today 30 minutes", "no, Postgres", 改为; where that
isn't certain, it is noted for the merge room, and a person decides."""

from __future__ import annotations

from contextlib import suppress

from ...errors import NotFoundError
from ...records import Fact, Prompt, Session
from ...store import Store
from ...text.language.same import Gist, gist
from ...text.language.spoken import spoken_pattern

CHANGES = spoken_pattern(
    r"\b(?:from (?:now on|today|tomorrow)|as of (?:now|today)|starting (?:today|tomorrow)|instead"
    r"|no longer|any ?more"
    r"|replac(?:e|es|ed|ing)|chang(?:e|es|ed|ing)|switch(?:ed|ing)?|mov(?:e|ed|ing) (?:to|behind|from|off)"
    r"|raise|lower|drop|increase|decrease|reduce|too (?:long|short|big|small|few|many|much|slow|strict"
    r"|low|high)"
    r"|new (?:contract|rule|policy|requirement|limit)|not .{1,40} but|back to|after all"
    r"|on second thoughts?)\b"
    r"|改为|改成|改用|换成|不再|取代|取消|从今天|今后|以后",
    2,
)
"""The words in which somebody changes what was decided before."""
LOOKED_AT = 60
"""So many of a project's newest facts are compared."""
SHARED, MOSTLY = 2, 0.5
"""Words, and the share of its words, that a decision has in common with what changes it."""
MANY_SHARED, LEAST_SHARE = 3, 0.3
"""Words, and the share of the shorter one, that two subjects have in common that are one."""
MAYBE_SHARED, MAYBE_SHARE = 2, 0.2
"""Likewise of two that may be one."""
READ = 600
"""Characters of a prompt that tell what it is about."""


def supersede_changed(store: Store, session: Session, new: Fact, prompt: str) -> list[Fact]:
    """Have a user's new decision supersede the older ones that its prompt changes; return these."""
    if not CHANGES.search(prompt):
        return []
    said = gist(prompt[:READ])
    subject = gist(f"{prompt[:READ]}\n{_first_prompt(store, session.id)}")
    rivals: list[Fact] = []
    best: tuple[float, Fact] | None = None
    is_certain = False
    for old in store.facts.list(project=new.project, limit=LOOKED_AT, is_current=True):
        if old.id == new.id or old.kind not in ("B", "O") or old.created_at >= new.created_at:
            continue
        asked = _prompt_of(store, old)
        if asked is None or asked.session_id == session.id:
            continue
        own = gist(old.content)
        if (common := _shared(said, own)) >= SHARED and common >= MOSTLY * own.size:
            rivals.append(old)
            continue
        other = gist(f"{asked.text[:READ]}\n{_first_prompt(store, asked.session_id)}")
        common = _shared(subject, other)
        share = common / max(1.0, min(subject.size, other.size))
        if common >= MAYBE_SHARED and share >= MAYBE_SHARE and (best is None or share > best[0]):
            best, is_certain = (share, old), common >= MANY_SHARED and share >= LEAST_SHARE
    if not rivals and best:
        if not is_certain:
            store.facts.note_may_replace(new, best[1])
            return []
        rivals = [best[1]]
    for old in rivals:
        store.facts.write_columns([old.id], {"superseded_by": new.uid})
    return rivals


def _shared(item: Gist, other: Gist) -> float:
    """Return how many words two texts have in common; of scripts without spaces two characters are one."""
    return len(item.words & other.words) + len(item.pairs & other.pairs)


def _first_prompt(store: Store, session: int) -> str:
    prompts = store.prompts.standing(store.sessions.get(session))
    return prompts[0].text[:READ] if prompts else ""


def _prompt_of(store: Store, fact: Fact) -> Prompt | None:
    """Return the prompt in which a fact was stated first."""
    for uid in fact.evidence[:1]:
        with suppress(NotFoundError):
            record = store.record(uid)
            return record if isinstance(record, Prompt) else None
    return None
