"""The process that picks: it draws on the terminal, wherever its standard streams lead, first a frame of
its own and then Textual, and prints the answer on standard output."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memtui.store import Hit, Store, StoreError
from memtui.store.capture.ingest.catch_up import open_caught_up
from memtui.store.cli.picking import CANCELLED, NO_MATCH, TERMINAL, PickRequest, terminal_path
from memtui.store.config import BrowserSettings, browser_settings, lists_turns
from memtui.store.platform.translation import _
from memtui.store.text.display import safe

from ...startup import palette
from ...startup.first_frame import (
    ENTER,
    HIDE_CURSOR,
    LEAVE,
    LIST_SHARE,
    RIGHT_COLUMNS,
    WIDE,
    Paint,
    painted,
    rows,
)

if TYPE_CHECKING:
    from ...settings import Found
    from .app import PickerApp


NEWEST = 32
SOON = 0.1
"""Seconds that the first frame waits for hits."""
FAILED = 1


def main(arguments: Sequence[str]) -> int:
    """Let the user pick, print the answer, and return the exit status: 130 for none, 1 where nothing
    matched or it can't be done, which a sentence on standard error tells."""
    # Textual reads it when it is imported. It halves the time from a key to the screen.
    os.environ.setdefault("TEXTUAL_FPS", "120")
    # They would tell Textual of another terminal, or of this one before it was resized.
    for name in ("COLUMNS", "LINES"):
        os.environ.pop(name, None)
    # No collection before the first paint; the app turns it on again.
    gc.disable()
    request = PickRequest.of(list(arguments))
    try:
        path, read_only, hits, is_empty = _read(request)
        if is_empty:
            return _fail(
                _(
                    "There is no memory to pick yet. `mem install` has agents remember, `mem import` "
                    "brings in what there is, `mem add` writes one."
                )
            )
        with on_terminal():
            app, status = _asked(request, path, read_only, hits)
    except StoreError as error:
        return _fail(str(error))
    except OSError as error:
        return _fail(_("The terminal can't be used: {reason}.", reason=error.strerror or error))
    except KeyboardInterrupt:
        return CANCELLED
    if app.is_without_match:
        return NO_MATCH
    if status or app.answer is None:
        return status or CANCELLED
    if request.clipboard:
        print(_("Copied."), file=sys.stderr)
        return 0
    return _print(app.answer)


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


SHOW_CURSOR = "\x1b[?25h"
SAVE, RESTORE, CLEAR_BELOW, DOWN = "\x1b7", "\x1b8", "\x1b[J", "\x1bD"
HEAD_LINES, SHORT_HEAD_LINES, SHORT = 2, 1, 14
"""Lines above the rows; fewer lines than `SHORT` have no title above the list."""


@contextmanager
def frame_shown(
    hits: Sequence[Hit],
    query: str,
    size: tuple[int, int],
    settings: BrowserSettings,
    *,
    lines: int,
    in_line: bool,
) -> Iterator[list[Any]]:
    """Have the query and its hits on a terminal of so many columns and lines while the block runs the
    app; on `lines` of it, or on the whole screen where these are 0. Yield the attributes that the
    terminal had before.

    `in_line` tells that a shell edits its line there: the cursor is where it was afterwards.
    """
    width, height = size
    text = "\r\n".join(frame_lines(hits, query, width, lines or height, settings))
    if not lines:
        start, leave = ENTER + HIDE_CURSOR + "\x1b[2J\x1b[H", LEAVE
        back = ""
    else:
        up = f"\x1b[{lines - 1}A\r"
        # Scrolled first, so that the place that is kept doesn't move.
        place = DOWN * lines + f"\x1b[{lines}A" + SAVE + "\r\n" if in_line else "\r"
        start, leave = HIDE_CURSOR + place + CLEAR_BELOW, SHOW_CURSOR
        text += "\r\n" * (lines - 1 - text.count("\n")) + up
        back = RESTORE if in_line else ""
    with painted(start + text, leave) as before:
        try:
            yield before
        finally:
            # Where Textual's own escape sequences go too.
            assert sys.__stderr__ is not None
            sys.__stderr__.write(back)
            sys.__stderr__.flush()


def frame_lines(
    hits: Sequence[Hit], query: str, width: int, lines: int, settings: BrowserSettings
) -> list[str]:
    """Return the lines of the frame, as many as have something on them."""
    from rich.cells import set_cell_size

    paint = Paint(palette.frame_colours(settings.theme))
    head = SHORT_HEAD_LINES if lines < SHORT else HEAD_LINES
    share = settings.panes.get("search", 100 * LIST_SHARE) / 100
    room = (int(width * share) if width >= WIDE else width) - RIGHT_COLUMNS
    asked = set_cell_size(safe(query), max(0, width - 6)).rstrip()
    results = {0: f"{paint.usual} {paint.accent}❯{paint.usual} {asked}\x1b[K"}
    is_compact = settings.density == "compact"
    for line, row in rows(hits, room, width, is_compact=is_compact):
        if (at := head + line - 1) < lines - 1:
            results[at] = f"{paint.usual} {row}\x1b[K"
    blank = f"{paint.usual}\x1b[K"
    return [results.get(at, blank) for at in range(max(results) + 1)]


def _read(request: PickRequest) -> tuple[Path, bool, Sequence[Hit], bool]:
    """The memory's path, whether it can only be read, the hits of the first frame, and whether there is
    nothing at all."""
    with open_caught_up(request.database) as store:
        newest = store.find("").page(0, NEWEST).hits
        hits = _found(store, request.query) if request.query else newest
        is_empty = not newest and not request.query
        return store.path, store.read_only, hits, is_empty


def _found(store: Store, query: str) -> Sequence[Hit]:
    hits = store.find(query).page(limit=NEWEST, seconds=SOON, turns=lists_turns()).hits
    # Cut while the store is open.
    for hit in hits:
        _ = hit.snippet
    return hits


def _asked(request: PickRequest, path: Path, read_only: bool, hits: Sequence[Hit]) -> tuple[PickerApp, int]:
    """Run the picker on the terminal; return it as it was left, and the status of a crash, else 0."""
    settings: Found = browser_settings()
    size = os.get_terminal_size(0)
    in_line = request.quote_after is not None
    lines = 0
    if request.height:
        lines = request.lines(max(1, size.lines - in_line))
    with frame_shown(
        hits, request.query, (size.columns, size.lines), settings[0], lines=lines, in_line=in_line
    ) as attributes:
        from .app import PickerApp

        app = PickerApp(path, request, lines=lines, read_only=read_only, settings=settings)
        if not lines:
            from ...startup.driver import driver_after_frame

            app.driver_class = driver_after_frame(attributes)
        app.run(inline=bool(lines), mouse=settings[0].mouse)
        return app, app.return_code or 0


def _print(answer: str) -> int:
    try:
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
        sys.stdout.write(answer)
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader has seen enough; what is still buffered goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 0


def _fail(sentence: str) -> int:
    print(safe(sentence), file=sys.stderr)
    return FAILED


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
