"""Our two themes: calm greys, and one accent for what has the focus or was searched for."""

from __future__ import annotations

from textual.theme import Theme

from ..startup import palette

DARK = Theme(name=palette.NAMES[0], dark=True, variables=palette.DARK_VARIABLES, **palette.DARK)
LIGHT = Theme(name=palette.NAMES[1], dark=False, variables=palette.LIGHT_VARIABLES, **palette.LIGHT)
THEMES = (DARK, LIGHT)


def preferred() -> str:
    """Return the name of the theme to start with."""
    return (LIGHT if palette.prefers_light() else DARK).name
