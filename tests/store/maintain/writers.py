"""Processes that write to a memory, one thing after the other, until they are told to stop; each
notes what was acknowledged."""

import json
import multiprocessing
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from memtui.store import Store
from memtui.store.capture.ingest.drain import drain
from memtui.store.cli import lean_add as lean
from memtui.store.platform.errors import StoreError
from memtui.store.platform.paths import make_spool_directory

_context = multiprocessing.get_context("spawn")


@contextmanager
def writers_beside(path: Path, kinds: tuple[str, ...], folder: Path) -> Iterator[Callable[[], None]]:
    """Have a process of each kind (`store`, `lean`, `hooks`) write while the block runs, which is given
    what waits until each has written something that it began only then.

    `hooks` writes events into the spool and drains it; what is stored is acknowledged, and what waits
    is stored by the next reader.
    """
    stop = folder / "stop"
    stop.unlink(missing_ok=True)
    notes = {kind: folder / f"{kind}.txt" for kind in kinds}
    for note in notes.values():
        note.unlink(missing_ok=True)
    started = [_context.Process(target=_write, args=(kind, path, notes[kind], stop)) for kind in kinds]
    for process in started:
        process.start()

    def wait_for(counts: dict[str, int]) -> None:
        while any(_count(notes[kind]) < count for kind, count in counts.items()):
            assert all(process.is_alive() for process in started)
            time.sleep(0.01)

    def go_on() -> None:
        # The next that each acknowledges may be written already.
        wait_for({kind: _count(note) + 2 for kind, note in notes.items()})

    try:
        wait_for(dict.fromkeys(kinds, 1))
        yield go_on
    finally:
        stop.touch()
        for process in started:
            process.join()
    assert [process.exitcode for process in started] == [0] * len(started)


def acknowledged(folder: Path) -> set[str]:
    """The titles of all that was acknowledged."""
    return {line for note in folder.glob("*.txt") for line in note.read_text().splitlines()}


def _count(note: Path) -> int:
    """How many were acknowledged in one of the files."""
    return note.read_bytes().count(b"\n") if note.exists() else 0


def append_event(path: Path, prompt: str) -> None:
    """Append an event to the spool, as a hook does."""
    event = {"hook_event_name": "UserPromptSubmit", "session_id": "c-9", "prompt": prompt}
    at = int(time.time() * 1000)
    line = f'{{"at":{at},"took":1,"agent":"claude-code","env":[],"cwd":"/","event":{json.dumps(event)}}}'
    descriptor = os.open(
        make_spool_directory(path) / f"{time.strftime('%Y-%m-%d', time.gmtime())}.jsonl",
        os.O_APPEND | os.O_CREAT | os.O_WRONLY,
        0o600,
    )
    os.write(descriptor, f"\n{line}\n".encode())
    os.close(descriptor)


def _write(kind: str, path: Path, note: Path, stop: Path) -> None:
    with note.open("a", buffering=1) as notes:
        number = 1
        with Store.open(path) as store:
            while not stop.exists():
                title = f"{kind}-{note.parent.name}-{number}"
                if kind == "hooks":
                    append_event(path, title)
                    drain(store, patience=30)
                elif kind == "store":
                    store.observations.add("c-late", title=title, pinned=number % 7 == 0)
                elif lean.add(["add", title, "--session", "c-lean", "--project", "atlas",
                               "--agent", "codex", "--db", str(path)]) is None:  # fmt: skip
                    # What the lean way leaves to the normal one.
                    try:
                        with Store.open(path) as other:
                            other.observations.add("c-lean", title=title)
                    except StoreError:
                        continue
                notes.write(f"{title}\n")
                number += 1
