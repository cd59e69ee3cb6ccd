"""Have a second process of this interpreter work ahead: what it yields comes through a pipe, in order.

It only reads, and tells nobody but this process: if it can't be started, or ends too early, the rest is
done here, and whoever kills this one ends it with the next thing that it writes.
"""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from functools import partial
from itertools import islice
from pathlib import Path
from queue import Queue
from threading import Thread
from typing import IO, NamedTuple, TypeVar

from ...platform.processes import processors
from .report import Progress

T = TypeVar("T")

START = f"import sys; sys.path[:] = sys.argv[1:]; from {__name__} import serve; serve()"
PACKAGES = str(Path(__file__).parents[4])
"""Where this package lies, which not every way of installing it puts into `sys.path`."""

WIDTH = 4
"""Bytes of the number before each item: of how many bytes that is. The last one is of none."""

waiting: Queue[bytes] = Queue(maxsize=1)
"""The pickled item or step that the second process has made and not yet written."""


class _Step(NamedTuple):
    done: int
    total: int
    what: str


@contextmanager
def working_ahead(
    here: Callable[[], Iterator[T]],
    there: Callable[..., Iterator[T]],
    *arguments: object,
    progress: Progress | None = None,
) -> Iterator[Iterator[T]]:
    """Give what `here()` yields, made by `there(*arguments)` in a second process where it can be.

    Both yield the same. `there` is a function of a module, and its arguments and items can be pickled.
    With `progress`, `there` is given a `progress` too, and each call of it comes here in its turn.
    No more than two items wait. The process has ended when the block has.
    """
    work = partial(there, *arguments, progress=_send) if progress else partial(there, *arguments)
    process = _started(work) if processors() > 1 else None
    try:
        yield _items(here, process, progress)
    finally:
        if process is not None:
            process.kill()
            process.wait()
            assert process.stdout is not None
            process.stdout.close()


def serve() -> None:
    """Read a function from the standard input, and write what it yields to the standard output: the work
    of the second process."""
    # An interrupt at the keyboard reaches both processes, and the other one ends this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    make = pickle.load(sys.stdin.buffer)
    # What anything prints must not come between the items.
    output = os.dup(sys.stdout.fileno())
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    writer = Thread(target=_write, args=(output,), daemon=True)
    writer.start()
    for item in make():
        waiting.put(pickle.dumps(item, pickle.HIGHEST_PROTOCOL))
    waiting.put(b"")
    writer.join()


def _send(done: int, total: int, what: str) -> None:
    """Tell the first process how far the second one has come."""
    waiting.put(pickle.dumps(_Step(done, total, what), pickle.HIGHEST_PROTOCOL))


def _write(output: int) -> None:
    """Write items until one is empty; end the process when nobody reads them any more."""
    item = None
    with open(output, "wb", buffering=0) as pipe:
        while item != b"":
            item = waiting.get()
            try:
                for part in (len(item).to_bytes(WIDTH, "big"), item):
                    left = memoryview(part)
                    while left:
                        left = left[pipe.write(left) :]
            except OSError:
                os._exit(1)


def _started(work: Callable[[], Iterator[T]]) -> subprocess.Popen[bytes] | None:
    try:
        process = subprocess.Popen(
            [sys.executable, "-S", "-c", START, PACKAGES, *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    except (OSError, ValueError):
        return None
    assert process.stdin is not None
    with suppress(OSError), closing(process.stdin):
        pickle.dump(work, process.stdin)
    return process


def _items(
    here: Callable[[], Iterator[T]], process: subprocess.Popen[bytes] | None, progress: Progress | None
) -> Iterator[T]:
    done = 0
    if process is not None:
        assert process.stdout is not None
        while (item := _read(process.stdout)) is not None:
            if not item:
                return
            value = pickle.loads(item)
            if isinstance(value, _Step):
                if progress:
                    progress(*value)
            else:
                done += 1
                yield value
    yield from islice(here(), done, None)


def _read(pipe: IO[bytes]) -> bytes | None:
    """Read the next item, empty after the last one; None where the process ended before."""
    try:
        head = pipe.read(WIDTH)
        size = int.from_bytes(head, "big")
        result = pipe.read(size)
    except OSError:
        return None
    return result if len(head) == WIDTH and len(result) == size else None
