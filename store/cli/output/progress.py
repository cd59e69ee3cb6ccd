"""A bar on stderr that shows how far a long command is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...formats.common.progress import Progress as ProgressCall

SHORT = 0.3
"""Seconds; what is done by then needs no bar."""


@contextmanager
def progress_bar(what: str, *, is_counted: bool = False) -> Iterator[ProgressCall | None]:
    """A bar named `what` while the block runs, if that takes long; None where stderr is no terminal.

    It is called with what is done, all there is, and a few words; `is_counted` shows the numbers
    instead of a percentage.
    """
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    name, bar_itself, percentage, *_ = Progress.get_default_columns()
    columns = (
        name,
        bar_itself,
        MofNCompleteColumn() if is_counted else percentage,
        TextColumn("{task.fields[words]}"),
        TimeRemainingColumn(),
    )
    bar = Progress(*columns, console=Console(stderr=True), transient=True)
    task = bar.add_task(what, total=None, words="")
    begun = monotonic()

    def show(done: int, total: int, words: str) -> None:
        bar.update(task, completed=done, total=total, words=words)
        if done < total and monotonic() - begun > SHORT:
            bar.start()

    try:
        yield show
    finally:
        bar.stop()
