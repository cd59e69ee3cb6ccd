"""One process builds while others change, delete and purge: no vector outlives its text."""

import multiprocessing
import random
from contextlib import suppress
from pathlib import Path

from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Action, Store
from memtui.store.config import EmbeddingsSettings
from memtui.store.maintain.purge import purge_for_good
from memtui.store.platform.errors import NotFoundError
from memtui.store.tables.removal.purge_selection import Selection
from tests.promises import Tally, promise
from tests.sizes import sizes

from .byte_model import strangers
from .conftest import Build, assert_exact
from .test_following import fill

CONTEXT = multiprocessing.get_context("spawn")


def build_again_and_again(path: Path, model: EmbeddingsSettings, rounds: int) -> None:
    """Build batch by batch while others change what is built."""
    with Store.open(path) as store:
        for _ in range(rounds):
            vectors_in(store).build(model, seconds=0.0, patience=10)


def change_again_and_again(path: Path, seed: int, rounds: int) -> None:
    """Add, reword, hide, show, delete, undo and purge."""
    chance = random.Random(seed)
    with Store.open(path) as store:
        for step in range(rounds):
            number = chance.randint(1, 8)
            what = chance.choice(["add", "edit", "delete", "restore", "undo", "purge", "many"])
            if what == "add" or store.db.execute("SELECT count(*) FROM observations").get < 8:
                for _ in range(8):
                    store.observations.add("c-1", title=f"{seed} adds {step}", facts=["shared"])
            elif what == "purge":
                ids = [one.id for one in store.observations.recent()][:1]
                purge_for_good(store, Selection({"observations": tuple(ids)}))
            elif what == "many":
                store.change_many("kind:observation shared", Action("delete"))
            elif what == "undo":
                store.undo()
            elif one := store.db.execute("SELECT id FROM observations LIMIT 1 OFFSET ?", (number,)).get:
                # The other one may have purged it meanwhile.
                with suppress(NotFoundError):
                    if what == "edit":
                        store.edit(str(one), {"narrative": f"{seed} {step}"})
                    elif what == "delete":
                        store.observations.delete(one)
                    else:
                        store.observations.restore(one)


@promise("vectors-follow")
@sizes("rounds", 25, 80)
def test_vectors_of_what_others_change_meanwhile_are_right(
    rounds: int, model: EmbeddingsSettings, build: Build, tmp_path: Path, tally: Tally
) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        fill(store)
        build(store)
    started = [
        CONTEXT.Process(target=build_again_and_again, args=(path, model, rounds)),
        *(CONTEXT.Process(target=change_again_and_again, args=(path, seed, rounds)) for seed in (1, 2)),
    ]
    for process in started:
        process.start()
    wrong: list[str] = []
    for process in started:
        process.join(300)
        with Store.open(path) as store, store.transaction():
            # Nobody can write now, so that files and rows are of one moment.
            wrong += strangers(path, model)
    tally(tried=3 * rounds, wrong=len(wrong))
    assert [one.exitcode for one in started] == [0, 0, 0]
    assert wrong == []
    with Store.open(path) as store:
        build(store)
    assert_exact(path, model)
