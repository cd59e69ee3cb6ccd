"""The colours of our two themes, and which to start with; imports next to nothing."""

from __future__ import annotations

import os
from typing import TypedDict


class Colours(TypedDict):
    """A theme's colours, as #rrggbb."""

    primary: str
    secondary: str
    accent: str
    warning: str
    error: str
    success: str
    foreground: str
    background: str
    surface: str
    panel: str


DARK: Colours = {
    "primary": "#7aa2c9",
    "secondary": "#9a8fc4",
    "accent": "#e0af68",
    "warning": "#d9a05b",
    "error": "#d97a7a",
    "success": "#8fb573",
    "foreground": "#d3d7de",
    "background": "#15181d",
    "surface": "#1b1f26",
    "panel": "#242932",
}
LIGHT: Colours = {
    "primary": "#2f6690",
    "secondary": "#6b4f9e",
    "accent": "#b26b00",
    "warning": "#a06000",
    "error": "#b23b3b",
    "success": "#4a7c1f",
    "foreground": "#24292f",
    "background": "#fafaf7",
    "surface": "#f1f0eb",
    "panel": "#e6e4dd",
}


def prefers_light() -> bool:
    """Whether the terminal says that its background is light."""
    # "foreground;background" as numbers of the 16 colours, set by rxvt, Konsole, iTerm2 and others.
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
