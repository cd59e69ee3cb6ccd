"""A model's server on loopback that answers what it is told to, and remembers what it was asked."""

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HUGE = 3_000_000


@dataclass(frozen=True, slots=True)
class Scripted:
    """An answer: `raw` as it stands; `announced` bytes where that is a lie; never where `hangs`."""

    status: int = 200
    raw: bytes = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    announced: int | None = None
    hangs: bool = False


Answers = Callable[[dict[str, Any]], Scripted]


class ScriptedServer:
    """What was asked: bodies and headers, in order."""

    def __init__(self) -> None:
        self.answers: Answers = lambda _: Scripted(500)
        self.bodies: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self.url = ""
        self.done = threading.Event()


@contextmanager
def serving() -> Iterator[ScriptedServer]:
    """The server while the block runs."""
    state = ScriptedServer()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            state.bodies.append(body)
            state.headers.append({name.lower(): value for name, value in self.headers.items()})
            state.paths.append(self.path)
            answer = state.answers(body)
            if answer.hangs:
                state.done.wait(60)
                return
            self.send_response(answer.status)
            size = len(answer.raw) if answer.announced is None else answer.announced
            for name, value in {"Content-Length": str(size), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.raw)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, request: Any, client_address: Any) -> None:
            """Whoever asked is gone already."""

    server = Server(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    state.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield state
    finally:
        state.done.set()
        server.shutdown()
        server.server_close()
        thread.join()
