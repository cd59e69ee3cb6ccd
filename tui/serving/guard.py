"""Who may ask: only pages of this server, and for a client only one that has the token.

Another site's page can reach a port of this machine, too, by a name of its own that it lets mean
127.0.0.1 afterwards (so the Host is looked at) or by a WebSocket (so its Origin is). The page itself
holds nothing of a memory. It keeps the token in the storage of its tab: a cookie would be sent to every
port of this machine.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Awaitable, Callable

from aiohttp import web

from memtui.store.translation import _

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

REFUSED = _("Open the address that `memtui serve` has printed: it holds the token that is needed here.")
ELSEWHERE = _("This is not asked for by a page of `memtui serve`.")


class Guard:
    """What stands before every answer of a server on a port."""

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
