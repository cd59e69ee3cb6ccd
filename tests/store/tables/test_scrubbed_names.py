"""Names beside a record's texts are cleaned as those are."""

from __future__ import annotations

from memtui.store import Store
from memtui.store.maintain.retention import Retention
from tests.store.text.sample_parts import letters

SECRET = "ghp_" + letters(36)


def test_no_secret_stays_in_an_agents_name_an_events_id_or_a_policy(store: Store) -> None:
    store.sessions.start("c-1", agent=SECRET)
    first = store.observations.add("c-1", title="One", event_id=SECRET)
    assert store.observations.add("c-1", title="One", event_id=SECRET).id == first.id
    Retention(store).set(30, SECRET)
    for table in ("sessions", "observations", "retention_policies"):
        assert SECRET not in str(store.db.execute(f"SELECT * FROM {table}").fetchall())
