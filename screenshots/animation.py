"""Recordings of a terminal: frames and their durations, as an asciinema cast or an animated SVG."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby, pairwise
from typing import NamedTuple

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style

CELL_WIDTH, LINE_HEIGHT, BASELINE, FONT_SIZE = 8.4, 18, 13.5, 14


class Run(NamedTuple):
    """Text of one style on a line; colours as `#rrggbb`, the background empty where it is the picture's."""

    text: str
    color: str
    background: str
    bold: bool
    italic: bool
    underline: bool


Line = tuple[Run, ...]


class Frame(NamedTuple):
    """The lines of a terminal from top to bottom, and for how many seconds they stay."""

    seconds: float
    lines: tuple[Line, ...]


def line_of(segments: Iterable[Segment], color: str, background: str) -> Line:
    """Return a line of the terminal, in a picture whose own colours are these."""
    runs = (_run(segment, color, background) for segment in segments if segment.text)
    return tuple(
        Run("".join(run.text for run in same), *look)
        for look, same in groupby(runs, key=lambda run: run[1:])
    )


def recording(frames: Sequence[Frame], size: tuple[int, int]) -> str:
    """Return an asciinema recording, version 2, in which each frame writes the lines that have changed."""
    width, height = size
    head = {"version": 2, "width": width, "height": height, "title": "memtui"}
    lines = [json.dumps(head)]
    at, shown = 0.0, tuple[Line, ...]()
    for frame in frames:
        written = "" if shown else "\x1b[?25l\x1b[2J"
        for number, line in enumerate(frame.lines):
            if not shown or line != shown[number]:
                written += f"\x1b[{number + 1};1H{''.join(map(_ansi, line))}"
        lines.append(json.dumps([round(at, 3), "o", written], ensure_ascii=False))
        at, shown = at + frame.seconds, frame.lines
    # An empty write at the end: the last frame stays for its time.
    lines.append(json.dumps([round(at, 3), "o", ""]))
    return "\n".join(lines) + "\n"


def animation(frames: Sequence[Frame], size: tuple[int, int], background: str) -> str:
    """Return an SVG that plays the frames again and again. Who asked for less motion sees the last one.

    Lines that are the same in several frames are drawn once; the frames lie side by side, and step by.
    """
    width, height = size[0] * CELL_WIDTH, size[1] * LINE_HEIGHT
    numbers: dict[Line, int] = {}
    for frame in frames:
        for line in frame.lines:
            numbers.setdefault(line, len(numbers))
    looks: dict[str, str] = {}
    drawn = [f'<g id="l{number}">{_drawn(line, looks)}</g>' for line, number in numbers.items()]
    rules = "".join(f".{name}{{{look}}}" for look, name in looks.items())
    film = (
        f'<svg x="{number * width:g}" width="{width:g}" height="{height:g}">'
        + "".join(_placed(numbers[line], row) for row, line in enumerate(frame.lines))
        + "</svg>"
        for number, frame in enumerate(frames)
    )
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}">',
            f"<style>{_style(frames, width)}{rules}</style>",
            f'<rect width="100%" height="100%" rx="6" fill="{background}"/>',
            f"<defs>{''.join(drawn)}</defs>",
            f'<g class="film">{"".join(film)}</g>',
            "</svg>\n",
        ]
    )


def _run(segment: Segment, color: str, background: str) -> Run:
    style = segment.style or Style.null()
    ink, paper = _hex(style, "color") or color, _hex(style, "bgcolor") or background
    if style.reverse:
        ink, paper = paper, ink
    paper = "" if paper == background else paper
    return Run(segment.text, ink, paper, bool(style.bold), bool(style.italic), bool(style.underline))


def _hex(style: Style, which: str) -> str:
    found = getattr(style, which)
    return "" if found is None or found.is_default else found.get_truecolor().hex


def _ansi(run: Run) -> str:
    codes = [code for is_set, code in ((run.bold, "1"), (run.italic, "3"), (run.underline, "4")) if is_set]
    codes += [
        f"{layer};2;{int(of[1:3], 16)};{int(of[3:5], 16)};{int(of[5:], 16)}"
        for layer, of in (("38", run.color), ("48", run.background))
        if of
    ]
    return f"\x1b[{';'.join(['0', *codes])}m{run.text}"


def _drawn(line: Line, looks: dict[str, str]) -> str:
    """Return the elements of a line. `looks` has the class of each style, and is given those that are
    missing."""
    cell, parts = 0, []
    for background, same in groupby(line, key=lambda run: run.background):
        begin = cell
        texts: list[str] = []
        for run in same:
            if run.text.strip():
                texts += _texts(run, cell, looks.setdefault(_rules(run), f"s{len(looks)}"))
            cell += cell_len(run.text)
        if background:
            look = looks.setdefault(f"fill:{background}", f"s{len(looks)}")
            parts.append(
                f'<rect class="{look}" x="{begin * CELL_WIDTH:g}" '
                f'width="{(cell - begin) * CELL_WIDTH:g}" height="{LINE_HEIGHT}"/>'
            )
        parts += texts
    return "".join(parts)


def _rules(run: Run) -> str:
    rules = [f"fill:{run.color}"]
    rules += ["font-weight:bold"] if run.bold else []
    rules += ["font-style:italic"] if run.italic else []
    rules += ["text-decoration:underline"] if run.underline else []
    return ";".join(rules)


def _texts(run: Run, cell: int, look: str) -> Iterator[str]:
    """Yield the texts of a run, each of characters that are equally wide, where their cells are."""
    for _, same in groupby(run.text, key=cell_len):
        text = "".join(same)
        if stripped := text.strip():
            start = cell + cell_len(text[: text.index(stripped[0])])
            yield (
                f'<text class="{look}" x="{start * CELL_WIDTH:g}" y="{BASELINE}" '
                f'textLength="{cell_len(stripped) * CELL_WIDTH:g}">{escape(stripped)}</text>'
            )
        cell += cell_len(text)


def _placed(number: int, row: int) -> str:
    return f'<use href="#l{number}" y="{row * LINE_HEIGHT}"/>'


def _style(frames: Sequence[Frame], width: float) -> str:
    """Return the style sheet by which each frame is there for its time."""
    total = sum(frame.seconds for frame in frames)
    starts = [0.0]
    for frame in frames:
        starts.append(starts[-1] + frame.seconds)
    steps = "".join(
        f"{100 * start / total:.3f}%{{transform:translateX({-number * width:g}px)}}"
        for number, (start, _) in enumerate(pairwise(starts))
    )
    last = (1 - len(frames)) * width
    return (
        f"text{{font:{FONT_SIZE}px ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',monospace;"
        "white-space:pre}"
        f"@keyframes play{{{steps}}}"
        f".film{{animation:play {total:g}s step-end infinite}}"
        "@media(prefers-reduced-motion:reduce){.film{animation:none;"
        f"transform:translateX({last:g}px)}}}}"
    )
