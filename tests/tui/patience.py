"""Pressing keys, and waiting until nothing is being loaded, also where one load cancels another."""

from contextlib import suppress
from typing import Any

from textual.pilot import Pilot
from textual.worker import WorkerCancelled


async def press(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys, each when all that the one before has set off is done."""
    for key in keys:
        await pilot.press(key)
        await idle(pilot)


async def hurry(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys without waiting for what they set off, but in the end."""
    await pilot.press(*keys)
    await idle(pilot)


async def idle(pilot: Pilot[Any]) -> None:
    """Nothing is being loaded any more, and all is painted."""
    await pilot.pause()
    while any(worker.is_running for worker in pilot.app.workers):
        with suppress(WorkerCancelled):
            await pilot.app.workers.wait_for_complete()
        await pilot.pause()
    # What the last worker changed is laid out after it.
    await pilot.pause()
