"""The INSERTs that the lean `mem add` shares with the tables.

Next to nothing is imported: `store.cli.lean` pays for every import.
"""

from __future__ import annotations

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


def manual_session(project: str) -> str:
    """Return the content id of the session that takes what was added to a project by hand."""
    return f"manual-{project or 'notes'}"
