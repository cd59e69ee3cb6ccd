"""The transport of a server that a client starts: JSON-RPC, a message a line, on standard input and output.

One thread reads, so that a call can be cancelled while another thread works on it; calls are answered in
their order. The end of standard input ends the process.

The SDK would answer too, but importing it takes 1.4 s of CPU, nearly all of it for building its
types, and each client of each agent starts a process. Its own client proves this one in the tests.
"""

from __future__ import annotations

import json
import os
import sys
import threading
from collections import deque
from contextlib import suppress

from .protocol import (
    INTERNAL_ERROR,
    INVALID_REQUEST,
    PARSE_ERROR,
    ProtocolError,
)
from .service import Request, Service

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, BinaryIO

    from .memory import Memory

LONGEST_MESSAGE = 64 << 20
"""Bytes of a message; a longer one is refused without being kept."""
LEAVING_SECONDS = 5.0
"""How long answers are worked on once the client has closed standard input."""
ROOTS_ID = "memtui-roots"
IN_PLACE = frozenset(("initialize", "ping", "server/discover"))
"""What is answered while something else is being worked on."""


class Stdio:
    """A server on two streams of bytes."""

    def __init__(self, memory: Memory, source: BinaryIO, sink: BinaryIO) -> None:
        self.service = Service(memory, self._notify)
        self.memory = memory
        self.source, self.sink = source, sink
        self._writing = threading.Lock()
        self._work: deque[Request] = deque()
        self._is_there_work = threading.Condition()
        self._running: Request | None = None
        self._is_over = False

    def serve(self) -> None:
        """Answer until standard input ends, or standard output is closed."""
        worker = threading.Thread(target=self._work_on, daemon=True, name="calls")
        worker.start()
        with suppress(KeyboardInterrupt):
            self._read()
        with self._is_there_work:
            self._is_over = True
            self._is_there_work.notify()
        worker.join(LEAVING_SECONDS)
        if worker.is_alive():
            self.memory.interrupt()
            worker.join(LEAVING_SECONDS)
        if not worker.is_alive():
            self.memory.close()

    def _read(self) -> None:
        while not self._is_over and (line := self.source.readline(LONGEST_MESSAGE + 1)):
            if len(line) > LONGEST_MESSAGE:
                while line and not line.endswith(b"\n"):
                    line = self.source.readline(LONGEST_MESSAGE)
                self._refuse(f"A message is longer than {LONGEST_MESSAGE:,} bytes.")
            elif line.strip():
                self._take(line)

    def _take(self, line: bytes) -> None:
        """Take one message: a request, a notification, or the answer to a request of ours."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            self._send_error(None, ProtocolError(PARSE_ERROR, "Parse error: this is not JSON"))
            return
        if not isinstance(message, dict) or message.get("jsonrpc") != "2.0":
            self._refuse("A message is one object of JSON-RPC 2.0.")
            return
        if "method" not in message:
            if message.get("id") == ROOTS_ID and isinstance(message.get("result"), dict):
                self.service.client.take_roots(message["result"].get("roots"))
            return
        method, number, params = message["method"], message.get("id"), message.get("params", {})
        is_request = "id" in message
        if is_request and not _is_id(number):
            self._refuse("A request's id is a text or a whole number.")
        elif not isinstance(method, str) or not isinstance(params, dict):
            if is_request:
                error = ProtocolError(INVALID_REQUEST, "method is a text, and params an object.")
                self._send_error(number, error)
        elif not is_request:
            self._take_notification(method, params)
        elif method in IN_PLACE:
            self._answer(Request(number, method, params))
            if method != "ping":
                self._warm_up()
        else:
            with self._is_there_work:
                self._work.append(Request(number, method, params))
                self._is_there_work.notify()

    def _take_notification(self, method: str, params: dict[str, Any]) -> None:
        if method == "notifications/cancelled":
            self._cancel(params.get("requestId"))
        elif (
            method in ("notifications/initialized", "notifications/roots/list_changed")
            and "roots" in self.service.client.capabilities
        ):
            self._send({"jsonrpc": "2.0", "id": ROOTS_ID, "method": "roots/list"})

    def _cancel(self, number: object) -> None:
        with self._is_there_work:
            for request in [*self._work, *([self._running] if self._running else [])]:
                if request.id == number and type(request.id) is type(number):
                    request.is_cancelled = True
                    if request is self._running:
                        self.memory.interrupt()

    def _warm_up(self) -> None:
        """Open the memory before it is asked for."""
        with self._is_there_work:
            self._work.append(Request(None, "", {}))
            self._is_there_work.notify()

    def _work_on(self) -> None:
        while True:
            with self._is_there_work:
                self._running = None
                while not self._work and not self._is_over:
                    self._is_there_work.wait()
                if not self._work:
                    return
                request = self._running = self._work.popleft()
            if request.id is None:
                self.service.warm_up()
            elif not request.is_cancelled:
                self._answer(request)

    def _answer(self, request: Request) -> None:
        try:
            result = self.service.answer(request)
        except ProtocolError as error:
            if not request.is_cancelled:
                self._send_error(request.id, error)
        except Exception as error:
            if not request.is_cancelled:
                print(f"{request.method}: {type(error).__name__}: {error}", file=sys.stderr)
                self._send_error(request.id, ProtocolError(INTERNAL_ERROR, "Internal error"))
        else:
            if not request.is_cancelled:
                self._send({"jsonrpc": "2.0", "id": request.id, "result": result})

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def _refuse(self, sentence: str) -> None:
        self._send_error(None, ProtocolError(INVALID_REQUEST, sentence))

    def _send_error(self, number: object, error: ProtocolError) -> None:
        self._send({"jsonrpc": "2.0", "id": number, "error": error.body})

    def _send(self, message: dict[str, Any]) -> None:
        # What is stored may hold half of a pair, which no strict reader takes.
        line = json.dumps(message, ensure_ascii=False).encode("utf-8", "replace") + b"\n"
        with self._writing:
            try:
                self.sink.write(line)
                self.sink.flush()
            except (BrokenPipeError, ValueError):
                self._is_over = True


def serve(memory: Memory) -> None:
    """Serve the client on standard input and output. What else is printed goes to standard error: only
    the protocol may stand on standard output."""
    sys.stdout.flush()
    if os.isatty(0):
        from ..platform.translation import _

        print(
            _("This is a server that agents start (docs/agents.md). Ctrl+D ends it."),
            file=sys.stderr,
        )
    wire = os.dup(1)
    os.dup2(2, 1)
    with os.fdopen(0, "rb", closefd=False) as source, os.fdopen(wire, "wb") as sink:
        Stdio(memory, source, sink).serve()
        # The client may be gone when what is buffered is written.
        with suppress(BrokenPipeError):
            sink.close()


def _is_id(value: object) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool)
