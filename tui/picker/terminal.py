"""The terminal that a picker is drawn on, wherever its standard streams lead."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from memtui.store.cli.picking import TERMINAL, terminal_path


@contextmanager
def on_terminal() -> Iterator[None]:
    """Have the terminal as all three standard streams in the block: Textual draws on standard error,
    reads keys from standard input, and asks standard output for the size. Raises OSError where there
    is none."""
    _flush()
    terminal = os.open(terminal_path() or TERMINAL, os.O_RDWR | os.O_NOCTTY)
    streams = range(3)
    kept = [_copy(number) for number in streams]
    try:
        for number in streams:
            os.dup2(terminal, number)
        os.close(terminal)
        yield
    finally:
        _flush()
        for number, copy in zip(streams, kept, strict=True):
            os.dup2(copy, number)
            os.close(copy)


def _copy(number: int) -> int:
    """A copy of a stream; of one that is closed, a way to nowhere."""
    try:
        return os.dup(number)
    except OSError:
        return os.open(os.devnull, os.O_RDWR)


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
