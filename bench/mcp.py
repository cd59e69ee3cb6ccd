"""The server of `mem mcp`: its start, calls of one client, and eight clients at once beside a writer.

A start is measured from the process's to the answer of `initialize`, and to that of `tools/list`, beside a
bare interpreter and beside one that imports the SDK's own server.
"""

import json
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from time import perf_counter
from typing import Any

from bench.report import Section, environment, middle, ms, percentile
from memtui.store import Store

STARTS, ROUNDS = 15, 40
CLIENTS, CALLS = 8, 40
QUERIES = (
    "token refresh", "cache redis retry", "cursor lock index", '"token refresh"', "缓存", "okeniz",
    "type:bugfix cache", "project:project-03 token", "session", "zzqqzz",
)  # fmt: skip
BARE = [sys.executable, "-c", "print()"]
WITH_SDK = [sys.executable, "-c", "import mcp.server.lowlevel, mcp.server.stdio; print()"]


class Server:
    """A server as a process of its own, initialized."""

    def __init__(self, path: Path) -> None:
        self._number = 0
        start = perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "memtui.store.cli", "mcp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment(path),
        )
        client = {"name": "bench", "version": "1"}
        self.ask("initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo=client)
        self.started_ms = (perf_counter() - start) * 1000
        self.ask("tools/list")
        self.listed_ms = (perf_counter() - start) * 1000

    def ask(self, method: str, **params: Any) -> Any:
        """Ask, and return the whole answer."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(json.dumps(message).encode() + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def call(self, tool: str, **arguments: Any) -> bool:
        """Call a tool; whether it succeeded."""
        answer = self.ask("tools/call", name=tool, arguments=arguments)
        return "result" in answer and not answer["result"].get("isError")

    def close(self) -> None:
        """End it by the end of its standard input."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.close()
        self.process.wait(30)
        self.process.stdout.close()


def measure(path: Path) -> list[Section]:
    """Starts, calls one after the other, and clients at once, over a copy of a store."""
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "memory.db"
        with Store.open(path) as store:
            store.backup(copy)
            count = store.stats().observations
        return [_starts(copy), _calls(copy, count), _at_once(copy, count)]


def _starts(path: Path) -> Section:
    bare, sdk, first, listed = [], [], [], []
    for _ in range(STARTS):
        bare.append(_run(BARE))
        sdk.append(_run(WITH_SDK))
        server = Server(path)
        first.append(server.started_ms)
        listed.append(server.listed_ms)
        server.close()
    rows = [
        (name, ms(middle(sorted(found))), ms(percentile(sorted(found), 0.95)))
        for name, found in (
            ("mem mcp, to the answer of initialize", first),
            ("mem mcp, to the answer of tools/list", listed),
            ("Python that prints a line", bare),
            ("Python that imports the SDK's server", sdk),
        )
    ]
    return Section(
        "Starts of the MCP server",
        "Milliseconds from the start of the process, turn by turn.",
        ("start", "p50", "p95"),
        rows,
    )


def _calls(path: Path, count: int) -> Section:
    server = Server(path)
    kinds: dict[str, list[dict[str, Any]]] = {
        "search": [{"query": query} for query in QUERIES],
        "timeline": [{"id": str(number)} for number in (10, 500, 5_000)],
        "get": [{"ids": [str(number) for number in range(start, start + 5)]} for start in (1, 900)],
    }
    rows = []
    for tool, many in kinds.items():
        found = []
        for arguments in many:
            server.call(tool, **arguments)
            for _ in range(ROUNDS):
                start = perf_counter()
                assert server.call(tool, **arguments)
                found.append((perf_counter() - start) * 1000)
        found.sort()
        rows.append((tool, str(len(found)), ms(middle(found)), ms(percentile(found, 0.95))))
    server.close()
    return Section(
        f"Calls of the MCP server over {count:,} observations",
        "Milliseconds from the request to its answer, of one client after its start; searches of ten "
        "kinds, 20 hits each.",
        ("tool", "calls", "p50", "p95"),
        rows,
    )


def _at_once(path: Path, count: int) -> Section:
    times: list[float] = []
    failures: list[str] = []
    is_over = threading.Event()

    def ask() -> None:
        server = Server(path)
        for turn in range(CALLS):
            start = perf_counter()
            good = server.call("search", query=QUERIES[turn % len(QUERIES)])
            times.append((perf_counter() - start) * 1000)
            if not good:
                failures.append(QUERIES[turn % len(QUERIES)])
        server.close()

    clients = [threading.Thread(target=ask) for _ in range(CLIENTS)]
    with Store.open(path) as store:
        before = store.observations.newest_id()
    writer = threading.Thread(target=_write, args=(path, is_over))
    writer.start()
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    is_over.set()
    writer.join()
    with Store.open(path) as store:
        written = store.observations.newest_id() - before
    times.sort()
    row = (
        str(CLIENTS), str(len(times)), f"{written:,}", str(len(failures)), ms(middle(times)),
        ms(percentile(times, 0.95)),
    )  # fmt: skip
    return Section(
        f"Clients of MCP servers at once over {count:,} observations",
        "Each with a server of its own, beside one process that adds without a pause; milliseconds.",
        ("clients", "searches", "added meanwhile", "errors", "p50", "p95"),
        [row],
    )


def _write(path: Path, is_over: threading.Event) -> None:
    with Store.open(path) as store:
        while not is_over.is_set():
            store.observations.add("bench-mcp", title="written meanwhile", project="bench")


def _run(command: list[str]) -> float:
    start = perf_counter()
    subprocess.run(command, stdout=subprocess.PIPE, check=True)
    return (perf_counter() - start) * 1000
