"""Clients at once beside writers, cancelled calls, and what is asked while another call is worked on."""

import asyncio
import json
import threading
from pathlib import Path

import pytest

from memtui.store import Store

from .clients import connected, text_of, wire

CLIENTS, CALLS = 8, 12


@pytest.mark.long
async def test_clients_at_once_beside_a_writer_meet_no_error(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        for number in range(50):
            store.observations.add("c-1", title=f"drift {number}", project="atlas")
    is_over = threading.Event()
    failures: list[str] = []
    written: list[int] = []

    def write() -> None:
        with Store.open(path) as store:
            while not is_over.is_set():
                written.append(store.observations.add("c-2", title="written meanwhile").id)

    async def ask(number: int) -> None:
        async with connected(path, name="codex-mcp-client") as client:
            for turn in range(CALLS):
                arguments = {"query": f"drift {turn}"}
                if turn % 4 == 3:
                    arguments = {"kind": "observation", "text": f"by {number} in {turn}"}
                tool = "add" if turn % 4 == 3 else "search"
                result = await client.call_tool(tool, arguments)
                if result.is_error:
                    failures.append(text_of(result))

    writer = threading.Thread(target=write)
    writer.start()
    try:
        await asyncio.gather(*(ask(number) for number in range(CLIENTS)))
    finally:
        is_over.set()
        writer.join()
    assert failures == []
    with Store.open(path) as store:
        assert len(store.find("by").page().hits) == CLIENTS * CALLS // 4
        assert store.doctor(thorough=True).ok
    assert written


@pytest.mark.long
def test_a_cancelled_call_is_never_answered_and_the_next_one_is(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Store.open(path) as store:
        for number in range(2_000):
            store.observations.add("c-1", title=f"drift {number}", narrative="clock " * 50)
    with wire(path) as server:
        asked = [
            ("drift clock", 1),
            *((f"clock {number}", number) for number in range(2, 12)),
            ("drift", 12),
        ]
        calls: list[dict[str, object]] = [
            {"id": number, "method": "tools/call",
             "params": {"name": "search", "arguments": {"query": query}}}
            for query, number in asked
        ]  # fmt: skip
        cancelling: list[dict[str, object]] = [
            {"method": "notifications/cancelled", "params": {"requestId": number}}
            for number in range(11, 1, -1)
        ]
        # In one piece: the calls wait for the first one while they are cancelled.
        lines = [json.dumps({"jsonrpc": "2.0", **one}) for one in [*calls[:-1], *cancelling, calls[-1]]]
        server.write("\n".join(lines).encode())
        first, cancelled, last = 1, range(2, 12), 12
        answers = [server.read()]
        while answers[-1]["id"] != last:
            answers.append(server.read())
    ids = [answer["id"] for answer in answers]
    assert ids[0] == first and ids[-1] == last
    assert cancelled[-1] not in ids
    assert answers[-1]["result"]["isError"] is False


def test_a_ping_is_answered_while_calls_wait(tmp_path: Path) -> None:
    with wire(tmp_path / "memory.db") as server:
        calls = {
            server.send("tools/call", name="add", arguments={"kind": "observation", "text": f"t {n}"})
            for n in range(40)
        }
        ping = server.send("ping")
        order = [server.read()["id"] for _ in range(len(calls) + 1)]
    assert set(order) == calls | {ping}
    assert order.index(ping) < len(order) - 1


def test_what_was_asked_is_answered_when_standard_input_ends(tmp_path: Path) -> None:
    with wire(tmp_path / "memory.db") as server:
        for number in range(5):
            server.send("tools/call", name="add", arguments={"kind": "observation", "text": f"t {number}"})
        assert server.process.stdin is not None and server.process.stdout is not None
        server.process.stdin.close()
        left = [json.loads(line) for line in server.process.stdout]
    assert len(left) == 5 and not any(one["result"]["isError"] for one in left)
