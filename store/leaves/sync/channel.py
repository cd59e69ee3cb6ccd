"""Messages of an exchange over a pair of byte streams: lines of JSON, of bounded length."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

from ...platform.errors import StoreError
from ...platform.translation import _
from ...text import clean

MAGIC = "memtui-sync"
LONGEST = 16 * 1024 * 1024
"""Bytes of the longest line that is sent or read."""
NONSENSE = _("The other side sent something that is not a line of an exchange.")
TOO_LONG = _("is longer than {most} bytes, and stays here", most=f"{LONGEST:,}")
NOISE_LINES = 200
"""So many lines are passed over before the other side's first: what a login shell says."""


class SyncError(StoreError):
    """Two stores could not meet; what was stored until then stays, and the next meeting goes on."""


class Channel:
    """Messages over a pair of streams."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self.reader = reader
        self.writer = writer
        self.sent_bytes = 0
        self.received_bytes = 0

    def send(self, message: object, *, flush: bool = True) -> None:
        """Send a message, which JSON can say."""
        self.send_line(encoded(message), flush=flush)

    def send_line(self, data: bytes, *, flush: bool = True) -> None:
        """Send what `encoded` made of a message."""
        self.sent_bytes += len(data)
        try:
            self.writer.write(data)
            if flush:
                self.writer.flush()
        except (OSError, ValueError) as error:
            raise SyncError(
                "The other side is gone ({error}); the next sync goes on.", error=error
            ) from error

    def receive(self) -> Any:
        """Return the next message. Raises SyncError where there is none."""
        line = self._line()
        if not line.endswith(b"\n"):
            if len(line) == LONGEST:
                raise SyncError(
                    "The other side sent a line of more than {longest} bytes.", longest=f"{LONGEST:,}"
                )
            raise SyncError("The other side ended in the middle; the next sync goes on.")
        message = _decoded(line)
        if isinstance(message, dict) and isinstance(message.get("error"), str):
            raise SyncError(message["error"])
        return message

    def receive_first(self) -> dict[str, Any]:
        """Return the other side's first message, after whatever its login shell says."""
        for _line_number in range(NOISE_LINES):
            line = self._line()
            if not line:
                break
            if line.startswith(b'{"' + MAGIC.encode()) and line.endswith(b"\n"):
                message: dict[str, Any] = _decoded(line)
                if "error" in message:
                    raise SyncError(str(message["error"]))
                return message
        raise SyncError("Nobody answered there: is memtui installed, and `mem` on its PATH?")

    def _line(self) -> bytes:
        try:
            line = self.reader.readline(LONGEST)
        except (OSError, ValueError) as error:
            raise SyncError("The other side can't be read ({error}).", error=error) from error
        self.received_bytes += len(line)
        return line


def encoded(message: object) -> bytes:
    """Return a message as a line."""
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def _decoded(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise SyncError(NONSENSE) from error


def object_of(message: object) -> dict[str, Any]:
    """Return a message that is an object. Raises SyncError."""
    if not isinstance(message, dict):
        raise SyncError(NONSENSE)
    return message


def text_of(item: object) -> str:
    """Return what is a text that can be stored. Raises SyncError."""
    if not isinstance(item, str) or clean(item) != item:
        raise SyncError(NONSENSE)
    return item


def counts_of(message: object) -> dict[str, int]:
    """Return a message that is an object of numbers. Raises SyncError."""
    counts = object_of(message)
    if not all(type(number) is int for number in counts.values()):
        raise SyncError(NONSENSE)
    return counts
