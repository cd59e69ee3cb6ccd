"""What a user takes back by going back to before a prompt: it was said, and holds no more.

Its prompts stay, marked; what was made of them is noise, its facts go. What nobody took back stays, also
where a transcript's records hang off the path to its end.
"""

from __future__ import annotations

import json

from ...events import Event, event_key
from ...kinds import NOISE
from ...records import Prompt, Session
from ...store import Store
from ...tables.base import read_object
from ...tables.prompts import TAKEN_BACK

KNOWN = """
SELECT record_id FROM captured_events
WHERE session_id = ? AND kind = 'prompt' AND record_id IS NOT NULL AND key IN (?, ?)
LIMIT 1
"""


def take_back(store: Store, session: Session, event: Event) -> bool:
    """Mark what a session's user took back; whether anything stood until now."""
    results = (_prompt_of(store, session, text) for text in event.taken_back)
    prompts = [item for item in results if item and TAKEN_BACK not in read_object(item.extra)]
    for prompt in prompts:
        extra = read_object(prompt.extra) | {TAKEN_BACK: True}
        store.prompts.write_columns([prompt.id], {"extra": json.dumps(extra)})
        for made in store.observations.of_turn(session.id, prompt.prompt_number):
            extra = read_object(made.extra) | {TAKEN_BACK: made.type}
            store.observations.revise(made.id, type=NOISE, extra=json.dumps(extra))
        _drop_facts(store, session, prompt, event.at)
    return bool(prompts)


def _prompt_of(store: Store, session: Session, key: str) -> Prompt | None:
    key = event_key("prompt", key)
    number: int | None = store.db.execute(KNOWN, (session.id, key, f"transcript {key}")).get
    if not number:
        return None
    prompt = store.prompts.get(number)
    return prompt if prompt.is_visible else None


def _drop_facts(store: Store, session: Session, prompt: Prompt, until: int | None) -> None:
    """Remove what the prompt, and what was answered to it, stated."""
    for fact in store.facts.of_session(session):
        sources = store.facts.sources_of(fact)
        said = [
            source
            for source in sources
            if source.session == session.content_session_id
            and (
                prompt.uid in source.evidence
                or (until is not None and prompt.created_at <= source.told_at < until)
            )
        ]
        if len(said) == len(sources):
            marked = read_object(fact.extra) | {TAKEN_BACK: True}
            store.facts.write_columns([fact.id], {"extra": json.dumps(marked)})
            store.facts.delete(store.facts.get(fact.id))
        else:
            for fact_source in said:
                store.facts.remove_source(fact, fact_source)
