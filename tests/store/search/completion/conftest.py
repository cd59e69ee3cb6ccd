"""A memory with a few values of each filter, in English and Chinese, one of each hidden."""

from collections.abc import Iterator
from datetime import datetime

import pytest

from memtui.store import Store

NOW = datetime(2026, 2, 17, 19, 30)
AT = int(datetime(2026, 2, 16, 12).timestamp() * 1000)
DAY = 86_400_000


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store.open(tmp_path_factory.mktemp("completion") / "memory.db") as store:
        with store.transaction():
            fill(store)
        yield store
        assert store.doctor().ok


def fill(store: Store) -> None:
    """Twelve visible observations, a prompt, a summary and a fact; a private and a deleted one."""
    add = store.observations.add
    login = store.sessions.start(
        "096d87af-aaaa", agent="claude-code", project="payments-api", title="Login fails", at=AT
    )
    maps = store.sessions.start("757fc9f0-bbbb", agent="codex", project="atlas", at=AT + DAY)
    for number in range(5):
        add(
            login,
            title=f"Clock drift {number}",
            type="bugfix",
            tool_name="Edit",
            concepts=["clock drift", "缓存"],
            files_read=["src/auth/session.py"],
            tags=["urgent"],
            at=AT + number,
        )
    for number in range(3):
        add(
            maps,
            title=f"Cursor {number}",
            type="feature",
            tool_name="Bash",
            concepts=["Debounce"],
            files_modified=["src/maps/cursor.ts", "docs/session notes.md"],
            at=AT + DAY + number,
        )
    add(maps, title="debugged", type="debug", project="my app", at=AT + DAY)
    add(maps, title="决定", type="decision", project="支付系统", concepts=["缓存击穿"], at=AT)
    add(maps, title="old", type="note", project="支付系统", at=AT - 400 * DAY)
    store.prompts.add(login, "why does login fail", at=AT)
    store.summaries.add(login, request="fix the login", at=AT)
    store.facts.add("Redis holds tokens", entities=["redis"], project="atlas", at=AT)
    secret = add(
        store.sessions.start("c-secret", agent="gemini", project="vault", at=AT),
        title="hidden", type="secret", concepts=["vault key"], tags=["hush"], tool_name="Vault",
        files_read=["vault/key.pem"], project="vault", at=AT,
    )  # fmt: skip
    store.observations.set_private(secret)
    gone = add(maps, title="gone", type="goner", project="ghost", concepts=["ghosts"], at=AT)
    store.observations.delete(gone)
