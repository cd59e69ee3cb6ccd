"""Count the files of `store/` and `tui/` in which a flow calls a function."""

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from inspect import CO_OPTIMIZED
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import cast
from unittest.mock import patch

from textual.geometry import Region
from textual.strip import Strip

import memtui
from bench.report import Section, environment
from memtui.store import Store, capture
from memtui.store.capture.demo import fill
from memtui.store.platform.clock import now_ms

ROOT = Path(__file__).parents[1]
PACKAGE = f"{memtui.__path__[0]}/"
HOOK = str(Path(capture.__path__[0]) / "hook.py")

TRACED = """
import fcntl, os, runpy, sys, threading
out = os.open(sys.argv[1], os.O_WRONLY | os.O_APPEND | os.O_CREAT)
# What a hook leaves behind closes the files of lower numbers.
out = fcntl.fcntl(out, fcntl.F_DUPFD, 256)
root, sys.argv = sys.argv[2], sys.argv[3:]
sys.path.insert(0, root)
from bench.flows import is_called
seen = set()
def look(frame, event, _):
    name = frame.f_code.co_filename
    if name not in seen and event == "call" and is_called(frame):
        seen.add(name)
        os.write(out, name.encode() + b"\\n")
threading.setprofile(look)
sys.setprofile(look)
runpy.run_path(sys.argv[0], run_name="__main__")
"""
"""A program that writes the name of each file as it first runs through it; the process may end at
any moment. Arguments: where to, the path of the packages, then the program and its arguments."""


def is_called(frame: FrameType) -> bool:
    """Return whether a frame runs a function, outside the import of any module."""
    if not frame.f_code.co_flags & CO_OPTIMIZED:
        return False
    caller: FrameType | None = frame
    while caller is not None:
        if caller.f_code.co_filename.startswith("<frozen importlib"):
            return False
        caller = caller.f_back
    return True


class Trace:
    """The files through which this process runs while `on`."""

    def __init__(self) -> None:
        self.on = False
        self.files: set[str] = set()

    def look(self, frame: FrameType, event: str, _: object) -> None:
        """Note the file of a call; for `sys.setprofile`."""
        name = frame.f_code.co_filename
        if self.on and event == "call" and name not in self.files and is_called(frame):
            self.files.add(name)

    @contextmanager
    def flow(self) -> Iterator[None]:
        """Note the files of what is done inside."""
        self.files.clear()
        self.on = True
        try:
            yield
        finally:
            self.on = False


def measure() -> Section:
    """The section on flows."""
    trace = Trace()
    threading.setprofile(trace.look)
    sys.setprofile(trace.look)
    try:
        with TemporaryDirectory() as folder:
            flows = {
                "`store.observations.add`": (add(trace, Path(folder)), 10),
                "`store.search`": (search(trace, Path(folder)), 17),
                "a keystroke in the query line, to the painted hits": (
                    asyncio.run(keystroke(trace, Path(folder))),
                    40,
                ),
            }
    finally:
        threading.setprofile(None)
        sys.setprofile(None)
    with TemporaryDirectory() as folder:
        flows["a hook's events of a session, to its summary"] = (session(Path(folder)), 50)
    rows = [(name, str(len(files)), str(most)) for name, (files, most) in flows.items()]
    return Section(
        "Flows",
        "Files of `store/` and `tui/` in which a function is called, imports aside, by `sys.setprofile`.",
        ("flow", "files", "hold at most"),
        rows,
    )


def ours(files: set[str]) -> set[str]:
    """Those of these files that lie in `store/` or `tui/`, by their paths from there."""
    return {name.removeprefix(PACKAGE) for name in files if name.startswith(PACKAGE)}


def add(trace: Trace, folder: Path) -> set[str]:
    """Add an observation to a session that exists."""
    with Store.open(folder / "add.db") as store:
        owner = store.sessions.start("c-1", agent="claude-code", project="atlas")
        store.observations.add(owner, title="Fixed a token refresh", type="bugfix")
        with trace.flow():
            store.observations.add(
                owner, title="Fixed the token refresh", type="bugfix", facts=["TTL is 24 h"]
            )
        return ours(trace.files)


def search(trace: Trace, folder: Path) -> set[str]:
    """Search for two words since a day."""
    with Store.open(folder / "search.db") as store:
        fill(store, now=now_ms())
        with trace.flow():
            assert store.find("token refresh since:2020-01-01").page().hits
        return ours(trace.files)


async def keystroke(trace: Trace, folder: Path) -> set[str]:
    """Type the last letter of a word into the query line of the open browser."""
    from memtui.tui.app import MemApp
    from memtui.tui.search.screen import SearchScreen
    from tests.tui.patience import idle

    path = folder / "browser.db"
    with Store.open(path) as store:
        fill(store, now=now_ms())
    app = MemApp(path)
    async with app.run_test(size=(120, 40)) as pilot:
        await idle(pilot)
        await pilot.press(*"toke")
        await idle(pilot)
        results, painted = cast(SearchScreen, app.screen).results, asyncio.Event()
        paint = results.list.render_lines

        def watched(crop: Region) -> list[Strip]:
            lines = paint(crop)
            if results.asked.query.text == "token":
                # What follows (the memory beside, its timeline, counts, facets) delays no hit.
                trace.on = False
                painted.set()
            return lines

        with patch.object(results.list, "render_lines", watched), trace.flow():
            app.simulate_key("n")
            await painted.wait()
        return ours(trace.files)


def session(folder: Path) -> set[str]:
    """A tool use and a reply by the hook, and the end of their session, which makes its summary."""
    memory, listed = folder / "memory.db", folder / "files"
    Store.open(memory).close()
    events: list[dict[str, object]] = [
        {
            "hook_event_name": "PostToolUse",
            "tool_name": "Edit",
            "tool_use_id": "t-1",
            "tool_input": {"file_path": "auth.py", "old_string": "a", "new_string": "b"},
            "tool_response": {"filePath": "auth.py"},
        },
        {"hook_event_name": "Stop", "last_assistant_message": "The token is refreshed in time."},
        {"hook_event_name": "SessionEnd", "reason": "exit"},
    ]
    shell = {**environment(memory), "MEMTUI_HOOK_SECONDS": "60"}
    # What one end of a session has no time for is the next one's.
    for event in [*events, *events[-1:] * 5]:
        told = {"session_id": "c-1", "cwd": str(folder), "transcript_path": "", **event}
        subprocess.run(
            (sys.executable, "-c", TRACED, str(listed), str(ROOT), HOOK, "claude-code"),
            input=json.dumps(told).encode(),
            env=shell,
            stdout=subprocess.DEVNULL,
            check=True,
        )
    with Store.open(memory) as store:
        assert store.find("kind:summary").page().hits, "the session has no summary"
    return ours(set(listed.read_text().split("\n")))
