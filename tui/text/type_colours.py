"""The colours of types: as far apart as fourteen can be, each readable on our backgrounds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.theme import Theme

DARK = {
    "decision": "#c086de",
    "bugfix": "#f0a868",
    "feature": "#84b06a",
    "refactor": "#29aea9",
    "discovery": "#6cacfc",
    "finding": "#52daff",
    "answer": "#64e6b9",
    "plan": "#c7d46d",
    "change": "#bd9a34",
    "note": "#a59f95",
    "error": "#f47770",
    "prompt": "#e7e7e8",
    "summary": "#ccc6fe",
    "fact": "#f6b9cd",
}
LIGHT = {
    "decision": "#8636a9",
    "bugfix": "#8f4400",
    "feature": "#2c6900",
    "refactor": "#026863",
    "discovery": "#005abc",
    "finding": "#025b74",
    "answer": "#095733",
    "plan": "#474d06",
    "change": "#705800",
    "note": "#5e5b55",
    "error": "#a8141c",
    "prompt": "#26282b",
    "summary": "#434078",
    "fact": "#7c1f5b",
}
OURS = ("memtui-dark", "memtui-light")
"""The themes that the colours are made for."""


def variable(type: str) -> str:
    """Return the name of the theme variable that holds a type's colour, without the dollar."""
    name = "".join(text if text.isascii() and text.isalnum() else f"_{ord(text):x}" for text in type)
    return f"type-{name}"


def type_variables(theme: Theme, chosen: Mapping[str, str]) -> dict[str, str]:
    """Return the variables of all types' colours in a theme; those `chosen` by the user, as #rrggbb, a name
    or a colour of the theme, go before ours. `contrast` makes ours readable in another's theme."""
    colours = DARK if theme.dark else LIGHT
    is_ours = theme.name in OURS
    if not is_ours or chosen:
        generated = theme.to_color_system().generate() | theme.variables
        named = {type: generated.get(text.lstrip("$"), text) for type, text in chosen.items()}
        colours = {**colours, **named}
    return {variable(type): colour for type, colour in colours.items()}
