"""Counts modules and widgets of a browser, in its own process, whose screens are opened again and again."""

import asyncio
import gc
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from bench.quick.work import Figure
from bench.report import environment

ROUNDS = 6
KEYS = ("2", "3", "4", "6", "7", "8", "1", "o", "escape", "t", "escape", "question_mark", "escape")
"""Keys that open ten screens in each round, and close what lies over others."""


def measure(path: Path) -> Iterator[Figure]:
    """Yield the name of each count and the count."""
    command = [sys.executable, "-m", __name__, str(path)]
    done = subprocess.run(command, env=environment(path), capture_output=True, check=True)
    *widgets, modules = json.loads(done.stdout)
    yield "browser, ten screens: modules", modules
    # A cancelled timer may hold a screen for a minute, not in every round; what leaks does in each.
    yield (
        "browser, ten screens again: widgets left over",
        min(after - before for before, after in pairwise(widgets)),
    )


async def _counts(path: Path) -> list[int]:
    """Return how many widgets there are at rest after each round, and how many modules after all."""
    from textual.widget import Widget

    from memtui.tui.app import MemApp

    app, counts = MemApp(path, read_only=True), []
    async with app.run_test(size=(140, 40)) as pilot:
        await pilot.press("down")
        for _ in range(ROUNDS):
            await pilot.press(*KEYS)
            await app.workers.wait_for_complete()
            app.forget_unseen()
            # What was there at the start is hidden from the collector.
            gc.unfreeze()
            gc.collect()
            counts.append(sum(isinstance(item, Widget) for item in gc.get_objects()))
    return [*counts, len(sys.modules)]


if __name__ == "__main__":
    print(json.dumps(asyncio.run(_counts(Path(sys.argv[1])))))
