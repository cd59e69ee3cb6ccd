"""Every answer has the shape that the protocol gives it, in each version, by the SDK's own types."""

from pathlib import Path
from typing import Any

import jsonschema
import pytest
from mcp_types import methods
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from memtui.store import Store
from memtui.store.mcp.protocol import HANDSHAKE_VERSIONS, MODERN_VERSIONS
from memtui.store.mcp.tools import TOOLS

from .clients import Wire, wire

REQUESTS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("tools/list", {}),
    ("resources/list", {}),
    ("resources/templates/list", {}),
    ("resources/read", {"uri": "mem://newest"}),
    ("prompts/list", {}),
    ("prompts/get", {"name": "what-is-known", "arguments": {"topic": "drift"}}),
    ("tools/call", {"name": "search", "arguments": {"query": "drift", "facets": True}}),
    ("tools/call", {"name": "search", "arguments": {"query": 5}}),
)
CALLS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("search", {"query": "drift", "facets": True, "limit": 1}),
    ("search", {"query": "typ:bugfix drfit"}),
    ("timeline", {"id": "1"}),
    ("timeline", {"since": "7d", "limit": 1}),
    ("get", {"ids": ["1", "f1", "n1", "@1", "99"]}),
    ("context", {"project": "atlas"}),
    ("context", {"project": "nowhere"}),
    ("add", {"kind": "observation", "text": "x"}),
    ("add", {"kind": "fact", "text": "x", "project": "atlas"}),
    ("add", {"kind": "note", "text": "x", "path": "N.md", "everywhere": True}),
    ("supersede", {"id": "f1", "text": "y"}),
    ("report", {"id": "1", "verdict": "wrong"}),
)


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A memory of a few records."""
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        for number in range(3):
            store.observations.add("c-1", title=f"Clock drift {number}", project="atlas")
        store.facts.add("Tokens live 24 h", project="atlas")
        store.notes.upsert("MEMORY.md", "# Memory")
    return path


def test_the_versions_are_those_of_the_sdk() -> None:
    assert HANDSHAKE_VERSIONS == HANDSHAKE_PROTOCOL_VERSIONS
    assert MODERN_VERSIONS == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_a_handshake_and_what_follows_are_well_formed(memory: Path, version: str) -> None:
    with wire(memory, initialized=False) as server:
        client = {"name": "x", "version": "1"}
        said = {"protocolVersion": version, "capabilities": {}, "clientInfo": client}
        first = server.ask("initialize", **said)["result"]
        assert first["protocolVersion"] == version
        methods.validate_server_result("initialize", version, first)
        server.notify("notifications/initialized")
        for method, params in REQUESTS:
            methods.validate_server_result(method, version, server.ask(method, **params)["result"])


def test_an_unknown_version_is_answered_with_the_newest(memory: Path) -> None:
    with wire(memory, initialized=False) as server:
        said = {"protocolVersion": "1999-01-01", "capabilities": {}, "clientInfo": {"name": "x"}}
        assert server.ask("initialize", **said)["result"]["protocolVersion"] == "2025-11-25"


@pytest.mark.parametrize("version", MODERN_VERSIONS)
def test_requests_that_say_their_version_need_no_handshake(memory: Path, version: str) -> None:
    key = "io.modelcontextprotocol"
    meta = {
        f"{key}/protocolVersion": version,
        f"{key}/clientInfo": {"name": "x", "version": "1"},
        f"{key}/clientCapabilities": {},
    }
    with wire(memory, initialized=False) as server:
        for method, params in (("server/discover", {}), *REQUESTS):
            result = server.ask(method, **params, _meta=meta)["result"]
            methods.validate_server_result(method, version, result)
        missing = server.ask("resources/read", uri="mem://memory/99", _meta=meta)
    assert missing["error"]["code"] == -32602


def test_values_are_as_the_output_schemas_say(memory: Path) -> None:
    assert {tool for tool, _ in CALLS} == set(TOOLS)
    with wire(memory, "--structured") as server:
        for tool, arguments in CALLS:
            assert_valid(server, tool, arguments)


def assert_valid(server: Wire, tool: str, arguments: dict[str, Any]) -> None:
    jsonschema.validate(arguments, TOOLS[tool].input)
    result = server.call(tool, arguments)
    assert not result["isError"], (tool, result)
    jsonschema.validate(result["structuredContent"], TOOLS[tool].output)
    assert None not in result["structuredContent"].values()
