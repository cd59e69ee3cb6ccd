"""Who may ask: only pages of this server, in a web browser that was given the token once.

Another site's page can reach a port of this machine, too, by a name of its own that it lets mean
127.0.0.1 afterwards (so the Host is looked at), by a WebSocket (so its Origin is) or a link (so the
cookie is Strict).
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

REFUSED = (
    "Open the address that `memtui serve` has printed: it holds the token that is needed here.\n"
)
ELSEWHERE = "This is not asked for by a page of `memtui serve`.\n"


class Guard:
    """What stands before every answer of a server on a port."""

    def __init__(self, port: int) -> None:
        self.token = secrets.token_urlsafe(32)
        self._cookie = secrets.token_urlsafe(32)
        self._name = f"memtui-{port}"
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
            return web.Response(status=421, text=ELSEWHERE)
        if (origin is None and is_socket) or (origin not in (None, f"http://{request.host}")):
            return web.Response(status=403, text=ELSEWHERE)
        if _same(request.query.get("token", ""), self.token) and request.path == "/":
            # On from there without it, so that it stands in no history and no bookmark.
            moved = web.Response(status=303, headers={"Location": "/"})
            moved.set_cookie(self._name, self._cookie, httponly=True, samesite="Strict", path="/")
            return moved
        if not _same(request.cookies.get(self._name, ""), self._cookie):
            return web.Response(status=403, text=REFUSED)
        try:
            return await handler(request)
        except web.HTTPException as error:
            return web.Response(status=error.status, text=error.text)

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


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())
