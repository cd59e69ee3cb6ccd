"""Stores that earlier programs made, of each schema since the oldest that is taken over: this program
brings each along with all that it holds. The earlier programs come from git's history."""

import io
import os
import subprocess
import sys
import tarfile
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from memtui.store import Store
from tests.places import ROOT
from tests.sizes import of_today
from tests.store.cli.runner import Mem

LAST = {
    16: "6cd480b5", 17: "e2d857fa", 18: "00b6cfcb", 19: "574d65d6", 20: "3e5e5a8e", 21: "1a4050e1",
    23: "1413bce4", 24: "936642a0", 25: "a444fb99", 26: "d5051c51", 27: "c0c27938", 28: "72414614",
    29: "7bbbb087", 30: "6d076ecd", 31: "1b7d73a5", 32: "eab33c97", 33: "7e511ccb",
}  # fmt: skip
"""The last commit of each schema; there was none of 22."""
SAID = (
    ("add", "Tokens live a day", "--type", "decision", "--project", "pay", "--fact", "TTL is 24 h"),
    ("add", "The clock drifted", "--type", "bugfix", "--project", "pay"),
    ("fact", "add", "Refresh tokens live 24 h", "--kind", "world", "--entity", "auth"),
    ("edit", "1", "--title", "Tokens live 24 h"),
    ("delete", "2"),
)
TABLES = ("observations", "facts", "sessions", "changes")


def counts(path: Path) -> list[int]:
    with closing(apsw.Connection(str(path))) as db:
        return [db.execute(f"SELECT count(*) FROM {table}").get for table in TABLES]


@pytest.mark.long
@pytest.mark.parametrize("schema", of_today(LAST, 3))
def test_a_store_of_an_earlier_program_keeps_all_that_it_holds(tmp_path: Path, schema: int) -> None:
    archive = subprocess.run(
        ["git", "archive", LAST[schema], "store", "tui", ".dev"], cwd=ROOT, capture_output=True
    )
    if archive.returncode:
        pytest.skip("no git history here that has that program")
    with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as file:
        file.extractall(tmp_path, filter="data")
    path = tmp_path / "memory.db"
    mem = [sys.executable, "-m", "memtui.store.cli.mem", "--db", str(path)]
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / ".dev")}
    for words in SAID:
        subprocess.run([*mem, *words], cwd=tmp_path, env=environment, check=True, capture_output=True)
    with closing(apsw.Connection(str(path))) as db:
        assert db.pragma("user_version") == schema
    before = counts(path)
    now = Mem(path, tmp_path)
    now("store", "rebuild")
    assert counts(path) == before
    assert "Tokens live 24 h" in now("search", "tokens live").output
    now("undo")
    assert "The clock drifted" in now("search", "clock").output
    with Store.open(path) as store:
        assert store.doctor(thorough=True).ok
