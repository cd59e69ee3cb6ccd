"""Does one thing to a memory and its vectors, and dies at a statement of any of its connections:
`python -m tests.store.embeddings.killed PATH MODEL WHAT STATEMENT`. It prints how many statements there
were where it lived."""

import os
import signal
import sys
from collections.abc import Callable

import apsw
from memtui.store.leaves.embeddings.vectors import vectors_in

from memtui.store import Action, Store
from memtui.store.config import EmbeddingsSettings
from memtui.store.maintain.backups import restore_backup
from memtui.store.maintain.purge import purge_for_good
from memtui.store.tables.removal.purge_selection import Selection

Deed = Callable[[Store, EmbeddingsSettings], object]

DEEDS: dict[str, Deed] = {
    "build": lambda store, model: vectors_in(store).build(model),
    "switch": lambda store, model: vectors_in(store).build(model),
    "delete": lambda store, _: store.change_many("kind:observation", Action("delete")),
    "edit": lambda store, _: store.edit("1", {"title": "reworded"}),
    "purge": lambda store, _: purge_for_good(store, Selection({"observations": (1, 2)})),
    "drop": lambda store, _: vectors_in(store).drop(),
    "rebuild": lambda store, _: store.rebuild(),
    "restore": lambda store, _: restore_backup(store.path, store.path.with_name("backup.db")),
}


class Dying:
    """Kills this process at a statement."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.seen = 0

    def attach(self, db: apsw.Connection) -> None:
        """Count the statements of a new connection too."""
        db.exec_trace = self._step

    def _step(self, _cursor: object, _sql: object, _bindings: object) -> bool:
        self.seen += 1
        if self.seen == self.at:
            os.kill(os.getpid(), signal.SIGKILL)
        return True


def main(path: str, directory: str, what: str, at: str) -> None:
    dying = Dying(int(at))
    with Store.open(path) as store:
        apsw.connection_hooks.append(dying.attach)
        dying.attach(store.db)
        DEEDS[what](store, EmbeddingsSettings("static", directory=directory))
    print(dying.seen)


if __name__ == "__main__":
    main(*sys.argv[1:])
