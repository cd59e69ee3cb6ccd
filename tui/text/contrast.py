"""Colours that can be read: those of a theme that are too faint for what they stand on are moved towards
white, on a dark theme, or towards black.

Text has a contrast of 4.5:1, also under the cursor and in dialogs. Bars and lines of a figure have 3:1.
Borders and other ornaments are left as the theme has them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache

from textual.color import Color

LEAST = 4.5
LEAST_OF_FIGURES = 3.0
STEP = 0.02
FAINTER = 0.25
"""How far what repeats is from the text's colour to the background's."""
UNDER_CURSOR = 0.6
"""How much of the cursor's colour a row has."""

TEXTS = (
    "text-accent",
    "text-primary",
    "text-secondary",
    "text-success",
    "text-warning",
    "text-error",
)
FIGURES = ("primary", "secondary", "success")
MARKED = ("accent-muted", "warning-muted")
"""What text stands on to be seen: what was searched for, and the notice."""
OF_TYPES = "type-"


def readable_variables(variables: Mapping[str, str], keep: Collection[str] = ()) -> dict[str, str]:
    """Return a theme's variables, made readable but for those to `keep`, with `dim` for what repeats and
    `lit` for text on what is `MARKED`. A theme in the terminal's own colours stays as it is, since nobody
    knows them; only what is marked has black on yellow there."""
    if Color.parse(variables["background"]).ansi is not None:
        marked = dict.fromkeys(MARKED, "ansi_yellow")
        dim = f"{variables['foreground']} 75%"
        return {**variables, **marked, "dim": dim, "lit": "ansi_black"}
    changes = _changes(tuple(variables.items()))
    return {**variables, **{name: text for name, text in changes.items() if name not in keep}}


def backgrounds(variables: Mapping[str, str]) -> dict[str, Color]:
    """Return what text stands on: pages, dialogs, lines and fields, and rows under the cursor."""
    page, dialog, line, field = (
        Color.parse(variables[name]) for name in ("background", "surface", "panel", "surface-lighten-1")
    )
    cursor = Color.parse(variables["block-cursor-blurred-background"])
    results = {"page": page, "dialog": dialog, "line": line, "field": field}
    share = cursor.a * UNDER_CURSOR
    return results | {
        f"{name} under the cursor": results[name].blend(cursor.with_alpha(1), share)
        for name in ("page", "dialog")
    }


def contrast(color: Color, other: Color) -> float:
    """Return the contrast of two colours by WCAG 2, 1 to 21."""
    low, high = sorted((_luminance(color), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def readable(colour: Color, behind: Iterable[Color], least: float = LEAST) -> Color:
    """Return a colour, moved as little as it takes to be read on all that it stands on."""
    grounds = list(behind)
    goal = Color(255, 255, 255) if _luminance(grounds[0]) < 0.18 else Color(0, 0, 0)
    for step in range(round(1 / STEP)):
        color = colour.blend(goal, step * STEP)
        if all(contrast(color, ground) >= least for ground in grounds):
            return color
    return goal


@lru_cache(maxsize=8)
def _changes(given: tuple[tuple[str, str], ...]) -> dict[str, str]:
    variables = dict(given)
    behind = backgrounds(variables)
    of_rows = [behind[name] for name in behind if name not in ("line", "field")]
    beside = [*of_rows, behind["line"]]
    foreground = readable(Color.parse(variables["foreground"]), [*beside, behind["field"]])
    changes = {
        "foreground": foreground,
        "lit": foreground,
        "dim": readable(foreground.blend(behind["page"], FAINTER), beside),
        "accent": readable(Color.parse(variables["accent"]), beside),
    }
    for name in TEXTS:
        changes[name] = readable(Color.parse(variables[name]), beside)
    for name in FIGURES:
        changes[name] = readable(Color.parse(variables[name]), of_rows, LEAST_OF_FIGURES)
    for name in variables:
        if name.startswith(OF_TYPES) and (of_type := Color.parse(variables[name])).ansi is None:
            changes[name] = readable(of_type, of_rows)
    for name in MARKED:
        marked = Color.parse(variables[name])
        steps = (marked.blend(behind["page"], step * STEP) for step in range(round(1 / STEP)))
        changes[name] = next(
            (color for color in steps if contrast(foreground, color) >= LEAST), behind["page"]
        )
    return {
        name: colour.hex
        for name, colour in changes.items()
        if name not in variables or colour != Color.parse(variables[name])
    }


def _luminance(colour: Color) -> float:
    red, green, blue = (
        number / 12.92 if number <= 0.04045 else ((number + 0.055) / 1.055) ** 2.4
        for number in colour.normalized
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
