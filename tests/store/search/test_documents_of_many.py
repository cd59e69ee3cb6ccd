"""Documents of many records that are hidden or shown at once are what triggers make of them one by one."""

import random
import shutil
from pathlib import Path
from typing import Any

import pytest

from memtui.store import Action, Store
from memtui.store.search.index import derived
from memtui.store.search.index.full_text import tables
from memtui.store.search.index.health import examine

WORDS = "token 刷新 session 缓存 gateway 配置 retry 部署 timeout 会话 FluxRedis naïve drift".split()
DEEDS = ("delete", "restore", "hide", "show", "undo", "redo", "pin", "revert", "show all")
PLACED = "(SELECT kind || record_id FROM documents WHERE id = {0})"
DERIVED = {
    "documents": "SELECT kind, record_id, session_id, project, type, created_at, pinned FROM documents",
    "ids": "SELECT id FROM documents WHERE kind <> 's'",
    "labels": f"SELECT kind, value, {PLACED.format('document_id')} FROM labels",
    "names": "SELECT kind, value, uses FROM label_names",
    "words": "SELECT word, backwards, document_id > 0 FROM spellings",
    "waiting": "SELECT * FROM unindexed",
    "vectors": f"SELECT {PLACED.format('document_id')}, model FROM document_vectors",
    "documents counted": "SELECT * FROM document_counts",
    "spans": "SELECT * FROM span_counts",
    "values": "SELECT * FROM value_counts",
    "times": "SELECT * FROM time_counts",
    "tokens": "SELECT * FROM token_counts",
    "facts": "SELECT * FROM fact_counts",
    "sync": "SELECT kind, key, note, row_number() OVER (ORDER BY id) FROM unsynced_rows",
    "quoted": "SELECT id, first_prompt FROM sessions",
    "journal": "SELECT change_id, kind, record_id FROM changed_rows",
    "repositories": "SELECT labels, documents FROM repositories",
}


@pytest.mark.parametrize("seed", range(6))
def test_many_at_once_leave_what_triggers_leave(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    ours, theirs = tmp_path / "ours.db", tmp_path / "theirs.db"
    with Store.open(ours) as store:
        fill(store, chance)
    shutil.copyfile(ours, theirs)
    with Store.open(ours) as at_once, Store.open(theirs) as by_triggers:
        for _ in range(12):
            deed = chance.choice(DEEDS)
            refs = chosen(at_once, chance)
            for store, many in ((at_once, 1), (by_triggers, 1_000_000)):
                monkeypatch.setattr(derived, "MANY", many)
                do(store, deed, refs)
            assert all_derived(at_once) == all_derived(by_triggers), deed
        for store in (at_once, by_triggers):
            assert [check for check in examine(store.db, thorough=True).checks if not check.ok] == []


def fill(store: Store, chance: random.Random) -> None:
    """Sessions with records of all kinds, some of them hidden, in a store that marks what others need."""

    def text() -> str:
        return " ".join(chance.choices(WORDS, k=5))

    store.db.execute("INSERT INTO sync_peers (machine, name, met_at) VALUES ('m', 'laptop', 0)")
    store.db.execute("INSERT INTO repositories (place, labels, documents) VALUES ('r', 9999, 9999)")
    for number in range(6):
        at = 1_700_000_000_000 + number * 50_000_000
        session = store.sessions.start(f"c-{number}", project=chance.choice(("atlas", "订单")), at=at)
        for place in range(4):
            moment = at + place
            store.prompts.add(session, text(), at=moment)
            shown: dict[str, Any] = {"at": moment, "concepts": chance.sample(WORDS, 2)}
            for _ in range(3):
                store.observations.add(
                    session, title=text(), narrative=text(), files_read=[f"src/{place}.py"],
                    tags=chance.sample(WORDS, 1), type=chance.choice(("bugfix", "noise", "decision")),
                    discovery_tokens=chance.randrange(9), private=chance.random() < 0.2, **shown,
                )  # fmt: skip
            store.facts.add(text(), project=session.project, entities=chance.sample(WORDS, 2), at=moment)
        request = text()
        for level in chance.choice((("brief",), ("detailed",), ("brief", "detailed"))):
            store.summaries.add(
                session, request=request, learned=request, level=level, at=at,  # type: ignore[arg-type]
            )  # fmt: skip
    facts = [number for (number,) in store.db.execute("SELECT id FROM facts")]
    for number in chance.sample(facts, 4):
        store.facts.set_private(number)
    store.db.execute("INSERT INTO document_vectors SELECT id, 'm', x'003c' FROM documents")


def chosen(store: Store, chance: random.Random) -> list[str]:
    """Return refs of some records, and at times of a whole session."""
    letters = {"observations": "", "prompts": "p", "facts": "f", "summaries": "s", "sessions": "@"}
    refs = [
        f"{letter}{number}"
        for table, letter in letters.items()
        for (number,) in store.db.execute(f"SELECT id FROM {table}")
    ]
    return chance.sample(refs, chance.randrange(1, len(refs)))


def do(store: Store, deed: str, refs: list[str]) -> None:
    if deed == "undo":
        store.undo()
    elif deed == "redo":
        store.redo()
    elif deed == "revert":
        last = store.db.execute("SELECT max(id) FROM changes WHERE undone_at IS NULL").get
        if last is not None:
            store.revert(last)
    elif deed == "show all":
        with store.transaction():
            for table in (store.observations, store.prompts, store.facts, store.summaries):
                numbers = [number for (number,) in store.db.execute(f"SELECT id FROM {table.name}")]
                table.write_columns(numbers, {"private": 0})
    else:
        store.change_many(refs, Action(deed))  # type: ignore[arg-type]


def all_derived(store: Store) -> dict[str, list[Any]]:
    """Return what stands in every table that follows the records, and every term of the indexes."""
    found = {name: sorted(store.db.execute(sql), key=repr) for name, sql in DERIVED.items()}
    for table in tables(store.db):
        store.db.execute(f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, {table}, instance)")
        sql = f"SELECT term, {PLACED.format('doc')}, col, offset FROM temp.terms"
        found[table] = sorted(store.db.execute(sql), key=repr)
        store.db.execute("DROP TABLE temp.terms")
    return found
