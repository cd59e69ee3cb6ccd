"""A demo memory in which some memories were changed, by people and by an agent, at known times."""

from pathlib import Path

import apsw

from memtui.store import Action, Store
from tests.tui.browser import NOW

HOUR = 3_600_000
DAY = 24 * HOUR
TITLE = "Refresh tokens live for a day, not for 24 seconds"


def edit(path: Path, *, aged: bool = True) -> str:
    """Change memories of a demo, and return the ref of the one that was edited twice: its newest.

    What is `aged`, to the frozen time, is older than what a journal keeps: the next change drops it."""
    with Store.open(path) as store:
        ref = store.find("kind:observation").rows(0, 1)[0].ref
        fact = store.facts.list(limit=1)[0]
        store.made_by("mem edit", "codex")
        store.edit(ref, {"title": TITLE.replace("a day", "24 h"), "add_tags": ["auth"]})
        store.made_by("mem delete")
        store.change_many(["2", "3", "4"], Action("delete"))
        store.made_by("memtui")
        with store.pressed("e"):
            store.edit(ref, {"title": TITLE, "narrative": "Measured on staging, and again at home."})
            store.edit(f"f{fact.id}", {"content": f"{fact.content}, as always"})
        with store.pressed("p"):
            store.facts.pin(fact.id, True)
        store.undo()
    if not aged:
        return ref
    db = apsw.Connection(str(path))
    ages = (30 * DAY, 9 * DAY, 2 * DAY, 3 * HOUR, HOUR)
    for number, age in enumerate(ages, 1):
        db.execute("UPDATE changes SET at = ? WHERE id = ?", (NOW - age, number))
    db.execute("UPDATE changes SET undone_at = ? WHERE undone_at > 0", (NOW - HOUR // 2,))
    db.close()
    return ref
