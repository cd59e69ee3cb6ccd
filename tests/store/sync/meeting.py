"""Two stores that meet over a pair of sockets, in two threads."""

import socket
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import BinaryIO, cast

from memtui.store import Store, StoreError
from memtui.store.leaves.sync.channel import Channel, Outcome, SyncError, Wishes
from memtui.store.leaves.sync.exchange import answer, begin


class CutWriter:
    """A stream that ends after so many bytes, as a machine does that is switched off."""

    def __init__(self, file: BinaryIO, left: int) -> None:
        self.file = file
        self.left = left

    def write(self, data: bytes) -> int:
        self.file.write(data[: self.left])
        self.left -= len(data)
        if self.left < 0:
            self.file.flush()
            raise BrokenPipeError("cut")
        return len(data)

    def flush(self) -> None:
        self.file.flush()


def meet(
    ours: Store,
    theirs: Store,
    wishes: Wishes | None = None,
    *,
    cut_ours: int | None = None,
    cut_theirs: int | None = None,
    open_theirs: Callable[[], Store] | None = None,
) -> tuple[Outcome | None, bytes]:
    """Have one store meet another, each side cut after so many bytes if wanted; what came of it for the
    first, None where it ended in the middle, and all that the two sent."""
    here, there = socket.socketpair()
    path = theirs.path
    sent: list[bytes] = []

    def serve() -> None:
        try:
            with open_theirs() if open_theirs else Store.open(path) as store, suppress(StoreError, OSError):
                answer(store, channel_of(there, sent, cut_theirs))
        finally:
            # Also after an error, whose frames keep the socket's files: the other side would wait for ever.
            with suppress(OSError):
                there.shutdown(socket.SHUT_RDWR)
            there.close()

    thread = Thread(target=serve)
    thread.start()
    outcome = None
    try:
        with here:
            outcome = begin(ours, channel_of(here, sent, cut_ours), wishes)
    except SyncError:
        if cut_ours is None and cut_theirs is None:
            raise
    finally:
        thread.join()
    return outcome, b"".join(sent)


class Noted:
    """A writer of which all is noted."""

    def __init__(self, file: BinaryIO, sent: list[bytes]) -> None:
        self.file = file
        self.sent = sent

    def write(self, data: bytes) -> int:
        self.sent.append(bytes(data))
        return self.file.write(data)

    def flush(self) -> None:
        self.file.flush()


def channel_of(end: socket.socket, sent: list[bytes], cut: int | None) -> Channel:
    reader, writer = cast(BinaryIO, end.makefile("rb")), cast(BinaryIO, end.makefile("wb"))
    noted = cast(BinaryIO, Noted(writer, sent))
    return Channel(reader, noted if cut is None else cast(BinaryIO, CutWriter(noted, cut)))


def stores(folder: Path, *names: str) -> list[Store]:
    """New stores, each of a machine of its own."""
    return [Store.open(folder / f"{name}.db") for name in names]


def change_on_both(one: Store, other: Store) -> None:
    """Have both stores change the text of an observation before they meet again."""
    made = one.observations.add("c-1", title="Retry", narrative="three times")
    meet(one, other)
    one.edit(made.uid, {"narrative": "four times, with a jitter"})
    other.edit(made.uid, {"narrative": "twice, and then a pause"})
    meet(one, other)
