"""A new row's common columns, and the INSERTs that the lean `mem add` shares with the tables.

Next to nothing is imported: `store.cli.lean` pays for every import.
"""

from __future__ import annotations

from ..clock import hybrid_clock, now_ms, uuid7

INSERT_SESSION = """
INSERT INTO sessions (
    uid, created_at, updated_at, deleted_at, private, pinned, origin, editor, hlc,
    source, native_id, fingerprint, extra,
    agent, content_session_id, memory_session_id, project, project_path, title, first_prompt,
    status, started_at, completed_at, prompt_counter
) VALUES (
    :uid, :created_at, :updated_at, :deleted_at, :private, :pinned, :origin, :editor, :hlc,
    :source, :native_id, :fingerprint, :extra,
    :agent, :content_session_id, :memory_session_id, :project, :project_path, :title, :first_prompt,
    :status, :started_at, :completed_at, :prompt_counter
) RETURNING id
"""

INSERT_OBSERVATION = """
INSERT INTO observations (
    uid, created_at, updated_at, deleted_at, private, pinned, origin, editor, hlc,
    source, native_id, fingerprint, extra,
    session_id, project, type, title, subtitle, narrative, text, facts, concepts,
    files_read, files_modified, tags, tool_name, prompt_number, discovery_tokens,
    event_id, content_hash
) VALUES (
    :uid, :created_at, :updated_at, :deleted_at, :private, :pinned, :origin, :editor, :hlc,
    :source, :native_id, :fingerprint, :extra,
    :session_id, :project, :type, :title, :subtitle, :narrative, :text, :facts, :concepts,
    :files_read, :files_modified, :tags, :tool_name, :prompt_number, :discovery_tokens,
    :event_id, :content_hash
) RETURNING id
"""


def common(
    machine: str,
    *,
    at: int | None = None,
    private: bool = False,
    pinned: bool = False,
    deleted_at: int | None = None,
    source: str | None = None,
    native_id: str | None = None,
    fingerprint: str | None = None,
    extra: str | None = None,
) -> dict[str, object]:
    """The common columns of a new row; `at` is when it happened, ms since the epoch."""
    now = now_ms()
    return {
        "uid": uuid7(now),
        "created_at": now if at is None else at,
        "updated_at": now,
        "deleted_at": deleted_at,
        "private": private,
        "pinned": pinned,
        "origin": machine,
        "editor": machine,
        "hlc": hybrid_clock(now),
        "source": source,
        "native_id": native_id,
        "fingerprint": fingerprint,
        "extra": extra,
    }


def manual_session(project: str) -> str:
    """The content id of the session that takes what was added to a project by hand."""
    return f"manual-{project or 'notes'}"
