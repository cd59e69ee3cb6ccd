"""One client's own browser process: started with its socket, and ended with it, whatever happens."""

from __future__ import annotations

import asyncio
import os
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

from aiohttp import ClientConnectionError
from textual.app import App
from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp
from textual_serve.app_service import AppService
from textual_serve.download_manager import DownloadManager

from memtui.store.platform.processes import end_group
from memtui.store.text.display import safe

PATIENCE = 5.0
"""Seconds that a process has to end by itself."""
MOST_SAID = 20_000
"""Bytes of what it says on standard error that are passed on."""


class Client(AppService):
    """Runs the browser for a client, and passes on what both say."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        write_bytes: Callable[[bytes], Awaitable[None]],
        write_str: Callable[[str], Awaitable[None]],
        close: Callable[[], Awaitable[None]],
        downloads: DownloadManager,
    ) -> None:
        super().__init__(
            "",
            write_bytes=write_bytes,
            write_str=write_str,
            close=close,
            download_manager=downloads,
        )
        self._arguments = command

    def _build_environment(self, width: int = 80, height: int = 24) -> dict[str, str]:
        environment = super()._build_environment(width, height)
        return environment | {"TEXTUAL_DRIVER": "memtui.tui.leaves.serving.client:ServedDriver"}

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        # No shell between them, and a group of its own, so that all of it can be ended.
        self._process = await asyncio.create_subprocess_exec(
            *self._arguments,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            env=self._build_environment(width, height),
            start_new_session=True,
        )
        self._stdin = self._process.stdin
        return self._process

    async def stop(self) -> None:
        """Have the process end, and end it where it doesn't."""
        task, self._task = self._task, None
        if task is None or self._process is None:
            return
        await self._download_manager.cancel_app_downloads(app_service_id=self.app_service_id)
        await self.send_meta({"type": "quit"})
        if self._stdin is not None:
            self._stdin.close()
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self._process.wait()), PATIENCE)
        end_group(self._process.pid)
        await self._process.wait()
        with suppress(TimeoutError):
            await asyncio.wait_for(task, PATIENCE)

    async def run(self) -> None:
        """Pass on what the process writes until it ends, then close the client's socket."""
        assert self._process is not None and self._process.stdout and self._process.stderr
        said = asyncio.create_task(_said(self._process.stderr))
        try:
            await self._packets(self._process.stdout)
        except (asyncio.IncompleteReadError, ClientConnectionError, ValueError):
            # The process or the client is gone.
            pass
        finally:
            if text := await said:
                sys.stderr.write(f"{safe(text, newlines=True)}\n")
            with suppress(ClientConnectionError, RuntimeError):
                await self.remote_close()

    async def _packets(self, stdout: asyncio.StreamReader) -> None:
        while await stdout.readline() != STARTED:
            if stdout.at_eof():
                return
        while True:
            kind = await stdout.readexactly(1)
            size = int.from_bytes(await stdout.readexactly(4), "big")
            payload = await stdout.readexactly(size)
            if kind == b"D":
                await self.on_data(payload)
            elif kind == b"M":
                await self.on_meta(payload)
            elif kind == b"P":
                await self.on_packed(payload)


async def _said(stderr: asyncio.StreamReader) -> str:
    result = b""
    while data := await stderr.read(4096):
        result = (result + data)[-MOST_SAID:]
    return result.decode("utf-8", "replace").strip()


STARTED = b"__GANGLION__\n"
"""The line that Textual's driver writes before anything else."""


class ServedDriver(WebDriver):
    """Textual's driver for the web, which ends the browser when its server is gone."""

    def __init__(
        self,
        app: App[Any],
        *,
        debug: bool = False,
        mouse: bool = True,
        size: tuple[int, int] | None = None,
    ) -> None:
        super().__init__(app, debug=debug, mouse=mouse, size=size)
        self._write = partial(_write, self.fileno)

    def run_input_thread(self) -> None:
        """Read until the end, which is the browser's too."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            self._app.post_message(ExitApp())


def _write(fileno: int, data: bytes) -> int:
    """Write all of some bytes, unless nobody reads them any more."""
    with suppress(BrokenPipeError):
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fileno, rest) :]
    return len(data)
