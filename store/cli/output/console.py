"""How `mem` prints: data to stdout, narration to stderr; tables on a terminal, plain lines in a pipe, the
compact text for agents, and a bar that shows how far a long command is.

Every stored text passes `memtui.store.text.display.safe` here, and nowhere else in the command line.

The lean search imports this: what only other commands need is imported where it is asked for.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any

from ...platform.translation import _
from ...records.conforming import as_text
from ...text.display import safe, safe_spans
from .changed_files import refresh_for

if TYPE_CHECKING:
    from pathlib import Path

    from rich.console import Console
    from rich.text import Text

    from ... import Store
    from ...context.compact.answer import Answer
    from ...curation.word_diff import Change
    from ...formats.common.report import Progress as ProgressCall
    from ...records.rows import Snippet


class Row:
    """A line of a table: its cells, and a passage shown under the wide one (last, in a pipe)."""

    __slots__ = ("below", "cells")

    def __init__(self, *cells: str, below: Snippet | None = None) -> None:
        self.cells = cells
        self.below = below


def on_terminal() -> bool:
    """Return whether stdout is a terminal."""
    return sys.stdout.isatty()


def localized(text: str) -> str:
    """Return a word of the store's or a table's (a type, a field's name) as it is shown: in the user's
    language on a terminal, and as it is in a pipe."""
    return _(text) if on_terminal() else text


def tell(text: str, /, **values: object) -> None:
    """Print a line of narration on stderr: a text of the catalogue with `values` for its `{names}`, or one
    that is in the user's language already."""
    print(safe(_(text, **values), newlines=True), file=sys.stderr)


def tell_notices() -> None:
    """Print what opening the store gave to say."""
    from ...database import notices

    for notice in notices.take():
        tell(notice)


def print_line(text: str) -> None:
    """Print a line of data."""
    print(safe(text))


def print_changed(refs: Iterable[str], what: str) -> None:
    """Print the ids of what was changed, a line each; on a terminal rather what was done, as the journal
    says it ("5 memories deleted"), and what takes it back."""
    if not on_terminal():
        for ref in refs:
            print_line(ref)
    elif what:
        done = what[:1].upper() + what[1:]
        print_line(_("{done}. `mem undo` takes it back.", done=done))


def print_text(text: str) -> None:
    """Print lines of data, their breaks and indents kept."""
    print(safe(text, newlines=True))


def print_json(value: object) -> None:
    """Print one JSON document; on a terminal indented, with what could harm it as escapes."""
    if not on_terminal():
        print(json.dumps(value, ensure_ascii=False, default=as_text))
        return
    print(_escaped(json.dumps(value, ensure_ascii=False, indent=2, default=as_text)))


def print_json_line(value: object) -> None:
    """Print a JSON document on one line, at once; on a terminal with what could harm it as escapes."""
    text = json.dumps(value, ensure_ascii=False, default=as_text)
    print(_escaped(text) if on_terminal() else text, flush=True)


def print_rows(
    columns: Sequence[str],
    rows: Iterable[Row],
    wide: str,
    *,
    fold: bool = False,
    right: Collection[str] = (),
    first_out: Sequence[str] = (),
    has_head: bool = False,
) -> None:
    """Print a table; nothing where it has no rows.

    On a terminal the `wide` column takes what room there is and is cut to fit, or with `fold`
    goes on below, and `right` ones stand to the right; where it would have less than `LEAST_WIDE`
    cells, the `first_out` columns go, in this order. In a pipe each row is a line of cells between
    tabs, in full, below the columns' names where it `has_head`.
    """
    if on_terminal():
        if results := list(rows):
            columns, results = _fitting(columns, results, wide, first_out)
            _print_table(columns, results, wide, fold, right)
        return
    for place, row in enumerate(rows):
        if has_head and place == 0:
            print("\t".join(columns))
        cells = [*row.cells, row.below.marked()] if row.below else row.cells
        print("\t".join(safe(cell) for cell in cells))


def print_block(title: str, fields: Iterable[tuple[str, str | Sequence[str]]]) -> None:
    """Print a record: its title, then a line for each field; lists and long texts indented below."""
    lines: list[tuple[str, str]] = [(safe(title), "")]
    for name, value in fields:
        label = localized(name).replace("_", " ")
        below = value.split("\n") if isinstance(value, str) else value
        if isinstance(value, str) and len(below) == 1:
            lines.append((f"{label}:", " " + safe(value)))
            continue
        lines.append((f"{label}:", ""))
        lines += [("", "    " + safe(line)) for line in below]
    if not on_terminal():
        print("\n".join(label + text for label, text in lines))
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    for label, text in lines:
        console.print(Text.assemble((label, "bold"), text), soft_wrap=True)


def print_blocks(blocks: Iterable[tuple[str, Iterable[tuple[str, str | Sequence[str]]]]]) -> None:
    """Print records, each as its title and its fields."""
    for position, (title, fields) in enumerate(blocks):
        if position:
            print_gap()
        print_block(title, fields)


def print_gap() -> None:
    """Print an empty line between records, on a terminal."""
    if on_terminal():
        print()


def shown_path(path: Path) -> str:
    """Return a path as people read it: from the home directory on."""
    home = path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def print_answer(answer: Answer, *, as_json: bool) -> None:
    """Print an answer of `memtui.store.context.compact`."""
    if as_json:
        print_json(answer.as_dict())
    else:
        print_text(answer.text)


def print_search(
    store: Store,
    query: str,
    *,
    limit: int,
    cursor: str | None,
    exact: bool,
    as_json: bool,
    facets: bool = False,
    turns: bool | None = None,
) -> None:
    """Search and print the hits, as an agent reads them."""
    from ...context.compact.answer import shell
    from ...context.compact.hits import search_lines

    refresh_for(store, query)
    hits = search_lines(
        store,
        query,
        limit=limit,
        cursor=cursor,
        facets=facets,
        related=not exact,
        wording=shell(),
        turns=turns,
    )
    print_answer(hits, as_json=as_json)


STYLES = {"same": "", "removed": "red strike", "added": "green"}
SIGNS = {"same": " ", "removed": "-", "added": "+", "changed": "~"}
"""What stands before a line; one that is changed has both of its texts."""
MARKS = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}


