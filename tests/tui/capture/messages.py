"""A queue in each of its states, for the browser's tests."""

from pathlib import Path

from memtui.store import Store
from tests.tui.browser import NOW

MINUTE = 60_000


def fill_queue(path: Path) -> None:
    """One message in each state, two that wait, one of a hidden session, and a quarantined event."""
    with Store.open(path) as store, store.transaction():
        store.sessions.start("c-q", agent="claude-code", project="atlas", title="Mend the clock drift")
        store.sessions.start("c-h", agent="codex", project="atlas", title="nobody's business")
        names = ("Edit", "WebFetch", "Bash", "Read", "Write", "Bash")
        for number, name in enumerate(names):
            store.pending.add(
                "c-q",
                tool_name=name,
                tool_input='{"command": "make build", "description": "构建 it"}',
                tool_response="built\nin 3 s",
                at=NOW - (60 - number) * MINUTE,
            )
        done, failed, abandoned, leased = store.pending.claim("worker", 4)
        store.pending.confirm([done], "rules")
        store.pending.refuse(failed, "refused: HTTP 400: the context is too long for this model")
        for _ in range(3):
            store.pending.fail(abandoned, "invalid: The answer is not the JSON asked for: 'I am glad'")
            if again := store.pending.claim_these("worker", [abandoned.id]):
                (abandoned,) = again
        assert leased.status == "processing"
        store.pending.add("c-q", "summary", last_assistant_message="It is built.", at=NOW - 5 * MINUTE)
        store.pending.add("c-h", tool_name="Bash", tool_input="canary", at=NOW - MINUTE)
        store.sessions.set_private(store.sessions.get("c-h"))
        store.db.execute(
            "INSERT INTO quarantine (at, agent, reason, record) VALUES (?, 'codex', ?, ?)",
            (NOW - 90 * MINUTE, "no JSON: Expecting value at 7", '{"at":1,"event":nonsense}'),
        )
