"""What a store accepted stays as it is, wherever it goes; what only says that a store accepted it is judged
as anything else is."""

import json
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from memtui.store.formats.common.upsert import columns_of
from memtui.store.formats.jsonl.file_import import import_jsonl
from memtui.store.formats.jsonl.layout import TABLES, Columns
from memtui.store.maintain.rebuild import RowsAt, carry_over, rebuild_from
from memtui.store.text.redaction import scrub
from tests.store.sync.machines import contents

from ....conftest import OpenStore
from ..fillings import exported, fill, imported

# What rules take for a secret by what stands around it, as it may come out of a title that quotes.
ACCEPTED = "psql --password Vt7kQ9xw2Lm4 and on"
EVIDENT = "ghp_" + "0aB" * 12
BOOKKEEPING = frozenset(
    ("uid", "editor", "origin", "fingerprint", "content_hash", "superseded_by", "statement")
)


def plant(store: Store, text: str) -> int:
    """Put a text, as if it had been accepted, into each column that takes any; return into how many."""
    count = 0
    for table, layout in TABLES.items():
        columns = store.db.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
        for name, kind in columns:
            if kind == "TEXT" and name not in BOOKKEEPING | layout.omitted | {*layout.order}:
                for value in (text, json.dumps([text]), json.dumps({"said": text})):
                    sql = f"UPDATE {table} SET {name} = ? WHERE rowid = (SELECT min(rowid) FROM {table})"
                    try:
                        store.db.execute(sql, (value,))
                    except (apsw.ConstraintError, apsw.SQLError):
                        continue
                    count += 1
                    break
    return count


def test_what_rules_would_change_now_goes_out_and_comes_in_as_it_is(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    assert scrub(ACCEPTED) != ACCEPTED
    fill(store)
    assert plant(store, ACCEPTED) > 60
    first = exported(store)
    other = open_store(tmp_path / "other.db")
    report = imported(other, first, tmp_path)
    assert (report.warnings, report.notes) == ([], [])
    assert exported(other) == first


def test_what_is_evident_is_taken_out_even_so(store: Store, open_store: OpenStore, tmp_path: Path) -> None:
    fill(store)
    plant(store, EVIDENT)
    for extra in (f"x\n{EVIDENT}", f"\u0007{EVIDENT}", f'"{EVIDENT}"'):
        store.observations.add("c-2", title="one", extra=json.dumps({"a": "?"}))
        store.db.execute(
            "UPDATE observations SET extra = ? WHERE id = (SELECT max(id) FROM observations)",
            (json.dumps({"a": [extra]}),),
        )
    other = open_store(tmp_path / "other.db")
    report = imported(other, exported(store), tmp_path)
    assert "held secrets" in report.notes[0]
    assert EVIDENT.encode() not in exported(other)
    # What was made of a version is older than that.
    now, before = (
        store.db.execute(
            "SELECT max(hlc) FROM observations WHERE uid = (SELECT min(uid) FROM observations)"
        ).get
        for store in (other, store)
    )
    assert now == before - 1
    assert imported(other, exported(store), tmp_path).of("observations").changed == 0


FORGERIES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a row more": lambda lines: [*lines[:-1], lines[-2], lines[-1]],
    "a row less": lambda lines: [*lines[:3], *lines[4:]],
    "rows in another order": lambda lines: [lines[0], *reversed(lines[1:-1]), lines[-1]],
    "another version of a row": lambda lines: [line.replace(b'"hlc":', b'"hlc":1') for line in lines],
    "no first line": lambda lines: lines[1:],
    "no last line": lambda lines: lines[:-1],
    "other line ends": lambda lines: [line.replace(b"\n", b"\r\n") for line in lines],
    "blanks": lambda lines: [line.replace(b'","', b'", "') for line in lines],
    "only a header that says so": lambda lines: [
        b'{"table":"memtui","version":1,"private":true,"deleted":true,"sealed":true}\n', *lines[1:]
    ],
}  # fmt: skip


@pytest.mark.parametrize("forge", FORGERIES.values(), ids=list(FORGERIES))
def test_a_forged_file_is_judged_as_any_text(
    store: Store, open_store: OpenStore, tmp_path: Path, forge: Callable[[list[bytes]], list[bytes]]
) -> None:
    fill(store)
    plant(store, ACCEPTED)
    forged = b"".join(forge(exported(store).splitlines(keepends=True)))
    other = open_store(tmp_path / "other.db")
    report = imported(other, forged, tmp_path)
    assert any("held secrets" in note for note in report.notes)
    assert b"Vt7kQ9xw2Lm4" not in exported(other)


