"""How often agents were told a memory, and what they did with it: read it by asking for it, or named it
in a reply. What a start or a prompt was told is counted where it is logged (`memtui.store.context.log`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from ..platform.clock import now_ms
from ..platform.translation import _
from ..records.dataclasses import dataclass
from ..records.kinds import LETTERS, kind_of, parse_ref
from ..records.rows import Note, Record
from ..store import Store
from ..text.late_pattern import late_pattern
from .log import COUNT_USES, LONGEST

COUNT_READS = """
INSERT INTO memory_uses (kind, record_id, reads, read_at)
SELECT value ->> 0, value ->> 1, 1, ?1 FROM json_each(?2) WHERE true
ON CONFLICT DO UPDATE SET reads = reads + 1, read_at = ?1
"""
COUNT_CITED = """
UPDATE memory_uses SET cited = cited + 1, cited_at = ?1
WHERE (kind, record_id) IN (SELECT value ->> 0, value ->> 1 FROM json_each(?2))
    AND coalesce(cited_at, 0) < ?1
"""
"""Counts each reply once, however often it is looked at: they come in the order of their time. What
agents were never given can't be what they mean."""
CITED = late_pattern(r"\bmem(?:ory)?(?: #| (?=[pfsn]\d)|(?<=mem) )(?P<ref>[pfsn]?\d{1,18})\b")
"""How an agent names a memory: `mem 276`, `[mem 276: a title]`, `memory #276`, `memory f12`. A bare
`#276` is an issue's number, and `memory 512` is followed by MB."""


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """How often a memory was told, read and cited, when last (ms, None for never), and to which agent in
    which session it was told last."""

    told: int
    told_at: int | None
    agent: str
    session: str
    reads: int
    read_at: int | None
    cited: int
    cited_at: int | None

    def in_words(self, when: str) -> str:
        """Return how it was used, for people; `when` is when it was told last. "" of what never was."""
        parts = [
            _("told {told}×, last {when} to {agent}", told=self.told, when=when, agent=self.agent)
            if self.told
            else "",
            _("read {reads}×", reads=self.reads) if self.reads else "",
            _("cited {cited}×", cited=self.cited) if self.cited else "",
        ]
        return _(", ").join(filter(None, parts))


UNUSED = MemoryUse(0, None, "", "", 0, None, 0, None)


def use_of(store: Store, record: Record | Note) -> MemoryUse:
    """Return how a memory was used by agents of this machine."""
    sql = (
        "SELECT told, told_at, agent, session, reads, read_at, cited, cited_at FROM memory_uses "
        "WHERE kind = ? AND record_id = ?"
    )
    row: Any = store.db.execute(sql, (_letter(kind_of(record)), record.id)).fetchone()
    return MemoryUse(*row) if row else UNUSED


def count_answer(
    store: Store, values: Mapping[str, Any], agent: str, session: str, *, is_full: bool = False
) -> None:
    """Count what an agent's question was answered with as told, or as read where it is told in full."""
    listed = [item["id"] for name in ("hits", "rows", "records") for item in values.get(name, ())]
    refs = [ref for ref in (*listed, *values.get("refs", ())) if _key(ref)]
    if store.read_only or not refs:
        return
    with store.transaction():
        if is_full:
            store.db.execute(COUNT_READS, (now_ms(), json.dumps([*map(_key, refs)])))
        else:
            entry = (now_ms(), agent, session[:LONGEST], None, None, json.dumps(refs))
            store.db.execute(COUNT_USES, entry)


def count_cited(store: Store, reply: str, at: int) -> None:
    """Count the memories that a reply names; `at` is when it was said (ms). Inside a transaction."""
    if "mem" in reply and (refs := {match["ref"] for match in CITED.finditer(reply)}):
        store.db.execute(COUNT_CITED, (at, json.dumps([*map(_key, refs)])))


def _key(ref: str) -> tuple[str, int] | None:
    kind, number = parse_ref(ref) or ("session", 0)
    return None if kind == "session" else (_letter(kind), number)


def _letter(kind: str) -> str:
    return LETTERS.get(kind, "n")