def print_difference(name: str, before: Any, after: Any) -> None:
    """Print what became of a field, word by word: coloured on a terminal, [-removed-]{+added+} else."""
    from ...curation.word_diff import field_diff
    from ...platform.clock import local_time

    _print_runs(localized(name), field_diff(name, before, after, local_time))


def print_line_difference(before: str, after: str) -> None:
    """Print two texts as one, line by line."""
    from ...curation.word_diff import line_diff

    console = _coloured_console()
    for kind, runs in line_diff(before, after):
        if console:
            from rich.text import Text

            parts = [(safe(text), STYLES[change]) for change, text in runs]
            console.print(Text.assemble(SIGNS[kind], " ", *parts), soft_wrap=True)
        else:
            marked = kind == "changed"
            content = "".join(
                f"{MARKS[item][0]}{safe(text)}{MARKS[item][1]}" if marked else safe(text)
                for item, text in runs
            )
            print(f"{SIGNS[kind]} {content}".rstrip())


def _print_runs(name: str, runs: list[tuple[Change, str]]) -> None:
    console = _coloured_console()
    if not console:
        content = "".join(f"{MARKS[kind][0]}{safe(text)}{MARKS[kind][1]}" for kind, text in runs)
        print(f"  {safe(name)}: {content.rstrip()}")
        return
    from rich.text import Text

    parts = [(safe(text, newlines=True), STYLES[kind]) for kind, text in runs]
    line = Text.assemble("  ", (safe(name), "bold"), ": ", *parts)
    console.print(line, soft_wrap=True)


def _coloured_console() -> Console | None:
    """Return the terminal where it has colours; elsewhere marks show what changed."""
    if not on_terminal():
        return None
    from rich.console import Console

    console = Console(highlight=False)
    return None if console.no_color or console.color_system is None else console


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


LEAST_WIDE = 30
"""Cells that the wide column of a table has, where others can be left out for it."""
GAP = 2


def _escaped(text: str) -> str:
    odd = {char for char in set(text) if safe(char, newlines=True) != char}
    return text.translate({ord(char): json.dumps(char)[1:-1] for char in odd})


def _fitting(
    columns: Sequence[str], rows: list[Row], wide: str, first_out: Sequence[str]
) -> tuple[Sequence[str], list[Row]]:
    """Leave out columns until the wide one has room."""
    from rich.cells import cell_len
    from rich.console import Console

    heads = Row(*map(_, columns))
    widths = {
        name: max(cell_len(safe(row.cells[place])) for row in (heads, *rows))
        for place, name in enumerate(columns)
    }
    wanted = min(widths.pop(wide), LEAST_WIDE)
    room = Console().width - wanted
    out: list[str] = []
    for name in first_out:
        if sum(width + GAP for width in widths.values()) <= room:
            break
        widths.pop(name)
        out.append(name)
    kept = [place for place, name in enumerate(columns) if name not in out]
    return [columns[place] for place in kept], [
        Row(*(row.cells[place] for place in kept), below=row.below) for row in rows
    ]


def _print_table(
    columns: Sequence[str], rows: Iterable[Row], wide: str, fold: bool, right: Collection[str]
) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, header_style="dim", expand=True)
    for name in columns:
        is_wide = name == wide
        table.add_column(
            _(name),
            justify="right" if name in right else "left",
            no_wrap=not (is_wide and fold),
            overflow="fold" if is_wide and fold else "ellipsis",
            ratio=1 if is_wide else None,
        )
    place = list(columns).index(wide)
    for row in rows:
        cells = [Text(safe(cell)) for cell in row.cells]
        cells[place].stylize("bold")
        if row.below and row.below.text:
            cells[place] = Text("\n").join([cells[place], _highlighted(row.below)])
        table.add_row(*cells)
    Console(highlight=False).print(table)


def _highlighted(snippet: Snippet) -> Text:
    from rich.text import Text

    shown, spans = safe_spans(snippet.text, snippet.spans)
    text = Text(shown, style="dim")
    for start, end in spans:
        text.stylize("not dim bold yellow", start, end)
    return text
