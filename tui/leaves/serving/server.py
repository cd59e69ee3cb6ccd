"""The server: a page with a terminal, its files, a socket for each client, and the guard before all."""

from __future__ import annotations

import asyncio
import hmac
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from string import Template

import textual_serve
from aiohttp import ClientConnectionError, web
from textual_serve.server import Server, to_int

from memtui.store.platform.translation import _, language

from .client import Client

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
            await client.start(
                *(
                    min(MOST_CELLS, max(1, to_int(request.query.get(name) or "", 80)))
                    for name in ("width", "height")
                )
            )
            with suppress(ClientConnectionError, ValueError, LookupError, TypeError, AssertionError):
                # What isn't said in the protocol ends the client.
                await self._process_messages(client_socket, client)
        finally:
            await client.stop()
            self._clients.discard(client)
        return client_socket


Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

REFUSED = _("Open the address that `memtui serve` has printed: it holds the token that is needed here.")
ELSEWHERE = _("This is not asked for by a page of `memtui serve`.")


class Guard:
    """What stands before every answer of a server on a port: only pages of this server may ask, and for a
    client only one that has the token.

    Another site's page can reach a port of this machine, too, by a name of its own that it lets mean
    127.0.0.1 afterwards (so the Host is looked at) or by a WebSocket (so its Origin is). The page itself
    holds nothing of a memory. It keeps the token in the storage of its tab: a cookie would be sent to every
    port of this machine.
    """

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(32)
        self.hosts = (f"127.0.0.1:{port}", f"localhost:{port}")

    @web.middleware
    async def check(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Answer a request that may be made; aiohttp's middleware."""
        response = await self._answer(request, handler)
        if not response.prepared:
            response.headers.update(self._headers(request.host))
        return response

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        origin = request.headers.get("Origin")
        is_socket = request.headers.get("Upgrade", "").casefold() == "websocket"
        if request.host not in self.hosts:
            return web.Response(status=421, text=f"{ELSEWHERE}\n")
        if (origin is None and is_socket) or (origin not in (None, f"http://{request.host}")):
            return web.Response(status=403, text=f"{ELSEWHERE}\n")
        if request.path.startswith("/ws") and not self._is_known(request.match_info.get("token", "")):
            return web.Response(status=403, text=f"{REFUSED}\n")
        try:
            return await handler(request)
        except web.HTTPException as error:
            return web.Response(status=error.status, text=error.text)

    def _is_known(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self.token.encode())

    def _headers(self, host: str) -> dict[str, str]:
        socket = f"ws://{host}" if host in self.hosts else "'none'"
        # xterm.js writes style elements of its own.
        policy = (
            "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; "
            f"img-src 'self' data:; connect-src {socket}; base-uri 'none'; form-action 'none'; "
            "frame-ancestors 'none'"
        )
        return {
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
        }
