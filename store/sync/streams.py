"""Streams of a program at the other end of a pipe, which is not waited for without an end."""

from __future__ import annotations

import io
import os
import select
from typing import Any, BinaryIO, cast

from ..translation import _

SILENCE_SECONDS = 300
"""How long the other side may say nothing, or not take what it is sent."""
PIECE = select.PIPE_BUF
"""Bytes that are written at once where there is room for any."""


def patient(reader: BinaryIO, writer: BinaryIO) -> tuple[BinaryIO, BinaryIO]:
    """Return two streams that raise TimeoutError where theirs are not ready for `SILENCE_SECONDS`.
    Nothing may have been read from these before."""
    incoming = io.BufferedReader(_Reader(reader), io.DEFAULT_BUFFER_SIZE)
    return cast(BinaryIO, incoming), cast(BinaryIO, io.BufferedWriter(_Writer(writer)))


class _Raw(io.RawIOBase):
    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def _ready(self, event: int) -> int:
        """Wait until something can be read or written, and return the descriptor: of a stream that was
        closed, the number may be another file's."""
        descriptor = self.stream.fileno()
        poll = select.poll()
        poll.register(descriptor, event)
        if not poll.poll(SILENCE_SECONDS * 1000):
            raise TimeoutError(_("it was silent for {seconds} s", seconds=SILENCE_SECONDS))
        return descriptor


class _Reader(_Raw):
    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return os.readv(self._ready(select.POLLIN), [buffer])


class _Writer(_Raw):
    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return os.write(self._ready(select.POLLOUT), memoryview(data)[:PIECE])
