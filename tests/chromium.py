"""A headless Chromium that tests look at pages with, spoken to over pipes in its DevTools protocol.

Where there is none, whoever asks for one is skipped.
"""

import base64
import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pytest

PROGRAM = shutil.which("chromium") or shutil.which("chromium-browser")
PATIENCE = 30.0
"""Seconds that a page may take until something holds."""
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-extensions", "--disable-dev-shm-usage", "--remote-debugging-pipe",
)  # fmt: skip

ON_3_AND_4 = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.dup2(int(sys.argv[2]), 4)
os.execv(sys.argv[3], sys.argv[3:])
"""

needs_chromium = pytest.mark.skipif(PROGRAM is None, reason="needs Chromium (the Debian package)")


LEFT = "Inspected target navigated or closed"


STARTS = 3
"""How often Chromium is started before its end is a failure: on a busy machine it may end as it begins."""


class PageIsLeftError(Exception):
    """A page was left while it was asked something."""


class EndedError(AssertionError):
    """Chromium has ended."""


class Page:
    """One page of a running Chromium. `requests` are the addresses that it has asked for, `complaints`
    what its scripts threw and what its policy refused, `received` what its WebSockets were sent."""

    def __init__(self, reads: int, writes: int) -> None:
        self._reads, self._writes = reads, writes
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.requests: list[str] = []
        self.complaints: list[str] = []
        self.received = b""

    def attach(self) -> None:
        """Open a page and have it tell what it does."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method: str, **values: Any) -> Any:
        """Call a method of the protocol, and return its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": values}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._writes, json.dumps(message).encode() + b"\0")
        while True:
            found = self._read()
            if found.get("id") == self._number:
                if LEFT in str(found.get("error")):
                    raise PageIsLeftError(method)
                assert "error" not in found, (method, found["error"])
                return found["result"]

    def close(self) -> None:
        """Have all of Chromium end."""
        os.write(self._writes, json.dumps({"id": 0, "method": "Browser.close"}).encode() + b"\0")

    def open(self, address: str, ready: str = "document.readyState === 'complete'") -> None:
        """Go to an address, and wait until an expression holds there."""
        self.call("Page.navigate", url=address)
        self.until(f"location.href !== 'about:blank' && {ready}")

    def run(self, expression: str) -> Any:
        """Return what an expression in JavaScript comes to."""
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def until(self, expression: str) -> None:
        """Wait until an expression holds."""
        end = monotonic() + PATIENCE
        while not self._holds(expression):
            assert monotonic() < end, f"It never held: {expression}"

    def _holds(self, expression: str) -> bool:
        try:
            return bool(self.run(f"Boolean({expression})"))
        except PageIsLeftError:
            return False

    def until_received(self, text: str) -> None:
        """Wait until a WebSocket was sent a text, in one piece."""
        end = monotonic() + PATIENCE
        while text.encode() not in self.received:
            assert monotonic() < end, f"{text} was never sent"
            self.run("new Promise((done) => setTimeout(done, 50))")

    def press(self, key: str, text: str = "") -> None:
        """Press a key, by its name in JavaScript."""
        values: dict[str, Any] = {"key": key, "text": text or (key if len(key) == 1 else "")}
        if key == "Enter":
            values |= {"text": "\r", "code": "Enter", "windowsVirtualKeyCode": 13}
        self.call("Input.dispatchKeyEvent", type="keyDown", **values)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def type(self, text: str) -> None:
        """Type a text, or have an input method give it."""
        self.call("Input.insertText", text=text)

    def sees(self, *, dark: bool = False, width: int = 1280, height: int = 900) -> None:
        """Have the page seen in a window of that size by somebody who likes it dark or light."""
        features = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.call(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=False,
        )  # fmt: skip

    def picture(self, path: Path) -> None:
        """Write what is seen as a PNG."""
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot")["data"]))

    def _read(self) -> dict[str, Any]:
        # However busy the machine is: the end of Chromium is the end of the pipe.
        while b"\0" not in self._buffer:
            got = os.read(self._reads, 1 << 20)
            if not got:
                raise EndedError("Chromium is gone")
            self._buffer += got
        message, _, self._buffer = self._buffer.partition(b"\0")
        found: dict[str, Any] = json.loads(message)
        self._note(found.get("method", ""), found.get("params", {}))
        return found

    def _note(self, method: str, values: dict[str, Any]) -> None:
        if method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])
        elif method == "Network.webSocketCreated":
            self.requests.append(values["url"])
        elif method == "Network.webSocketFrameReceived" and values["response"]["opcode"] == 2:
            self.received += base64.b64decode(values["response"]["payloadData"])
        elif method == "Runtime.exceptionThrown":
            self.complaints.append(json.dumps(values["exceptionDetails"]))
        elif method == "Log.entryAdded" and values["entry"]["level"] == "error":
            self.complaints.append(values["entry"]["text"])
        elif method == "Page.javascriptDialogOpening":
            self.complaints.append(f"a dialog: {values['message']}")


@contextmanager
def chromium(profile: Path) -> Iterator[Page]:
    """Start Chromium with a new profile, and end it with the block."""
    for left in reversed(range(STARTS)):
        with ExitStack() as running:
            page = running.enter_context(_started(profile / str(left)))
            try:
                page.attach()
            except (EndedError, BrokenPipeError):
                if left:
                    continue
                raise
            yield page
            page.close()
            return


@contextmanager
def _started(profile: Path) -> Iterator[Page]:
    assert PROGRAM is not None
    to_read, from_us = os.pipe()
    from_it, to_write = os.pipe()
    # The protocol is spoken on 3 and 4, which may be in use here.
    reads, writes = (fcntl.fcntl(one, fcntl.F_DUPFD, 20) for one in (to_read, to_write))
    os.close(to_read)
    os.close(to_write)
    process = subprocess.Popen(
        [sys.executable, "-c", ON_3_AND_4, str(reads), str(writes), PROGRAM, *FLAGS,
         f"--user-data-dir={profile}"],
        pass_fds=(reads, writes), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(reads)
    os.close(writes)
    try:
        yield Page(from_it, from_us)
    except BaseException:
        process.terminate()
        raise
    finally:
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        os.close(from_it)
        os.close(from_us)
