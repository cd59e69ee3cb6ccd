"""A bar on stderr that shows how far an import is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

ProgressCall = Callable[[int, int, str], None]
"""Told how much of how much is done, in rows or bytes, and a few words about it."""


@contextmanager
def progress_bar() -> Iterator[ProgressCall | None]:
    """A bar while the block runs, where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress, TextColumn, TimeRemainingColumn

    columns = (*Progress.get_default_columns()[:3], TextColumn("{task.fields[words]}"))
    with Progress(
        *columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True
    ) as bar:
        task = bar.add_task("Importing", total=None, words="")

        def show(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total, words=words)

        yield show
