"""What was private or secret in the source is found nowhere here, whichever column it stood in."""

import json
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.leaves.foreign.database_import import import_database

from .claude_mem_files import ClaudeMemFile

CANARY = "SECRET-4711"
TEXTS = {
    "sdk_sessions": ("project", "user_prompt", "custom_title"),
    "user_prompts": ("prompt_text",),
    "observations": (
        *("project", "type", "title", "subtitle", "narrative", "text"),
        *("facts", "concepts", "files_read", "files_modified"),
        *("generated_by_model", "merged_into_project", "agent_type", "metadata"),
    ),
    "session_summaries": (
        *("project", "request", "investigated", "learned", "completed", "next_steps", "notes"),
        *("files_read", "files_edited", "merged_into_project"),
    ),
    "pending_messages": (
        *("tool_name", "tool_input", "tool_response", "cwd"),
        *("last_user_message", "last_assistant_message", "agent_id"),
    ),
}
HIDDEN = {
    "plain": f"kept <private>{CANARY}</private>",
    "upper case": f"kept <PRIVATE>{CANARY}</Private>",
    "nested": f"kept <private>a <private>b</private> {CANARY}</private>",
    "never closed": f"kept <private>{CANARY}",
    "reminder": f"kept <system-reminder>{CANARY}</system-reminder>",
    "in a list": json.dumps(["kept", f"<private>{CANARY}</private>"]),
    "across items": json.dumps(["kept <private>", CANARY, f"{CANARY}</private>"]),
    "in an object": json.dumps({"kept": f"<private>{CANARY}"}),
    "in a key": json.dumps({f"<private>{CANARY}</private>": "kept"}),
    "behind escapes": json.dumps({"kept": f"<private>{CANARY}"}).replace("<", "\\u003c"),
    "in broken JSON": f'["kept", "<private>{CANARY}</private>',
}


def escaped(text: str) -> str:
    """A text with each of its letters as JSON may escape it."""
    return "".join(f"\\u{ord(letter):04x}" for letter in text)


TOKEN = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9" * 2
PASSWORD = "Tr0ub4" + "dor&3x"
SECRETS = {
    "plain": f"kept {TOKEN} and pass" + f"word={PASSWORD}",
    "in a list": json.dumps(["kept", f"by {TOKEN}", f"--password={PASSWORD}"]),
    "in an object": json.dumps({"kept": TOKEN, "dbPassword": PASSWORD}),
    "in a key": json.dumps({f"kept {TOKEN}": f"--password {PASSWORD}"}),
    "in words of a command": json.dumps(["kept", TOKEN, "--password", PASSWORD]),
    "behind escapes": f'{{"kept": "{escaped(TOKEN)}", "pass\\u0077ord": "{escaped(PASSWORD)}"}}',
    "in broken JSON": f'["kept", "{TOKEN}", "password={PASSWORD}',
}


@pytest.mark.parametrize("hidden", HIDDEN)
def test_private_text_reaches_no_byte_of_the_store(store: Store, tmp_path: Path, hidden: str) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db", "newest")
    for table, columns in TEXTS.items():
        more = {"content_session_id": "c-1"} if table == "sdk_sessions" else {}
        file.add(table, **dict.fromkeys(columns, HIDDEN[hidden]), **more)
    assert CANARY.encode() in file.path.read_bytes()

    import_database(store, file.path)

    assert store.find("kept").count().value == 3
    assert store.find(CANARY).count().value == 0
    for path in store.path.parent.iterdir():
        assert CANARY.encode() not in path.read_bytes()


@pytest.mark.parametrize("hidden", SECRETS)
@pytest.mark.sampled
def test_a_secret_in_any_column_reaches_no_byte_of_the_store(
    store: Store, tmp_path: Path, hidden: str
) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db", "newest")
    for table in TEXTS:
        file.add(table, **dict.fromkeys(file.texts(table), SECRETS[hidden]))

    report = import_database(store, file.path)

    assert {counts.new for counts in report.counts.values()} == {1}
    for path in store.path.parent.iterdir():
        for secret in (TOKEN, PASSWORD, "u0054\\u0072\\u0030"):
            assert secret.encode() not in path.read_bytes()


def test_json_stays_json_when_a_passage_is_taken_out(store: Store, tmp_path: Path) -> None:
    file = ClaudeMemFile(tmp_path / "claude-mem.db")
    session = file.session()
    file.pending(
        session_db_id=session,
        tool_input='{"a": "x <private>s</private>", "b": 1}',
        tool_response='{"a": "x <private>s", "b": 1}',
    )
    import_database(store, file.path)
    [message] = store.pending.list()
    assert json.loads(message.tool_input or "") == {"a": "x ", "b": 1}
    assert json.loads(message.tool_response or "") == {"a": "x ", "b": 1}
