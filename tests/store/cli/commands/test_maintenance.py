"""`mem stats`, `doctor`, `backup` and `rebuild`."""

from pathlib import Path

import apsw

from ..runner import Mem, filling


@filling
def filled(mem: Mem) -> None:
    mem.ok("add", "clock drift", "--at", "2026-02-18")
    mem.ok("fact", "add", "clocks drift")


def test_stats_counts_and_says_where_the_memory_lies(filled: Mem) -> None:
    stats = filled.json("stats")
    expected = {"path": str(filled.db), "observations": 1, "facts": 1, "prompts": 0, "sessions": 1}
    assert stats.items() >= expected.items()
    lines = filled.ok("stats").splitlines()
    assert f"path: {filled.db}" in lines
    assert "first: 2026-02-18 00:00" in lines
    assert f"bytes: {stats['bytes']:,} ({stats['bytes'] / 1e6:.1f} MB)" in lines


def test_doctor_finds_a_sound_memory_sound(filled: Mem) -> None:
    health = filled.json("doctor", "--thorough")
    assert health["ok"] is True
    assert {"schema", "file", "index words", "index grams"} <= {check["name"] for check in health["checks"]}
    assert all(line.startswith("ok\t") for line in filled.ok("doctor").splitlines())


def test_doctor_says_what_is_wrong_and_rebuild_mends_it(filled: Mem) -> None:
    db = apsw.Connection(str(filled.db))
    db.execute("INSERT INTO grams (rowid, text) VALUES (77, 'a document that is none')")
    db.close()
    result = filled("doctor", "--json")
    assert result.exit_code == 1
    assert '"ok": false' in result.stdout
    assert any(
        line.startswith("BAD\tindex grams\t") and line.endswith("\tmem store rebuild")
        for line in filled("doctor").stdout.splitlines()
    )
    assert filled.json("rebuild") == {"indexed": 2, "mended": []}
    assert filled.json("doctor")["ok"] is True


def test_backup_is_a_memory_of_its_own(filled: Mem, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    assert filled.ok("backup", str(copy)) == str(copy)
    assert filled.json("--db", str(copy), "stats")["observations"] == 1
    assert "exists already" in filled.refused("backup", str(copy))
    assert filled.json("backup", str(tmp_path / "other.db")) == {
        "path": str(tmp_path / "other.db"), "damaged": False, "removed": [],
    }  # fmt: skip


def test_a_repair_that_is_refused_leaves_nothing_behind(mem: Mem) -> None:
    mem.db.write_text("a note")
    before = sorted(mem.db.parent.iterdir())
    assert "Nothing of a store is left" in mem.refused("repair")
    assert sorted(mem.db.parent.iterdir()) == before
    mem.db.unlink()
