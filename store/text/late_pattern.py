"""Regular expressions that are compiled when they are first used: those of long ranges take ms."""

from __future__ import annotations

import re
from typing import Any, cast


class _LatePattern:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern

    def __getattr__(self, name: str) -> Any:
        # From then on the methods are found in the instance, as quickly as in a pattern.
        compiled = re.compile(self.pattern)
        for method in ("match", "fullmatch", "search", "sub", "split", "findall", "finditer"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def late_pattern(pattern: str) -> re.Pattern[str]:
    """What `re.compile` gives; only how it is written is looked at later, too."""
    return cast("re.Pattern[str]", _LatePattern(pattern))
