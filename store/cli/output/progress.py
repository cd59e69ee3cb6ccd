"""A bar on stderr that shows how far a long command is."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...formats.common.progress import Progress as ProgressCall


@contextmanager
def progress_bar(what: str, *, is_counted: bool = False) -> Iterator[ProgressCall | None]:
    """A bar named `what` while the block runs; None where stderr is no terminal.

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
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None, words="")

        def show(done: int, total: int, words: str) -> None:
            bar.update(task, completed=done, total=total, words=words)

        yield show
