"""The transport of a server that people start: HTTP on this machine only, for whoever has the token.

The SDK speaks it, sessions, streams and both eras; what a request is answered with is the same as on
standard input. The token is compared in constant time, and a request whose Host or Origin is another
machine's is refused, so that no web page can ask by way of a browser (DNS rebinding).
"""

from __future__ import annotations

import hmac
import secrets
import socket
import sys
from functools import partial
from typing import TYPE_CHECKING, Any

from ..platform.errors import ConfigurationError
from ..platform.translation import _
from ..platform.version import own_version
from .client import Client
from .protocol import MODERN_VERSIONS, ProtocolError, modern_error, modern_result
from .service import INSTRUCTIONS, METHODS, Service, server_info

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, MutableMapping

    from mcp.server.context import ServerRequestContext
    from mcp_types import RequestParams
    from starlette.applications import Starlette

    from .memory import Memory

    Scope = MutableMapping[str, Any]
    Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
    Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
    Application = Callable[[Scope, Receive, Send], Awaitable[None]]

HOST = "127.0.0.1"
PATH = "/mcp"
OF_THE_SDK = frozenset(("ping", "server/discover"))
"""Methods that the SDK answers itself."""
MISSING = _(
    "mem mcp --http needs the MCP SDK, which is not installed. Install it: pip install 'memtui[mcp]'"
)


class BearerOnly:
    """Lets requests with the token pass, and answers 401 to all others."""

    def __init__(self, application: Application, token: str) -> None:
        self.application = application
        self.expected = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] == "http" and not self._is_allowed(scope):
            headers = [(b"www-authenticate", b"Bearer"), (b"content-length", b"0")]
            await send({"type": "http.response.start", "status": 401, "headers": headers})
            await send({"type": "http.response.body", "body": b""})
            return
        await self.application(scope, receive, send)

    def _is_allowed(self, scope: Scope) -> bool:
        tokens = [value for name, value in scope["headers"] if name == b"authorization"]
        return len(tokens) == 1 and hmac.compare_digest(tokens[0], self.expected)


def serve(memory: Memory, port: int = 0) -> None:
    """Serve on a port of this machine (any that is free for 0) until interrupted; the address and a new
    token are printed on standard error. ConfigurationError where the SDK is missing, or the port taken."""
    try:
        import mcp.server.lowlevel  # noqa: F401
        import uvicorn
    except ImportError as error:
        raise ConfigurationError(MISSING) from error
    listening = _listening(port)
    address = f"{HOST}:{listening.getsockname()[1]}"
    token = secrets.token_urlsafe(32)
    application = BearerOnly(make_application(memory, address), token)
    print(
        _(
            "The store is served at {address} until Ctrl+C. Whoever asks needs this header, which is "
            "shown once:",
            address=f"http://{address}{PATH}",
        )
        + f"\nAuthorization: Bearer {token}",
        file=sys.stderr,
        flush=True,
    )
    config = uvicorn.Config(application, log_level="warning", server_header=False)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        pass
    finally:
        memory.close()


def make_application(memory: Memory, address: str) -> Starlette:
    """Return the application that serves a memory to requests for an address (`host:port`)."""
    from mcp.server.lowlevel import Server
    from mcp.server.transport_security import TransportSecuritySettings
    from mcp_types import RequestParams

    server: Server[Any] = Server("memtui", version=own_version(), instructions=INSTRUCTIONS)
    for method in METHODS.keys() - OF_THE_SDK:
        server.add_request_handler(method, RequestParams, partial(_answer, memory))
    hosts = [address, address.replace(HOST, "localhost")]
    security = TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=hosts,
        allowed_origins=[f"http://{host}" for host in hosts],
    )
    return server.streamable_http_app(streamable_http_path=PATH, transport_security=security, host=HOST)


async def _answer(
    memory: Memory, ctx: ServerRequestContext[Any, Any], _params: RequestParams
) -> dict[str, Any]:
    """Answer a request on a thread; the SDK validates and wraps what is returned."""
    from anyio import from_thread, to_thread
    from mcp import MCPError

    is_modern = ctx.protocol_version in MODERN_VERSIONS
    client = ctx.session.client_params
    name = client.client_info.name if client is not None else ""
    version = client.client_info.version if client is not None else ""

    def notify(_method: str, params: dict[str, Any]) -> None:
        progress, total, what = params["progress"], params.get("total"), params["message"]
        from_thread.run(ctx.session.report_progress, progress, total, what)

    service = Service(memory, notify, Client(name, version=version, is_local=False))
    try:
        result = await to_thread.run_sync(METHODS[ctx.method], service, dict(ctx.params or {}))
    except ProtocolError as error:
        protocol_error = modern_error(error) if is_modern else error
        raise MCPError(protocol_error.code, str(protocol_error), protocol_error.data) from error
    if is_modern:
        return modern_result(ctx.method, result, server_info())
    return result


def _listening(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        raise ConfigurationError(
            _(
                "Port {port} of {host} can't be used ({reason}). Name another with --port, or none.",
                port=port,
                host=HOST,
                reason=error.strerror,
            )
        ) from error
    return listening
