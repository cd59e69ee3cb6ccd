"""Bars on stderr that show how far a long command is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ...maintain.importing import ProgressCall


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


@contextmanager
def progress_of(what: str) -> Iterator[Callable[[int, int, str], None] | None]:
    """A bar named `what` while the block runs, where stderr is a terminal; it is told how much of
    how much is done, and a few words."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        *Progress.get_default_columns()[:2],
        MofNCompleteColumn(),
        TextColumn("{task.fields[words]}"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, words="")

        def show(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total, words=words)

        yield show
