"""Prompts: what the user asked."""

from __future__ import annotations

from typing import Any

from ..platform.clock import common_columns
from ..records.fields import TAKEN_BACK, is_taken_back
from ..records.rows import Prompt, Session
from .base import insert, new_columns, write_text
from .new_rows import insert_statement
from .session_table import SessionTable

INSERT = insert_statement("prompts", new_columns(Prompt))

_IS_TAKEN_BACK = f"coalesce(iif(json_valid(extra), extra ->> '{TAKEN_BACK}', 0), 0)"
STANDS = f"private = 0 AND deleted_at IS NULL AND {_IS_TAKEN_BACK} = 0"

NOT_OF_HISTORY = """
AND NOT EXISTS (SELECT 1 FROM captured_events c WHERE c.kind = 'prompt' AND c.record_id = p.id
    AND c.key GLOB 'hook history-*') LIMIT 1
"""
TOLD_OF_SESSION = f"""
SELECT 1 FROM sessions s JOIN prompts p ON p.session_id = s.id
WHERE s.agent = :agent AND s.content_session_id = :session AND p.created_at <= :at + :apart
{NOT_OF_HISTORY}
"""
TOLD_OF_AGENT = f"""
SELECT 1 FROM sessions s JOIN prompts p ON p.session_id = s.id
WHERE s.agent = :agent AND p.text = :text AND abs(p.created_at - :at) <= :apart
{NOT_OF_HISTORY}
"""
"""Whether anything but a history has told a prompt of a session before or when this one was typed, so
that it would have told this one too; or where the session isn't known, this very one."""

# What a new prompt, by the values of its INSERT, tells its session.
FOLLOW = """
UPDATE sessions SET prompt_counter = max(prompt_counter, :prompt_number),
    first_prompt = iif(:private OR :deleted_at IS NOT NULL, first_prompt, coalesce(first_prompt, :text))
WHERE id = :session_id
"""


class Prompts(SessionTable[Prompt]):
    """The prompts table."""

    record = Prompt
    name = "prompts"

    def add(
        self,
        session: Session | int | str | None,
        text: str,
        *,
        agent: str = "manual",
        project: str | None = None,
        prompt_number: int | None = None,
        at: int | None = None,
        **origin: Any,
    ) -> Prompt:
        """Store a prompt; without a number it is the session's next one.

        The session is a record, an id, or a content session id, made when it is unknown. The
        session's `first_prompt` is filled in by its first.
        """
        with self.transaction:
            owner = self.sessions.resolve(session, agent=agent, project=project or "")
            values = common_columns(self.machine, at=at, **origin)
            values |= {
                "session_id": owner.id,
                "private": values["private"] or self.hides(owner),
                "prompt_number": self._next_number(owner) if prompt_number is None else prompt_number,
                "text": write_text(text),
            }
            number = insert(self.db, INSERT, values)
            self.db.execute(FOLLOW, values)
            return self.get(number)

    def _next_number(self, owner: Session) -> int:
        # The record at hand may be older than the session's last prompt.
        sql = "SELECT prompt_counter + 1 FROM sessions WHERE id = ?"
        return int(self.db.execute(sql, (owner.id,)).get)

    def is_hidden(self, session_id: int, prompt_number: int) -> bool:
        """Whether any prompt of this number in a session is hidden, deleted or taken back."""
        hidden = f"NOT ({STANDS}) AND session_id = ? AND prompt_number = ?"
        return bool(self.where(hidden, (session_id, prompt_number)))

    def standing(self, session: Session) -> list[Prompt]:
        """Return the visible ones of a session that its user did not take back, in time order."""
        return [prompt for prompt in self.of_session(session) if not is_taken_back(prompt)]

    def number_at(self, session_id: int, at: int) -> int | None:
        """Return the number of a session's newest prompt at a moment (ms); None before its first."""
        sql = "SELECT max(prompt_number) FROM prompts WHERE session_id = ? AND created_at <= ?"
        number: int | None = self.db.execute(sql, (session_id, at)).get
        return number

    def last_visible_text(self, session_id: int, number: int | None = None) -> str | None:
        """Return the text of a session's last prompt, or its last up to a number, that is neither
        hidden nor taken back; None where there is none."""
        sql = (
            f"SELECT text FROM prompts WHERE session_id = ?1 AND {STANDS} "
            "AND prompt_number <= coalesce(?2, prompt_number) "
            "ORDER BY prompt_number DESC, id DESC LIMIT 1"
        )
        text: str | None = self.db.execute(sql, (session_id, number)).get
        return text
