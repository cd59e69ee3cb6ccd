"""Killed at any moment: no vector without its text, not even before the next look; and then all of them."""

import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Store
from memtui.store.config import EmbeddingsSettings
from memtui.store.maintain.purge import finish_interrupted
from tests.places import ROOT
from tests.promises import Tally, promise
from tests.sizes import sizes

from .byte_model import strangers, vector_files
from .conftest import Build, assert_exact
from .test_following import fill


def run(path: Path, model: EmbeddingsSettings, what: str, at: int) -> int:
    """Do something in a process that dies at a statement; the statements where it lives (0), else -1."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.store.embeddings.killed", str(path), model.directory, what, str(at)],
        capture_output=True, text=True, check=False, cwd=ROOT,
    )  # fmt: skip
    if done.returncode == -signal.SIGKILL:
        return -1
    assert done.returncode == 0, done.stderr
    return int(done.stdout)


@promise("vectors-follow")
@pytest.mark.parametrize(
    "what", ["build", "switch", "delete", "edit", "purge", "drop", "rebuild", "restore"]
)
@sizes("places", 4, 8)
@pytest.mark.sampled
def test_killed_anywhere_no_vector_outlives_its_text_and_the_next_build_is_whole(
    what: str,
    places: int,
    model: EmbeddingsSettings,
    other_model: EmbeddingsSettings,
    build: Build,
    tmp_path: Path,
    tally: Tally,
) -> None:
    begun = tmp_path / "begun" / "memory.db"
    with Store.open(begun) as store:
        fill(store)
        if what != "build":
            build(store)
        store.backup(begun.with_name("backup.db"))
        store.observations.add("c-1", title="came after the backup")
        if what not in ("build", "switch"):
            build(store)
    wanted = other_model if what == "switch" else model

    def again(name: str) -> Path:
        return shutil.copytree(begun.parent, tmp_path / name) / "memory.db"

    statements = run(again("whole"), wanted, what, -1)
    wrong: list[object] = []
    for place in range(1, places + 1):
        at = max(1, statements * place // (places + 1))
        path = again(f"killed-{place}")
        assert run(path, wanted, what, at) == -1
        # The very files, as a thief would have them: SQLite undoes what was not committed.
        wrong += [(at, one) for one in strangers(path, wanted)]
        with Store.open(path) as store:
            finish_interrupted(store)
            searched = vectors_in(store).status(wanted).searched
            names = {one.stem for one in vector_files(path)}
            wrong += [(at, "no model is searched")] if what == "switch" and not searched else []
            done = vectors_in(store).build(wanted)
            wrong += [(at, done)] if done.left or done.stopped else []
            assert len(names) <= 2
        assert_exact(path, wanted)
        assert len(vector_files(path)) == 1
        shutil.rmtree(path.parent)
    tally(tried=places, wrong=len(wrong))
    assert wrong == []
