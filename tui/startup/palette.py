"""The colours of our two themes, those of all that the first frame needs, and which to start with; imports
next to nothing."""

from __future__ import annotations

import os
from typing import NamedTuple, TypedDict

NAMES = ("memtui-dark", "memtui-light")
"""Of our themes."""


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

DARK_VARIABLES = {"dim": "#A3A7AD", "lit": DARK["foreground"]}
LIGHT_VARIABLES = {"accent": "#824F00", "dim": "#595D61", "lit": LIGHT["foreground"]}
"""What `contrast` makes of the two, so that nothing has to be computed at the start."""

OF_TEXTUAL = {
    "textual-dark": "#e0e0e0 #121212 #242f38 #fea62b",
    "textual-light": "#1f1f1f #e0e0e0 #d0d0d0 #654211",
    "nord": "#d8dee9 #2e3440 #434c5e #d9c6d6",
    "gruvbox": "#fbf1c7 #282828 #504945 #f9bd2f",
    "catppuccin-mocha": "#cdd6f4 #181825 #45475a #f9b387",
    "dracula": "#f8f8f2 #282a36 #313442 #ff89cc",
    "tokyo-night": "#afb7d9 #1a1b26 #414868 #fea36d",
    "monokai": "#d6d6d6 #272822 #3e3d32 #66d9ef",
    "flexoki": "#fffcf0 #100f0f #282726 #a17ecb",
    "catppuccin-latte": "#4c4f69 #eff1f5 #ccd0da #973c06",
    "catppuccin-frappe": "#c6d0f5 #303446 #51576d #f4bde6",
    "catppuccin-macchiato": "#cad3f5 #24273a #494d64 #f5bde6",
    "solarized-light": "#4b5e64 #fdf6e3 #eee8d5 #525594",
    "solarized-dark": "#a3afb1 #002b36 #073642 #a6a9db",
    "rose-pine": "#e0def4 #191724 #26233a #ebbcba",
    "rose-pine-moon": "#e0def4 #232136 #393552 #ea9a97",
    "rose-pine-dawn": "#575279 #faf4ed #f2e9e1 #885350",
    "atom-one-dark": "#c7ccd4 #282c34 #4f5666 #d8c6e5",
    "atom-one-light": "#383a42 #fafafa #cccccc #6a511c",
}
"""Of each theme of Textual, as the browser shows it: foreground, background, panel and accent. Those in
the terminal's own colours have none."""


class FrameColours(NamedTuple):
    """What the first frame is painted with, #rrggbb."""

    foreground: str
    background: str
    panel: str
    accent: str


def frame_colours(theme: str) -> FrameColours | None:
    """Return the colours of a theme, `` for the one to start with; None where the terminal's own hold."""
    if theme in OF_TEXTUAL:
        return FrameColours(*OF_TEXTUAL[theme].split())
    if theme.startswith("ansi-"):
        return None
    is_light = prefers_light() if theme not in NAMES else theme == NAMES[1]
    ours, changed = (LIGHT, LIGHT_VARIABLES) if is_light else (DARK, DARK_VARIABLES)
    accent = changed.get("accent", ours["accent"])
    return FrameColours(ours["foreground"], ours["background"], ours["panel"], accent)


def prefers_light() -> bool:
    """Whether the terminal says that its background is light."""
    # "foreground;background" as numbers of the 16 colours, set by rxvt, Konsole, iTerm2 and others.
    return os.environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")
