"""What was acknowledged is there after a power cut, and the memory is sound, wherever it comes."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from memtui.store import Store
from memtui.store.database import log_size
from memtui.store.maintain.purge import finish, purge

from ...promises import Tally, promise
from ...sizes import sizes
from .power_cut import plugged


class Promised:
    """Which memories have to be found, and which not to be; what is being changed is in doubt."""

    def __init__(self) -> None:
        self.visible: dict[str, bool] = {}

    def change(self, title: str, do: Callable[[], object], *, visible: bool) -> None:
        """Do something to a memory; once that is done it counts."""
        self.visible.pop(title, None)
        do()
        self.visible[title] = visible

    def broken(self, store: Store) -> list[str]:
        """The memories that aren't as was promised."""
        return [
            title
            for title, visible in self.visible.items()
            if bool(store.find(f'title:"{title}"').count().value) != visible
        ]


def title(number: int) -> str:
    return f"memory{number:04}x"


def add(store: Store, promised: Promised, numbers: range) -> None:
    for number in numbers:
        add_one(store, promised, title(number))


def add_one(store: Store, promised: Promised, name: str) -> None:
    text = f"{name} " * 40
    promised.change(name, lambda: store.observations.add("c-1", title=name, narrative=text), visible=True)


def adding(path: Path, promised: Promised) -> None:
    """Commands one after the other, each with a connection of its own."""
    for start in range(0, 18, 3):
        with Store.open(path) as store:
            add(store, promised, range(start, start + 3))


def curating(path: Path, promised: Promised) -> None:
    """Memories are hidden, deleted, brought back and purged."""
    with Store.open(path) as store:
        add(store, promised, range(12))
        found = {hit.row.title: hit.record for hit in store.find("sort:recent").page(limit=50).hits}
        table = store.observations
        for number in range(0, 12, 3):
            private, deleted = found[title(number)].id, found[title(number + 1)].id
            promised.change(title(number), partial(table.set_private, private), visible=False)
            promised.change(title(number + 1), partial(table.delete, deleted), visible=False)
        promised.change(title(10), store.undo, visible=True)
        gone = [found[title(number)].id for number in (1, 4, 7)]
        purge(store, "observations", gone)
        finish(store)


def mending(path: Path, promised: Promised) -> None:
    """Indexes are made anew, and the log emptied, between writes."""
    with Store.open(path) as store:
        for start in range(0, 12, 4):
            add(store, promised, range(start, start + 4))
            store.rebuild()
            add(store, promised, range(100 + start, 102 + start))
            log_size.empty(store.db)


@promise("power-cut")
@sizes("images", 6, 30)
@pytest.mark.parametrize("work", [adding, curating, mending])
def test_what_was_acknowledged_is_there(
    images: int, work: Callable[[Path, Promised], None], tmp_path: Path, tally: Tally
) -> None:
    draw = tally.random()
    Store.open(tmp_path / "memory.db").close()
    cuts: list[tuple[Path, dict[str, bool]]] = []
    promised = Promised()
    steps = _steps(work, tmp_path)
    chosen = set(draw.sample(range(steps), min(images, steps)))
    step = 0

    def count() -> None:
        nonlocal step
        if step in chosen:
            image = tmp_path / f"image-{step}"
            image.mkdir()
            disk.write_image(image, draw)
            cuts.append((image, dict(promised.visible)))
        step += 1

    with plugged(count) as disk:
        work(tmp_path / "memory.db", promised)
    wrong = {}
    for image, visible in cuts:
        after = Promised()
        after.visible = visible
        with Store.open(image / "memory.db") as store:
            health = store.doctor(thorough=True)
            lost = after.broken(store)
        if lost or not health.ok:
            wrong[image.name] = lost or [check.name for check in health.checks if not check.ok]
    tally(tried=len(cuts), wrong=len(wrong))
    assert len(cuts) >= min(images, steps) - 1
    assert wrong == {}


def _steps(work: Callable[[Path, Promised], None], folder: Path) -> int:
    """How often a piece of work writes or syncs."""
    steps = 0

    def count() -> None:
        nonlocal steps
        steps += 1

    path = folder / "counted.db"
    Store.open(path).close()
    with plugged(count):
        work(path, Promised())
    return steps
