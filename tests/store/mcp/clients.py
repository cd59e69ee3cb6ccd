"""Clients of `mem mcp`: the SDK's own, over a real process, and bare JSON lines."""

import json
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import CallToolResult, Implementation, TextContent

from tests.places import PYTHONPATH

ENVIRONMENT = {"PYTHONPATH": PYTHONPATH}


@asynccontextmanager
async def connected(
    db: Path,
    *,
    name: str = "claude-code",
    mode: Any = "legacy",
    folder: Path | None = None,
    environment: dict[str, str] | None = None,
    **options: Any,
) -> AsyncIterator[Client]:
    """Have the SDK's client connected to a server of its own; `folder` is where that works."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "memtui.store.cli", "mcp", "--structured", "--db", str(db)],
        env=ENVIRONMENT | (environment or {}),
        cwd=str(folder or db.parent),
    )
    info = Implementation(name=name, version="1.0")
    async with Client(server, client_info=info, mode=mode, **options) as client:
        yield client


def text_of(result: CallToolResult) -> str:
    """The text that a tool answered."""
    assert isinstance(result.content[0], TextContent)
    return result.content[0].text


async def values(client: Client, tool: str, **arguments: Any) -> Any:
    """Call a tool where it has to succeed; its values."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    return result.structured_content


async def refusal(client: Client, tool: str, **arguments: Any) -> str:
    """Call a tool where it has to fail; the sentence."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return text_of(result)


class Wire:
    """A server as a process, spoken to in lines."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self.number = 0

    def write(self, line: bytes) -> None:
        """Write a line as it is."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def read(self) -> Any:
        """Read a message."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line.endswith(b"\n"), "the server has ended"
        return json.loads(line)

    def send(self, method: str, **params: Any) -> int:
        """Send a request; its id."""
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        self.write(json.dumps(message).encode())
        return self.number

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self.write(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def ask(self, method: str, **params: Any) -> Any:
        """Send a request and read its answer."""
        number = self.send(method, **params)
        answer = self.read()
        assert answer["id"] == number
        return answer

    def call(self, tool: str, arguments: Any) -> Any:
        """Call a tool; the result."""
        return self.ask("tools/call", name=tool, arguments=arguments)["result"]


@contextmanager
def wire(db: Path, *options: str, initialized: bool = True) -> Iterator[Wire]:
    """Have a server on a memory, which ends within its patience once nobody speaks to it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "memtui.store.cli", "mcp", *options, "--db", str(db)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=db.parent,
        env=ENVIRONMENT | {"PATH": "/usr/bin:/bin", "HOME": str(db.parent)},
    )
    one = Wire(process)
    try:
        if initialized:
            client = {"name": "codex-mcp-client", "version": "1"}
            one.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
            one.notify("notifications/initialized")
        yield one
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        for stream in (process.stdin, process.stdout):
            if stream is not None:
                stream.close()
