"""What an import doesn't give is what SQLite would put there by itself."""

import pytest

from memtui.store import Store
from memtui.store.formats.common.upsert import columns_of, defaults_of


@pytest.mark.parametrize("table", ["sessions", "observations", "summaries", "pending_messages"])
def test_defaults_are_those_of_a_row_that_says_nothing_else(store: Store, table: str) -> None:
    owner = store.sessions.start("c-1", agent="codex", project="atlas").id
    needed = [one for one in columns_of(store.db, table) if not one.optional and one.default is None]
    values = {one.name: owner if one.name == "session_id" else one.kind for one in needed}
    if "created_at" in values:
        values |= dict.fromkeys(values.keys() & {"created_at", "updated_at", "started_at"}, 1)
    if table == "pending_messages":
        values["kind"] = "observation"
    names, marks = ", ".join(values), ", ".join(f":{name}" for name in values)
    store.db.execute("BEGIN")
    number = store.db.execute(f"INSERT INTO {table} ({names}) VALUES ({marks}) RETURNING id", values).get
    defaults = {
        name: value for name, value in defaults_of(store.db, table).items() if name not in (*values, "id")
    }
    sql = f"SELECT {', '.join(defaults)} FROM {table} WHERE id = ?"
    assert store.db.execute(sql, (number,)).fetchone() == tuple(defaults.values())
    store.db.execute("ROLLBACK")
