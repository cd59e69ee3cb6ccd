"""Observations: what was learned or done."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..clock import common_columns
from ..kinds import REPLY
from ..records import Observation, Session
from .base import insert, new_columns, scrubbed_columns
from .new_rows import insert_statement
from .session_table import SessionTable

INSERT = insert_statement("observations", new_columns(Observation))

HAS_FILE = """
SELECT 1 FROM labels JOIN documents ON documents.id = labels.document_id
WHERE labels.kind = 'file' AND labels.value = ? AND documents.session_id = ?
    AND documents.kind = 'o' AND documents.record_id IS NOT ? LIMIT 1
"""


class Observations(SessionTable[Observation]):
    """The observations table."""

    record = Observation
    name = "observations"

    def add(
        self,
        session: Session | int | str | None,
        *,
        title: str | None,
        type: str = "note",
        subtitle: str | None = None,
        narrative: str | None = None,
        text: str | None = None,
        facts: Iterable[str] = (),
        concepts: Iterable[str] = (),
        files_read: Iterable[str] = (),
        files_modified: Iterable[str] = (),
        tags: Iterable[str] = (),
        tool_name: str | None = None,
        project: str | None = None,
        agent: str = "manual",
        prompt_number: int | None = None,
        discovery_tokens: int = 0,
        event_id: str | None = None,
        content_hash: str | None = None,
        subagent: str | None = None,
        repeats: int = 0,
        at: int | None = None,
        **origin: Any,
    ) -> Observation:
        """Store an observation; `at` is when it happened, `type` any word (no whitelist).

        The session is a record, an id, or a content session id, made when it is unknown; None is
        the project's manual session. The same `event_id` twice is one row: the first is returned.
        `origin` takes the common columns: private, pinned, source, native_id, fingerprint, extra.
        """
        with self.transaction:
            if event_id and (known := self.where("event_id = ?", (event_id,))):
                return known[0]
            owner = self.sessions.resolve(session, agent=agent, project=project or "")
            values = common_columns(self.machine, at=at, **origin)
            values |= scrubbed_columns(
                {
                    "project": owner.project if project is None else project,
                    "type": type,
                    "title": title,
                    "subtitle": subtitle,
                    "narrative": narrative,
                    "text": text,
                    "tool_name": tool_name,
                    "subagent": subagent,
                },
                {
                    "facts": facts,
                    "concepts": concepts,
                    "files_read": files_read,
                    "files_modified": files_modified,
                    "tags": tags,
                },
            )
            values |= {
                "session_id": owner.id,
                "type": values["type"] or "note",
                "prompt_number": prompt_number,
                "discovery_tokens": discovery_tokens,
                "event_id": event_id,
                "content_hash": content_hash,
                "repeats": repeats,
            }
            return self.get(insert(self.db, INSERT, values))

    def has_file(self, path: str, session_id: int, but: int | None = None) -> bool:
        """Whether a visible observation of a session, other than the one with id `but`, names a file."""
        return bool(self.db.execute(HAS_FILE, (path, session_id, but)).get)

    def joined_texts(self, numbers: Iterable[int], characters: int) -> dict[int, str]:
        """Return by id the first characters of observations' titles, subtitles, narratives and texts,
        with blanks between; nothing of those that aren't there."""
        texts = (
            "coalesce(title, '') || ' ' || coalesce(subtitle, '') || ' ' || coalesce(narrative, '')"
        )
        joined = f"substr({texts} || ' ' || coalesce(text, ''), 1, {characters})"
        return {number: str(text) for number, text in self.raw(f"id, {joined}", numbers)}

    def newest_id(self) -> int:
        """Return the highest id; 0 where there is no observation."""
        return int(self.db.execute("SELECT coalesce(max(id), 0) FROM observations").get)

    def size_of_replies(self, session_id: int, prompt_number: int | None) -> tuple[int, int]:
        """Return how many observations are made of what was said in a turn, and their characters."""
        sql = (
            "SELECT count(*), coalesce(sum(length(title) + length(coalesce(narrative, ''))), 0) "
            "FROM observations WHERE session_id = ? AND prompt_number IS ? AND tool_name = ?"
        )
        found: Any = self.db.execute(sql, (session_id, prompt_number, REPLY)).get
        return int(found[0]), int(found[1])
