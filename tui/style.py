"""Our two themes, calm greys and one accent for what has the focus or was searched for; and a stylesheet
that parses each of its sources once."""

from __future__ import annotations

from textual.cache import LRUCache
from textual.css.stylesheet import Stylesheet
from textual.theme import Theme

from .startup import palette

DARK = Theme(name=palette.NAMES[0], dark=True, variables=palette.DARK_VARIABLES, **palette.DARK)
LIGHT = Theme(name=palette.NAMES[1], dark=False, variables=palette.LIGHT_VARIABLES, **palette.LIGHT)
THEMES = (DARK, LIGHT)


def preferred() -> str:
    """Return the name of the theme to start with."""
    return (LIGHT if palette.prefers_light() else DARK).name


SOURCES = 512
"""Sources whose rules are kept: far more than there are widgets and screens with CSS of their own."""


class SteadyStylesheet(Stylesheet):
    """Keeps the rules of each source until a variable changes.

    Textual's own keeps those of 64 sources, fewer than we have, and parses all of them anew whenever a
    screen is first shown: a hundred milliseconds, with the key waiting.
    """

    def __init__(self, *, variables: dict[str, str] | None = None) -> None:
        super().__init__(variables=variables)
        self._parse_cache = LRUCache(SOURCES)

    def set_variables(self, variables: dict[str, str]) -> None:
        if variables != self._variables:
            super().set_variables(variables)

    def reparse(self) -> None:
        self.parse()
