"""`mem store repair`, and what other commands say of a damaged memory."""

import json
from pathlib import Path

from tests.store.cli.runner import Mem

PAGE = 4_096


def fill(mem: Mem, number: int = 40) -> None:
    lines = "".join(json.dumps({"title": f"Row {one}"}) + "\n" for one in range(number))
    mem.ok("add", "--stdin", input=lines)


def test_repair_names_the_new_file_and_leaves_the_old_one(mem: Mem, tmp_path: Path) -> None:
    fill(mem)
    mem.ok("doctor", "--json")
    content = bytearray(mem.db.read_bytes())
    content[:PAGE] = bytes(PAGE)
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(content)
    result = mem("repair", "--db", str(damaged))
    made = tmp_path / "damaged-repaired.db"
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-1] == str(made)
    assert f"mem store restore-backup {made}" in result.stderr
    assert damaged.read_bytes() == bytes(content)
    assert "Row 7" in mem.ok("search", "Row", "--limit", "50", "--db", str(made))


def test_repair_tells_in_json_what_came_from_where(mem: Mem, tmp_path: Path) -> None:
    fill(mem)
    into = tmp_path / "new.db"
    told = mem.json("repair", "--into", str(into))
    assert told["path"] == str(into)
    assert told["rows"]["observations"] == {"memory.db": 40}
    assert told["lost"] == []
    assert "exists already" in mem.refused("repair", "--into", str(into))


def test_every_command_names_repair_where_the_memory_is_damaged(mem: Mem, tmp_path: Path) -> None:
    fill(mem)
    content = bytearray(mem.db.read_bytes())
    content[:PAGE] = bytes(PAGE)
    damaged = tmp_path / "damaged.db"
    damaged.write_bytes(content)
    for line in ("search x", "rebuild", "backup", "stats", f"export jsonl {tmp_path}/o"):
        assert "mem store repair" in mem.refused(*line.split(), "--db", str(damaged)), line
    assert "mem store repair" in mem.refused("import", str(damaged))
    assert damaged.read_bytes() == bytes(content)
