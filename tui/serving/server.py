"""The server: a page with a terminal, the files it is made of, and a socket for each client."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from string import Template

import textual_serve
from aiohttp import ClientConnectionError, web
from textual_serve.server import Server, to_int

from memtui.store.translation import _, language

from .client import Client
from .guard import REFUSED, Guard

_OWN = Path(__file__).parent
_THEIRS = Path(textual_serve.__file__).parent / "static"
FILES = {
    "textual.js": _THEIRS / "js" / "textual.js",
    "xterm.css": _THEIRS / "css" / "xterm.css",
    "mono.ttf": _THEIRS / "fonts" / "RobotoMono-VariableFont_wght.ttf",
    "serving.css": _OWN / "serving.css",
    "serving.js": _OWN / "serving.js",
}
"""All that a page asks for, by its name; nothing comes from anywhere else."""
MOST = 32
"""Clients at a time: each is a process."""
MOST_CELLS = 1_000


class BrowserServer(Server):
    """Serves the browser to this machine; `address` holds the token."""

    def __init__(self, command: Sequence[str], bound: socket.socket) -> None:
        port = int(bound.getsockname()[1])
        super().__init__("memtui", host="127.0.0.1", port=port, title="memtui")
        self._arguments = command
        self._bound = bound
        self._guard = Guard(port)
        self._clients: set[Client] = set()
        self.address = f"http://127.0.0.1:{port}/?token={self._guard.token}"

    def run(self) -> None:
        """Serve until Ctrl+C or a signal to end."""
        web.run_app(
            self._make_app(),
            sock=self._bound,
            print=None,
            access_log=None,
            shutdown_timeout=1.0,
            handle_signals=True,
        )

    async def _make_app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard.check])
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/ws/{token}", self.handle_websocket),
                web.get("/download/{key}", self.handle_download),
                web.get("/files/{name}", self._file),
            ]
        )
        app.on_shutdown.append(self.on_shutdown)
        return app

    async def on_shutdown(self, app: web.Application) -> None:  # noqa: ARG002
        """End every client."""
        await asyncio.gather(*(client.stop() for client in [*self._clients]))

    async def _page(self, request: web.Request) -> web.Response:
        page = Template((_OWN / "page.html").read_text("utf-8"))
        size = min(40, max(8, to_int(request.query.get("fontsize", ""), 15)))
        # The host is one of two that the guard lets through.
        shown = page.substitute(
            socket=f"ws://{request.host}/ws",
            size=size,
            language=language(),
            ended=_("memtui has ended."),
            again=_("Open it again"),
            unknown=REFUSED.replace("`memtui serve`", "<code>memtui serve</code>"),
            scripts=_("The browser in a page needs scripts."),
        )
        return web.Response(text=shown, content_type="text/html")

    async def _file(self, request: web.Request) -> web.StreamResponse:
        path = FILES.get(request.match_info["name"])
        return web.Response(status=404) if path is None else web.FileResponse(path)

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """Run a client's process for as long as its socket is open."""
        client_socket = web.WebSocketResponse(heartbeat=15)
        await client_socket.prepare(request)
        if len(self._clients) >= MOST:
            await client_socket.close()
            return client_socket

        async def close() -> None:
            await client_socket.close()

        client = Client(
            self._arguments,
            write_bytes=client_socket.send_bytes,
            write_str=client_socket.send_str,
            close=close,
            downloads=self.download_manager,
        )
        self._clients.add(client)
        try:
            await client.start(*(_cells(request.query.get(name)) for name in ("width", "height")))
            with suppress(ClientConnectionError, ValueError, LookupError, TypeError, AssertionError):
                # What isn't said in the protocol ends the client.
                await self._process_messages(client_socket, client)
        finally:
            await client.stop()
            self._clients.discard(client)
        return client_socket


def _cells(text: str | None) -> int:
    return min(MOST_CELLS, max(1, to_int(text or "", 80)))
