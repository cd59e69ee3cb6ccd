"""What the Model Context Protocol fixes: versions, numbers of errors, and what stands around a result.

Two eras are spoken: that of the handshake (`initialize`, then requests), and that of 2026-07-28, in which
each request says of itself which version it is of and who sends it.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

Json = dict[str, "Any"]

HANDSHAKE_VERSIONS = ("2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25")
MODERN_VERSIONS = ("2026-07-28",)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
RESOURCE_NOT_FOUND = -32002
UNSUPPORTED_VERSION = -32022

VERSION_KEY = "io.modelcontextprotocol/protocolVersion"
CLIENT_KEY = "io.modelcontextprotocol/clientInfo"
CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities"
SERVER_KEY = "io.modelcontextprotocol/serverInfo"

LISTS = frozenset(("server/discover", "tools/list", "prompts/list", "resources/templates/list"))
"""What is the same for as long as a server runs."""
CACHEABLE = LISTS | {"resources/list", "resources/read"}
LISTS_MS = 3_600_000
"""How long (ms) a client may keep such a list."""


class ProtocolError(Exception):
    """A request that can't be answered; `code` is JSON-RPC's, `data` whatever helps the client."""

    def __init__(self, code: int, message: str, data: Any = None) -> None:
        super().__init__(message)
        self.code = code
        self.data = data

    @property
    def body(self) -> Json:
        """The error as it is sent."""
        body: Json = {"code": self.code, "message": str(self)}
        return body if self.data is None else body | {"data": self.data}


def meta_of(params: Mapping[str, Any]) -> Json:
    """Return what a client says of a request beside its parameters."""
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def negotiated(requested: object) -> str:
    """Return the version of the handshake era to speak with a client that asks for one."""
    return str(requested) if requested in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[-1]


def modern_version(params: Mapping[str, Any]) -> str | None:
    """Return the version that a request says it is of; None in the era of the handshake.

    Raises ProtocolError for one that isn't spoken.
    """
    meta = params.get("_meta")
    if not isinstance(meta, dict) or VERSION_KEY not in meta:
        return None
    version = meta[VERSION_KEY]
    if version in MODERN_VERSIONS:
        return str(version)
    raise ProtocolError(
        UNSUPPORTED_VERSION,
        "Unsupported protocol version",
        {"supported": [*MODERN_VERSIONS, *HANDSHAKE_VERSIONS], "requested": str(version)},
    )


def modern_error(error: ProtocolError) -> ProtocolError:
    """Return an error as 2026-07-28 numbers it: that of a missing resource is retired there."""
    if error.code != RESOURCE_NOT_FOUND:
        return error
    return ProtocolError(INVALID_PARAMS, str(error), error.data)


def modern_result(method: str, result: Json, server: Json) -> Json:
    """Return a result with what 2026-07-28 wants to stand around it."""
    around: Json = {"resultType": "complete", "_meta": {SERVER_KEY: server}}
    if method in CACHEABLE:
        around |= {"ttlMs": LISTS_MS if method in LISTS else 0, "cacheScope": "private"}
    return around | result
