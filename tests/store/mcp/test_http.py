"""`mem mcp --http`: on this machine only, for whoever has the token, and for no web page."""

import http.client
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import Implementation

from memtui.store import Store
from tests.places import PYTHONPATH
from tests.store.cli.runner import Mem

from .clients import values

INITIALIZE = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "x", "version": "1"},
    },
}
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


class Served:
    """A server as a process: its port and token."""

    def __init__(self, port: int, token: str) -> None:
        self.port = port
        self.token = token

    def status(self, **headers: str) -> int:
        """Post a handshake with more headers; the status."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        connection.request("POST", "/mcp", json.dumps(INITIALIZE), HEADERS | headers)
        status = connection.getresponse().status
        connection.close()
        return status


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of one observation."""
    path = tmp_path_factory.mktemp("http") / "memory.db"
    with Store.open(path) as store:
        store.observations.add("c-1", title="Clock drift broke logins", project="atlas")
    return path


@contextmanager
def served(memory: Path) -> Iterator[Served]:
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui.store.cli", "mcp", "--http", "--structured", "--db", str(memory)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=memory.parent,
        env={
            "PYTHONPATH": PYTHONPATH,
            "PATH": "/usr/bin:/bin",
            "HOME": str(memory.parent),
            "TEST_EXTRAS": "mcp",
        },
    )
    assert process.stderr is not None and process.stdout is not None
    try:
        address = process.stderr.readline().decode()
        token = process.stderr.readline().decode().split()[-1]
        yield Served(int(address.partition("127.0.0.1:")[2].partition("/")[0]), token)
    finally:
        process.terminate()
        process.wait(30)
        assert process.stdout.read() == b""
        process.stderr.close()
        process.stdout.close()


@pytest.fixture(scope="module")
def server(memory: Path) -> Iterator[Served]:
    """A server of that memory."""
    with served(memory) as one:
        yield one


@pytest.mark.parametrize("mode", ["legacy", "auto"])
async def test_who_has_the_token_searches_and_adds(server: Served, memory: Path, mode: str) -> None:
    bearer = {"Authorization": f"Bearer {server.token}"}
    async with httpx2.AsyncClient(headers=bearer, timeout=60) as web:
        transport = streamable_http_client(f"http://127.0.0.1:{server.port}/mcp", http_client=web)
        info = Implementation(name="gemini-cli-mcp-client", version="1")
        async with Client(transport, client_info=info, mode=mode) as client:
            tools = (await client.list_tools()).tools
            found = await values(client, "search", query="clock drift")
            added = await values(
                client, "add", kind="observation", text=f"Over HTTP, {mode}", project="atlas"
            )
            newest = await client.read_resource("mem://newest")
    assert [hit["id"] for hit in found["hits"]] == ["1"]
    assert "search" in [tool.name for tool in tools] and "Over HTTP" in str(newest)
    with Store.open(memory) as store:
        session = store.sessions.get(store.observations.get(added["id"]).session_id)
    assert (session.agent, session.project) == ("gemini", "atlas")


def test_without_the_token_nobody_is_answered(server: Served) -> None:
    assert server.status() == 401
    assert server.status(Authorization="Bearer wrong") == 401
    assert server.status(Authorization=server.token) == 401
    assert server.status(Authorization=f"bearer  {server.token}") == 401
    assert server.status(Authorization=f"Bearer {server.token}") == 200


def test_a_web_page_is_refused_even_with_the_token(server: Served) -> None:
    bearer = f"Bearer {server.token}"
    assert server.status(Authorization=bearer, Host="memory.example:80") == 421
    assert server.status(Authorization=bearer, Origin="https://memory.example") == 403


def test_without_the_sdk_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    mem = Mem(tmp_path / "memory.db", tmp_path)
    assert "pip install 'memtui[mcp]'" in mem.refused("mcp", "--http")


@pytest.mark.long
def test_a_port_that_is_taken_is_told(server: Served, tmp_path: Path) -> None:
    # As a process: what other tests' clients leave to the collector is written to this one's stderr.
    refusal = Mem(tmp_path / "memory.db", tmp_path).process("mcp", "--http", "--port", str(server.port))
    assert refusal.returncode == 1
    assert f"Port {server.port}" in refusal.stderr.decode()
    assert b"Traceback" not in refusal.stderr