def test_so_is_the_file_of_another_user(
    store: Store, open_store: OpenStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(store)
    plant(store, ACCEPTED)
    lines = exported(store)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
    other = open_store(tmp_path / "other.db")
    assert imported(other, lines, tmp_path).notes
    assert b"Vt7kQ9xw2Lm4" not in exported(other)


def test_a_rebuilt_store_holds_what_it_held(store: Store, open_store: OpenStore, tmp_path: Path) -> None:
    fill(store)
    plant(store, ACCEPTED)
    (export := tmp_path / "all.jsonl").write_bytes(exported(store))
    before = contents(store)
    # What is written while it is rebuilt.
    other = open_store(tmp_path / "other.db")
    assert carry_over(store, RowsAt(), other).warnings == []
    assert contents(other) == before
    store.close()
    rebuild_from(store.path, export)
    with Store.open(store.path) as again:
        assert contents(again) == before


def forged(store: Store, tmp_path: Path, **claims: object) -> Path:
    """A file that somebody else wrote, of one fact with other claims than it had."""
    path = tmp_path / "forged.jsonl"
    lines = [json.loads(line) for line in exported(store).splitlines()]
    changed = [line | claims if line.get("table") == "facts" else line for line in lines]
    kept = [line for line in changed if line.get("table") != "fact_sources"]
    path.write_text("".join(json.dumps(line) + "\n" for line in kept))
    return path


@pytest.mark.parametrize("name", ["uid", "origin", "editor", "fingerprint", "superseded_by"])
@pytest.mark.parametrize("claim", [EVIDENT, ACCEPTED, "a" * 300 + "z"])
def test_a_secret_comes_in_by_no_bookkeeping(
    store: Store, open_store: OpenStore, tmp_path: Path, name: str, claim: str
) -> None:
    store.facts.add("it holds", project="atlas")
    other = open_store(tmp_path / "other.db")
    report = import_jsonl(other, forged(store, tmp_path, **{name: claim}))
    assert len(report.warnings) == 1
    assert claim not in exported(other).decode()


def test_a_file_of_somebody_else_claims_no_row_for_this_machine(
    store: Store, open_store: OpenStore, tmp_path: Path
) -> None:
    other = open_store(tmp_path / "other.db")
    fact = store.facts.add("it holds", project="atlas")
    own, later = other.machine_id, 1 << 61
    import_jsonl(other, forged(store, tmp_path, origin=own, editor=own, hlc=later))
    (there,) = other.facts.list()
    assert own not in (there.origin, there.editor)
    assert there.hlc < later
    # What was made here is here with the same claims, unless the file has another version.
    mine = store.machine_id
    import_jsonl(store, forged(store, tmp_path))
    assert (store.facts.get(fact.id).origin, store.facts.get(fact.id).editor) == (mine, mine)
    import_jsonl(store, forged(store, tmp_path, hlc=fact.hlc + 1, content="it does not"))
    assert (store.facts.get(fact.id).origin, store.facts.get(fact.id).editor == mine) == (mine, False)


@pytest.mark.parametrize(
    "held",
    [EVIDENT, [EVIDENT], json.dumps({EVIDENT[:9] + "\\u0061" + EVIDENT[10:]: "x"}).replace("\\\\", "\\")],
)
@pytest.mark.parametrize("place", [0, 7, 2_999])
def test_of_many_rows_looked_at_together_the_one_with_a_secret_is_told(
    open_store: OpenStore, held: object, place: int
) -> None:
    with open_store() as store:
        columns = Columns(
            "observations", TABLES["observations"], columns_of(store.db, "observations"), is_accepted=True
        )
    name = "facts" if isinstance(held, list) else "extra" if "{" in str(held) else "title"
    records: list[dict[str, object]] = [
        {"title": f"{ACCEPTED} {number}", "narrative": "some words " * 40} for number in range(3_000)
    ]
    records[place][name] = held
    assert [number for number, plain in enumerate(columns.plain(records)) if not plain] == [place]
