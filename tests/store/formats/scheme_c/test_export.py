"""Export as a scheme C directory: its counts are of records, and what stays is told."""

from __future__ import annotations

from pathlib import Path

from store import Store
from store.formats.common.scope import RECORDS, Scope
from store.formats.scheme_c.export import export_scheme_c
from store.formats.scheme_c.sync import sync

from ..fillings import CANARY, fill, hide


def test_it_counts_the_records_that_a_memory_made_of_it_holds(store: Store, tmp_path: Path) -> None:
    fill(store)
    hide(store)
    counts = export_scheme_c(store, tmp_path / "out").counts
    with Store.open(tmp_path / "again.db") as again:
        sync(again, tmp_path / "out")
        held = {
            table: again.db.execute(
                f"SELECT count(*) FROM {table} t WHERE {Scope().condition(table)}"
            ).get
            for table in RECORDS
        }
    assert counts == held
    assert counts["notes"] == 1


def test_what_is_private_or_deleted_stays_and_is_told(store: Store, tmp_path: Path) -> None:
    fill(store)
    before = export_scheme_c(store, tmp_path / "one").unheld
    hide(store)
    told = export_scheme_c(store, tmp_path / "two").unheld
    hidden = sum(Scope().left_out(store.db).values())
    assert not any("private" in sentence for sentence in before)
    assert f"{hidden} records left out, being private or deleted." in told
    files = [path for path in (tmp_path / "two").rglob("*") if path.is_file()]
    assert not any(CANARY.encode() in path.read_bytes() for path in files)
