"""What an import did, as people read it: a table of counts, then what is worth knowing beside them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..counted import counted
from .output import Row, on_terminal, put_rows, tell

if TYPE_CHECKING:
    from ..sources.report import Report, SourceWarning

COLUMNS = ("kind", "read", "new", "changed", "unchanged", "skipped", "why")
SHOWN_WARNINGS = 20
SHOWN_ROWS = 5
"""So many rows with the same warning are named."""


def show(report: Report, *, all_warnings: bool = False) -> None:
    """Print what became of each kind of row, then tell its warnings: the rows of each together, or
    with `all_warnings` row by row."""
    put_rows(COLUMNS, rows(report), wide="why", fold=True, right=COLUMNS[1:-1])
    for sentence in _sentences(report):
        tell(sentence)
    limit = len(report.differences) if all_warnings else SHOWN_WARNINGS
    for one in report.differences[:limit]:
        fields = ", ".join(one.fields)
        tell(
            f"{one.kind} {one.record_id} was edited here, and stays; the source differs in: {fields}"
        )
    more = report.untold + max(0, len(report.differences) - limit)
    if all_warnings:
        for warning in report.warnings:
            tell(f"{_named(*_place(warning))}: {warning.message}")
        if more:
            tell(f"{more:,} more warnings were only counted.")
        return
    groups = list(_alike(report.warnings))
    for place, names, message in groups[:SHOWN_WARNINGS]:
        tell(f"{_named(place, *names[:SHOWN_ROWS])}{_and_more(names)}: {message}")
    more += sum(len(names) for _, names, _ in groups[SHOWN_WARNINGS:])
    if more:
        tell(f"{more:,} more warnings; --all-warnings tells them.")
    elif any(len(names) > SHOWN_ROWS for _, names, _ in groups):
        tell("--all-warnings tells of each row by itself.")


def rows(report: Report) -> Iterator[Row]:
    """What became of each kind of row."""
    form = "{:,}" if on_terminal() else "{}"
    for kind, counts in report.counts.items():
        skipped = sum(counts.skipped.values())
        numbers = (counts.read, counts.new, counts.changed, counts.unchanged, skipped)
        why = ", ".join(f"{number} {reason}" for reason, number in counts.skipped.items())
        yield Row((kind, *map(form.format, numbers), why))


def _sentences(report: Report) -> Iterator[str]:
    new = sum(counts.new for counts in report.counts.values())
    changed = sum(counts.changed for counts in report.counts.values())
    if new or changed:
        yield f"{report.source}: {counted(new, 'records')} new, {changed:,} changed."
    elif report.counts:
        yield f"{report.source}: nothing new; all that could be read of it is here already."
    if report.stubs:
        made = counted(report.stubs, "sessions")
        yield f"{made} made for rows whose own session the source has lost."
    for kind, counts in report.counts.items():
        if counts.vanished:
            yield f"Gone from the source, and kept here: {counted(counts.vanished, kind)}."
        if counts.returned:
            yield f"In the source again after being gone: {counted(counts.returned, kind)}."
    yield from report.notes


def _alike(warnings: Sequence[SourceWarning]) -> Iterator[tuple[str, list[str], str]]:
    """The place, the rows in it, and the message of warnings that say the same."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in warnings:
        place, name = _place(one)
        groups.setdefault((place, one.message), []).append(name)
    for (place, message), names in groups.items():
        yield place, names, message


def _place(warning: SourceWarning) -> tuple[str, str]:
    """A table and a row of it, or a file and a line of it."""
    if warning.native_id:
        return warning.table, warning.native_id
    place, colon, line = warning.table.rpartition(":")
    return (place + colon, line) if place and line.isdecimal() else (warning.table, "")


def _named(place: str, *names: str) -> str:
    listed = ", ".join(names)
    return (place + listed if place.endswith(":") else f"{place} {listed}").strip()


def _and_more(names: Sequence[str]) -> str:
    more = len(names) - SHOWN_ROWS
    return f" and {more:,} more" if more > 0 else ""
