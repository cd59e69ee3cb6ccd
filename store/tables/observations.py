"""Observations: what was learned or done."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..platform.clock import common_columns
from ..records.conforming import as_number
from ..records.kinds import NOISE, REPLY, VISIBLE, visible
from ..records.rows import Observation, Session
from ..text.late_pattern import late_pattern
from ..text.truncation import shortened
from .base import inserted, new_columns, scrubbed_columns, write_text
from .new_rows import insert_statement
from .session_table import SessionTable

INSERT = insert_statement("observations", new_columns(Observation))

CHANGING = """
SELECT d.record_id FROM label_names n JOIN label_uses u ON u.label_id = n.id
JOIN documents d ON d.id = u.document_id AND d.kind = 'o'
JOIN observations o ON o.id = d.record_id AND o.files_modified <> '[]'
WHERE n.kind = 'file' AND instr(n.value, ?) > 0
"""
HAS_FILE = """
SELECT 1 FROM labels JOIN documents ON documents.id = labels.document_id
WHERE labels.kind = 'file' AND labels.value = ? AND documents.session_id = ?
    AND documents.kind = 'o' AND documents.record_id IS NOT ? LIMIT 1
"""


UNREPORTED = """
session_id = ? AND type <> 'error' AND NOT EXISTS (
    SELECT 1 FROM captured_events
    WHERE session_id = observations.session_id AND kind = 'report' AND record_id = observations.id
        AND key NOT LIKE '/%'
) ORDER BY id DESC LIMIT 50
"""
STEPS = f"""
SELECT o.id, e.record_id FROM captured_events e
JOIN observations o ON o.session_id = e.session_id AND o.subagent = e.key
WHERE e.session_id = ? AND e.kind = 'report' AND e.record_id <> o.id AND {visible("o")}
"""
REPLY_BEFORE = f"""
SELECT coalesce(nullif(narrative, ''), title, '') FROM observations
WHERE session_id = ? AND tool_name = '{REPLY}' AND created_at <= ? AND {VISIBLE}
ORDER BY created_at DESC, id DESC LIMIT 1
"""
ASKED_BEFORE = "SELECT 1 FROM prompts WHERE session_id = ? AND created_at < ? LIMIT 1"
TITLED = """
SELECT count(*) FROM observations INDEXED BY observations_by_turn
WHERE session_id = :session AND prompt_number IS :turn AND id < :own AND id >= :own - 300
    AND type NOT IN ('noise', 'discovery')
    AND (title = :title OR substr(title, 1, length(:base) + 2) = :base || ' (')
"""
NUMBERED = 66
"""Characters of a title that a number follows."""
REPEATED_MS = 7 * 86_400_000
"""After so long the same is news."""
TIMES = late_pattern(
    r"\b(?:\d+(?:\.\d+)?(?:ms|[µusmhd]| ?(?:sec|min|hour|day)[a-z]*))+\b|\b\d\d?:\d\d(?::\d\d(?:\.\d+)?)?\b"
)
"""How long something took, and what the clock said."""
_SAME = """title = :title AND type = 'discovery' AND created_at >= :since
    AND private = 0 AND deleted_at IS NULL AND extra IS NULL"""
WITH_TITLE = f"""
SELECT 1 FROM observations INDEXED BY observations_repeatable
WHERE session_id = :session AND {_SAME} LIMIT 1
"""
LAST_OF_KIND = f"""
SELECT id, {_SAME} FROM observations INDEXED BY observations_by_turn
WHERE session_id = :session AND ({_SAME} OR (tool_name <> 'reply'
    AND (type NOT IN ('discovery', 'note', 'noise') OR files_modified <> '[]')))
