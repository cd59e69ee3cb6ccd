"""Regular expressions that are compiled when they are first used: those of long ranges and
of many alternatives take ms."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Callable
    from typing import Any, AnyStr


class _LatePattern:
    def __init__(self, pattern: str | bytes, flags: int, meant: Callable[[Any], Any] | None) -> None:
        self.pattern = pattern
        self.flags = flags
        self.meant = meant

    def __getattr__(self, name: str) -> Any:
        # What needs none of them need not import this either.
        import re

        # From then on the methods are found in the instance, as quickly as in a pattern.
        pattern = self.meant(self.pattern) if self.meant else self.pattern
        compiled = re.compile(pattern, self.flags)
        for method in ("match", "fullmatch", "search", "sub", "split", "findall", "finditer"):
            setattr(self, method, getattr(compiled, method))
        return getattr(compiled, name)


def late_pattern(
    pattern: AnyStr, flags: int = 0, meant: Callable[[AnyStr], AnyStr] | None = None
) -> re.Pattern[AnyStr]:
    """What `re.compile` gives; only how it is written is looked at later, too. `meant` returns what is
    to be compiled in place of what is written."""
    # Neither `cast` nor anything else of `typing` is imported: a hook may wait for this.
    return _LatePattern(pattern, flags, meant)  # type: ignore[return-value]
