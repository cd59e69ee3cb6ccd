"""Rules of the user's that were broken after they were told: how often each was said, told and broken, and
the turns. Which these are is found out when a turn ends (`memtui.store.observe.jobs.repeated`).
"""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

from ..database.transaction import snapshot
from ..platform.errors import NotFoundError
from ..records.dataclasses import dataclass, replace
from ..records.kinds import AT_PROMPTS, BROKEN, COMMAND, VISIBLE, WAS_BROKEN, ref_of
from ..records.rows import Fact, ListRow, Prompt, Record
from ..store import Store
from ..tables.base import read_object
from ..tables.lists import read_list
from .log import EACH_REF, FILE, PROMPT

STARTS = f"""
SELECT count(*) FROM given_contexts, {EACH_REF}
WHERE value = ? AND occasion NOT IN ('{PROMPT}', '{FILE}')
"""


@dataclass(frozen=True, slots=True)
class RuleUse:
    """In how many prompts a fact was said, at how many of the starts that the log knows it was told, and
    the rows of what broke it after that, in time order, commands as they were given."""

    fact: Fact
    said: int
    told: int
    turns: tuple[ListRow, ...]


def rule_use(store: Store, fact: Fact) -> RuleUse:
    """Return how a fact was said, told and broken, of what is visible."""
    with snapshot(store.db):
        said = {row.text.strip() for uid in fact.evidence if isinstance(row := _record(store, uid), Prompt)}
        told: Any = store.db.execute(STARTS, (ref_of(fact),)).get
        rows = [_row(store, uid) for uid in broken_by(fact)]
        turns = sorted((row for row in rows if row), key=lambda row: (row.created_at, row.document_id))
    return RuleUse(fact, max(1, len(said)), told, tuple(turns))


def broken_rules(store: Store, project: str | None = None) -> list[RuleUse]:
    """Return the rules of a project (of all when None) that were broken, the most often broken first."""
    condition = f"(?1 IS NULL OR project = ?1) AND {VISIBLE} AND {WAS_BROKEN}"
    uses = [rule_use(store, fact) for fact in store.facts.where(condition, (project,))]
    return sorted(
        (use for use in uses if use.turns), key=lambda use: (-len(use.turns), -use.said, use.fact.id)
    )


def broken_by(fact: Fact) -> tuple[str, ...]:
    """Return the uids of what broke a rule."""
    return read_list(json.dumps(read_object(fact.extra).get(BROKEN) or []))


def tell_at_prompts(store: Store, fact: Fact) -> None:
    """Have a rule be told at each prompt that it matters to, and pin it. Inside a change."""
    extra = read_object(fact.extra) | {AT_PROMPTS: True}
    store.facts.write_columns([fact.id], {"pinned": True, "extra": json.dumps(extra, ensure_ascii=False)})


def _record(store: Store, uid: str) -> Record | None:
    with suppress(NotFoundError):
        record = store.record(uid)
        return record if record.is_visible else None
    return None


def _row(store: Store, uid: str) -> ListRow | None:
    record = _record(store, uid)
    if record is None:
        return None
    command = read_object(record.extra).get(COMMAND)
    row = store.list_row(record)
    return replace(row, title=str(command)) if command else row
