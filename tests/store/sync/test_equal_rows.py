"""Two stores that met hold the same texts: those that one accepted, but for what is evidently secret."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.formats.jsonl.layout import LISTS, TABLES
from memtui.store.leaves.sync.channel import Wishes
from memtui.store.leaves.sync.machines import Machines
from memtui.store.leaves.sync.meeting import meet as meet_place
from memtui.store.leaves.sync.rows import NAMES_ONLY, ORDER, RowState
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge_selection import of_uids
from memtui.store.text.redaction import scrub

from .machines import contents, digests_of
from .meeting import meet
from .test_both_sides import pair

__all__ = ["pair"]

ACCEPTED = "psql --password Vt7kQ9xw2Lm4 and on"
MARKED = "psql --password [redacted command-line-password 0a1b2c] and on"
EVIDENT = "ghp_" + "0aB" * 12
Meet = Callable[[Wishes], None]


@pytest.fixture(
    params=["pipe", "pipe back", "folder", pytest.param("sealed", marks=pytest.mark.extra("sync"))]
)
def met(pair: tuple[Store, Store], tmp_path: Path, request: pytest.FixtureRequest) -> Meet:
    """Have the two stores of `pair` meet in one of the ways."""
    (folder := tmp_path / "shared").mkdir()
    address = f"folder:{folder}"
    if request.param == "sealed":
        import pyrage

        (tmp_path / "key").write_text(str(pyrage.x25519.Identity.generate()))
        address += f"?key={tmp_path}/key"

    def by_folder(wishes: Wishes) -> None:
        for store in (*pair, pair[0]):
            meeting = meet_place(store, Machines(store).add("folder", address), wishes)
            assert not meeting.refused and not meeting.notes

    def by_pipe(wishes: Wishes) -> None:
        for _ in range(2):
            outcome, _sent = meet(*(pair if request.param == "pipe" else pair[::-1]), wishes)
            assert outcome is not None and not outcome.given.refused + outcome.taken.refused

    return by_pipe if request.param.startswith("pipe") else by_folder


def write(store: Store, uid: str, text: str) -> None:
    """Have a record say something else in the same version, as other rules would have made it."""
    sql = "UPDATE observations SET subtitle = ?, facts = json_array(?1) WHERE uid = ?2"
    store.db.execute(sql, (text, uid))


def test_what_one_store_accepted_the_other_takes_as_it_is(pair: tuple[Store, Store], met: Meet) -> None:
    assert scrub(ACCEPTED) != ACCEPTED
    made = pair[0].observations.add("c-1", title="one")
    write(pair[0], made.uid, ACCEPTED)
    met(Wishes())
    for store in pair:
        assert store.observations.get(made.uid).subtitle == ACCEPTED
        assert store.observations.get(made.uid).facts == (ACCEPTED,)
    assert contents(pair[0]) == contents(pair[1])


def test_what_is_evident_is_taken_out_on_both(pair: tuple[Store, Store], met: Meet) -> None:
    made = pair[0].observations.add("c-1", title="one")
    write(pair[0], made.uid, f"push with {EVIDENT}")
    met(Wishes())
    for store in pair:
        assert "redacted github-token" in str(store.observations.get(made.uid).subtitle)
        assert EVIDENT not in str(contents(store))
    assert contents(pair[0]) == contents(pair[1])


@pytest.mark.parametrize("marked", [0, 1])
@pytest.mark.parametrize("text", [MARKED, "something else", ""])
def test_verify_finds_and_mends_rows_of_one_version_that_differ(
    pair: tuple[Store, Store], met: Meet, text: str, marked: int
) -> None:
    made = pair[0].observations.add("c-1", title="one")
    write(pair[0], made.uid, ACCEPTED)
    met(Wishes())
    write(pair[marked], made.uid, text)
    met(Wishes())
    assert contents(pair[0]) != contents(pair[1])
    for _ in range(2):
        met(Wishes(verify=True))
    assert contents(pair[0]) == contents(pair[1])
    if text == MARKED:
        assert pair[0].observations.get(made.uid).subtitle == ACCEPTED
    # Once they are equal, nothing is left to be done.
    outcome, _ = meet(*pair, Wishes(verify=True))
    assert outcome is not None and outcome.differing == 0


FIXED = {"deleted_at", "private", "session", "fact", "source", "native_id"}
"""What a change of makes another row of, or has it be hidden or gone."""
ALLOWED = {
    "status": "failed", "level": "brief", "kind": "W", "verdict": "useful", "extra": '{"a": 1}',
    "seen": '{"a": [1, "b"]}',
}  # fmt: skip


def planted(store: Store, table: str) -> Iterator[str]:
    """Each change, in SQL, that makes a row of a table say something else."""
    names = RowState(store).said(table).keys() - FIXED - {*TABLES[table].order}
    for name, form in store.db.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall():
        if name in names and table not in NAMES_ONLY:
            if name in LISTS:
                value = """'["planted"]'"""
            elif form == "TEXT":
                value = f"'{ALLOWED.get(str(name), 'planted')}'"
            else:
                value = f"iif(coalesce({name}, 0) = 0, 1, 0)"
            yield f"UPDATE {table} SET {name} = {value} WHERE rowid_of = 1"
    yield f"DELETE FROM {table} WHERE rowid_of = 1"


def hold_everything(store: Store) -> None:
    """Have a store hold a row of each table that travels."""
    add = store.observations.add
    first, other, purged = (add("c-1", title=title, project="atlas", tags=["x"]) for title in "abc")
    store.prompts.add("c-1", "why?")
    store.summaries.add("c-1", learned="much")
    store.facts.add("tokens live 24 h", project="atlas", evidence=[first.uid])
    store.notes.upsert("MEMORY.md", "before", project="atlas")
    store.searches.save("n", "before")
    store.reporting.report(first, "wrong", "because")
    store.not_duplicates([first.uid, other.uid])
    store.merge([first.uid, add("c-1", title="d", project="atlas").uid])
    purge_for_good(store, of_uids(store.db, [purged.uid]))
    store.notes.upsert("MEMORY.md", "of old", project="old")
    store.known_projects.merge("old", "cetus")
    store.db.execute(
        "INSERT INTO shared_files (project, place, machine, hlc, text) VALUES (?, 'A.md', ?, 1, 'x')",
        (f"of {store.path.stem}", store.machine_id),
    )


@pytest.mark.parametrize("table", [table for table in ORDER if table != "renamed_records"])
@pytest.mark.parametrize("side", [0, 1])
def test_verify_finds_whatever_differs_in_a_row(
    pair: tuple[Store, Store], tmp_path: Path, table: str, side: int
) -> None:
    hold_everything(pair[0])
    (tmp_path / "shared").mkdir()

    def by_folder() -> None:
        for store in (*pair, pair[0]):
            place = Machines(store).add("folder", f"folder:{tmp_path}/shared")
            assert not meet_place(store, place, Wishes(verify=True)).refused

    for _ in range(2):
        by_folder()
        meet(*pair, Wishes(verify=True))
    assert contents(pair[0]) == contents(pair[1])
    (name, *_rest) = TABLES[table].order
    for number, sql in enumerate(planted(pair[side], table)):
        db = pair[side].db
        key = db.execute(f"SELECT {name} FROM {table} ORDER BY 1 LIMIT 1").get
        db.execute(sql.replace("rowid_of = 1", f"{name} = ?"), (key,))
        # Nothing tells of it but the rows themselves.
        for kept in ("sync_tombstones", "unsynced_rows"):
            db.execute(f"DELETE FROM {kept}")
        assert digests_of(pair[0]) != digests_of(pair[1]), sql
        if number % 2:
            by_folder()
        else:
            outcome, _ = meet(*pair, Wishes(verify=True))
            assert outcome is not None and outcome.differing
            meet(*pair, Wishes(verify=True))
        assert digests_of(pair[0]) == digests_of(pair[1]), sql
        assert contents(pair[0]) == contents(pair[1]), sql
