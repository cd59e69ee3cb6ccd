"""How the browser's tasks are started: at once, as Textual has it from CPython 3.12 on, or in the loop's
next round, as on 3.11. Pilots leave that out, so that tests would run otherwise than the program."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any

import pytest
from textual.app import App

Factory = Callable[..., asyncio.Future[Any]]


def _eager_task_factory(
    loop: asyncio.AbstractEventLoop, coro: Coroutine[Any, Any, Any], **options: Any
) -> asyncio.Task[Any]:
    """What `asyncio.eager_task_factory` does, for CPython 3.11: run a new task until it first waits."""
    task = asyncio.Task(coro, loop=loop, **options)
    first_step = loop._ready.pop()  # type: ignore[attr-defined]
    maker = asyncio.current_task(loop)
    if maker is not None:
        asyncio.tasks._leave_task(loop, maker)
    try:
        first_step._run()
    finally:
        if maker is not None:
            asyncio.tasks._enter_task(loop, maker)
    return task


AS_RUN: Factory | None = getattr(asyncio, "eager_task_factory", None)
"""What `App.run_async` sets on this version; None is a task in the loop's next round."""
EAGER: Factory = AS_RUN or _eager_task_factory
PROCESS_MESSAGES = App._process_messages


def use(patch: pytest.MonkeyPatch, factory: Factory | None) -> None:
    """Let apps run in a loop with this factory."""

    @wraps(PROCESS_MESSAGES)
    async def process_messages(app: App[Any], *given: Any, **options: Any) -> None:
        asyncio.get_running_loop().set_task_factory(factory)
        await PROCESS_MESSAGES(app, *given, **options)

    patch.setattr(App, "_process_messages", process_messages)
