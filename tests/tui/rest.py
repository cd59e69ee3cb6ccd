"""When the browser is at rest: by what it has left to do, never by how long it has done nothing.

Textual's pilot looks whether the process uses the CPU. On a busy machine it doesn't get any, and counts
as idle with half of its work to do; on a quiet one each key waits 40 ms for nothing.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

import apsw.aio
import pytest
from textual._context import active_app
from textual.app import App
from textual.screen import Screen
from textual.timer import Timer

AT_MOST = 30.0
"""Seconds until what never rests, such as a task that yields again and again, is left alone."""

paint_frame = Screen._compositor_refresh

_jobs: set[asyncio.Future[Any]] = set()
_held = 0


@contextmanager
def held() -> Iterator[None]:
    """A job on a thread waits meanwhile for what only a test brings about: nobody waits for it."""
    global _held
    _held += 1
    try:
        yield
    finally:
        _held -= 1


async def at_rest(*_: float) -> None:
    """Wait until every message is handled and painted, and no thread works for this loop."""
    loop = asyncio.get_running_loop()
    end = loop.time() + AT_MOST
    while loop.time() < end:
        await asyncio.sleep(0)
        if loop._ready:  # type: ignore[attr-defined]
            continue
        if jobs := {job for job in _jobs if not job.done() and job.get_loop() is loop}:
            if len(jobs) <= _held:
                return
            await asyncio.wait(jobs, timeout=0.02, return_when=asyncio.FIRST_COMPLETED)
        elif not _paint(active_app.get()):
            return


def _paint(app: App[Any]) -> bool:
    """Lay out and paint now what would be in the next frame; whether there was anything."""
    if app._resize_timer is not None:
        app._check_resize()
        return True
    if app._batch_count:
        return _end_delays(app)
    screen = app.screen
    if not (
        screen._layout_required
        or screen._scroll_required
        or screen._repaint_required
        or screen._recompose_required
        or screen._dirty_widgets
        or screen._callbacks
    ):
        return False
    screen._on_timer_update()
    return True


def _leave_unpainted(screen: Screen[Any]) -> None:
    """Paint no frame. Tests look at what widgets render, and pictures are rendered anew: painting each
    frame too would be half of what the browser's tests cost. Those in a terminal try it."""
    if screen is screen.app.screen:
        screen._compositor._dirty_regions.clear()
        screen._dirty_widgets.clear()
        screen.app._update_mouse_over(screen)
    else:
        paint_frame(screen)


def _end_delays(app: App[Any]) -> bool:
    """Let be laid out and painted now what waits 50 ms for it, since the mode was switched; whether
    anything waits."""
    delays = [one for one in app._timers if one.name == "delay_update" and is_under_way(one)]
    for one in delays:
        one.stop()
        assert one._callback is not None
        one._callback()
    return bool(delays)


def is_ticking(timer: Timer) -> bool:
    """Return whether a timer runs, and isn't paused."""
    return is_under_way(timer) and timer._active.is_set()


def is_under_way(timer: Timer) -> bool:
    """Return whether a timer runs, or is paused."""
    return timer._task is not None and not timer._task.done()


def use(patch: pytest.MonkeyPatch) -> None:
    """Let pilots wait so, and count what threads do."""
    patch.setattr("textual.pilot.wait_for_idle", at_rest)
    patch.setattr("textual.app.wait_for_idle", at_rest)
    patch.setattr(Screen, "_compositor_refresh", _leave_unpainted)
    patch.setattr(apsw.aio.AsyncIO, "send", _counted(apsw.aio.AsyncIO.send))
    patch.setattr(asyncio, "to_thread", _counted(asyncio.to_thread))


def _counted(call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    @wraps(call)
    async def counted(*given: Any, **options: Any) -> Any:
        job = asyncio.get_running_loop().create_future()
        _jobs.add(job)
        try:
            return await call(*given, **options)
        finally:
            _jobs.discard(job)
            if not job.done():
                job.set_result(None)

    return counted