ORDER BY prompt_number DESC, id DESC LIMIT 1
"""
"""The newest observation of a session that has a title, or that tells of a change or a failure; and whether
it has the title. The walk ends there: a session may have thousands."""


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
            event_id = write_text(event_id)
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
                "private": values["private"] or self.hides(owner),
                "type": values["type"] or "note",
                "prompt_number": prompt_number,
                "discovery_tokens": discovery_tokens,
                "event_id": event_id,
                "content_hash": content_hash,
                "repeats": repeats,
                "confirmed_at": None,
            }
            return inserted(self.db, INSERT, Observation, values)

    def has_file(self, path: str, session_id: int, but: int | None = None) -> bool:
        """Whether a visible observation of a session, other than the one with id `but`, names a file."""
        return bool(self.db.execute(HAS_FILE, (path, session_id, but)).get)

    def changing(self, project: str, name: str) -> list[Observation]:
        """Return the visible ones of a project that changed a file of this name, in any folder, the oldest
        first."""
        return self.where(f"project = ? AND id IN ({CHANGING}) ORDER BY created_at, id", (project, name))

    def joined_texts(self, numbers: Iterable[int], characters: int) -> dict[int, str]:
        """Return by id the first characters of observations' titles, subtitles, narratives and texts,
        with blanks between; nothing of those that aren't there."""
        texts = "coalesce(title, '') || ' ' || coalesce(subtitle, '') || ' ' || coalesce(narrative, '')"
        joined = f"substr({texts} || ' ' || coalesce(text, ''), 1, {characters})"
        return {number: str(text) for number, text in self.raw(f"id, {joined}", numbers)}

    def repeated(self, session_id: int, fields: Mapping[str, Any], at: int) -> int | None:
        """Return the id of the session's discovery that came to the same but for times, if nothing was
        changed and nothing failed since, and count that it came again; None where there is none."""
        values = {"session": session_id, "since": at - REPEATED_MS, "title": fields["title"]}
        if self.db.execute(WITH_TITLE, values).get is None:
            return None
        row = self.db.execute(LAST_OF_KIND, values).fetchone()
        if row is None or not row[1]:
            return None
        number = as_number(row[0])
        known = self.get(number)
        texts = ("subtitle", "narrative", "subagent", "project", "tool_name")
        pairs = ((getattr(known, name) or "", fields[name] or "") for name in texts)
        if any(TIMES.sub("", old) != TIMES.sub("", new) for old, new in pairs):
            return None
        self.write_columns([number], {"repeats": known.repeats + 1})
        return number

    def title_in_turn(self, title: str, session_id: int, turn: int | None, own: int | None = None) -> str:
        """Return a title with its number in brackets where others of its turn, before `own` by id, have it;
        what only looked at things is counted by `repeated`."""
        own = own or self.newest_id() + 1
        base = shortened(title, NUMBERED)
        values = {"session": session_id, "turn": turn, "title": title, "base": base, "own": own}
        others = as_number(self.db.execute(TITLED, values).get)
        return f"{base} ({others + 1})" if others else title

    def of_turn(self, session_id: int, prompt_number: int) -> list[Observation]:
        """Return the visible ones that were made in a turn, but for noise."""
        condition = f"session_id = ? AND prompt_number = ? AND type <> '{NOISE}' AND {VISIBLE}"
        return self.where(condition, (session_id, prompt_number))

    def reply_before(self, session_id: int, at: int) -> str:
        """Return the last reply in a session that was given before a moment (ms): of one that wasn't kept
        a blank, "" where nothing was asked before."""
        values = (session_id, at)
        reply = self.db.execute(REPLY_BEFORE, values).get
        return str(reply) if reply else " " if self.db.execute(ASKED_BEFORE, values).get else ""

    def unreported(self, session_id: int) -> list[Observation]:
        """Return those of a session, the newest first, of which no sub-agent's id is known: a path names
        one within its session only."""
        return self.where(UNREPORTED, (session_id,))

    def steps_below(self, session_id: int) -> dict[int, int]:
        """Return the ids of a session's visible observations that sub-agents made, each with the id of the
        call that started its sub-agent, where that is known."""
        return {as_number(step): as_number(call) for step, call in self.db.execute(STEPS, (session_id,))}

    def newest_id(self) -> int:
        """Return the highest id; 0 where there is no observation."""
        return int(self.db.execute("SELECT coalesce(max(id), 0) FROM observations").get)

    def size_of_replies(self, session_id: int, prompt_number: int | None) -> tuple[int, int]:
        """Return how many observations are made of what was said in a turn, and their characters."""
        sql = (
            "SELECT count(*), coalesce(sum(length(title) + length(coalesce(narrative, ''))), 0) "
            "FROM observations WHERE session_id = ? AND prompt_number IS ? AND tool_name = ?"
        )
        result: Any = self.db.execute(sql, (session_id, prompt_number, REPLY)).get
        return int(result[0]), int(result[1])
