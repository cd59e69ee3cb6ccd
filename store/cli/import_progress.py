"""A bar on stderr that shows how far an import is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic

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


def counting(progress: ProgressCall | None, unit: str) -> Callable[[int, int], None] | None:
    """A progress that is told how much of how much is done, and tells how fast it goes, too."""
    if progress is None:
        return None
    started = monotonic()
    before: int | None = None

    def show(done: int, total: int) -> None:
        nonlocal before
        # What is passed over at once, since it was done before, is no measure.
        before = done if before is None else before
        rate = (done - before) / max(monotonic() - started, 0.001)
        progress(done, total, f"of {total:,} {unit}, {rate:,.0f} a second")

    return show
