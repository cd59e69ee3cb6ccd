"""A tour of the browser is recorded as what a terminal shows, and plays as a picture."""

import json
import re
from xml.etree import ElementTree

from rich.segment import Segment
from rich.style import Style

from screenshots.animation import (
    CELL_WIDTH,
    LINE_HEIGHT,
    Frame,
    Line,
    animation,
    line_of,
    recording,
)

INK, PAPER = "#dddddd", "#111111"
SIZE = (10, 2)
SVG = "{http://www.w3.org/2000/svg}"


def line(*parts: tuple[str, str]) -> Line:
    return line_of([Segment(text, Style.parse(style)) for text, style in parts], INK, PAPER)


HEAD = line(("a<b", "bold #ff0000"), ("       ", ""))
WIDE = line(("缓存 hit", "on #222222"), ("   ", ""))
BLANK = line((" " * 10, ""))
FRAMES = [Frame(0.5, (HEAD, BLANK)), Frame(1.5, (HEAD, WIDE))]


def test_a_frame_of_a_recording_writes_only_the_lines_that_changed() -> None:
    head, *events = (json.loads(each) for each in recording(FRAMES, SIZE).splitlines())
    assert (head["version"], head["width"], head["height"]) == (2, 10, 2)
    assert [at for at, _, _ in events] == [0, 0.5, 2.0]
    first, second, last = (text for _, _, text in events)
    assert "a<b" in first
    assert "a<b" not in second
    assert re.sub(r"\x1b\[[0-9;]*m", "", second) == "\x1b[2;1H缓存 hit   "
    assert last == ""


def test_an_animation_draws_each_line_once_and_shows_each_frame_for_its_time() -> None:
    picture = animation(FRAMES, SIZE, PAPER)
    root = ElementTree.fromstring(picture)
    defined = {group.get("id") for group in root.iterfind(f"{SVG}defs/{SVG}g")}
    shown = [use.get("href", "")[1:] for use in root.iter(f"{SVG}use")]
    assert (len(defined), len(shown)) == (3, 4)
    assert set(shown) == defined
    assert "0.000%{transform:translateX(0px)}25.000%" in picture
    assert "play 2s" in picture


def test_characters_of_two_cells_stand_where_their_cells_are() -> None:
    root = ElementTree.fromstring(animation(FRAMES[1:], SIZE, PAPER))
    places = {text.text: (text.get("x"), text.get("textLength")) for text in root.iter(f"{SVG}text")}
    assert places["缓存"] == ("0", f"{4 * CELL_WIDTH:g}")
    assert places["hit"] == (f"{5 * CELL_WIDTH:g}", f"{3 * CELL_WIDTH:g}")
    [behind] = [each for each in root.iter(f"{SVG}rect") if each.get("height") == str(LINE_HEIGHT)]
    assert behind.get("width") == f"{8 * CELL_WIDTH:g}"
