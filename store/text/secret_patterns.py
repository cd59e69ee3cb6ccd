"""What secrets look like: the table of all kinds, in its order, and which of them a text may hold.

Formats are those that the services document, most of them told by a beginning of their own. A kind
may be in a text where an anchor of it is. Of a long text the pairs of bytes are counted out once: an
anchor that has another pair isn't in it, so most anchors are never looked for, and hardly any
pattern is compiled in vain.
"""

from __future__ import annotations

from .credential_patterns import CREDENTIAL_PATTERNS
from .pattern_parts import PLACEHOLDERS, SecretPattern
from .service_patterns import SERVICE_PATTERNS

# Blocks of keys and tokens come first: what is in them is nobody else's.
PATTERNS = SERVICE_PATTERNS + CREDENTIAL_PATTERNS

__all__ = ["PATTERNS", "PLACEHOLDERS", "SecretPattern", "possible_patterns"]

LONG = 2_048
"""Bytes of a text of which the pairs are worth counting out."""

FEW = 64
"""So many places of an anchor are looked at; where there are more, one is taken to begin a word."""

_BY_ANCHOR: dict[bytes, list[int]] = {}
for _number, _pattern in enumerate(PATTERNS):
    for _anchor in _pattern.anchors:
        _BY_ANCHOR.setdefault(_anchor, []).append(_number)
_PAIRS: dict[bytes, frozenset[int]] = {}
_RUN = bytearray(b" " * 256)
for _code in b"abcdefghijklmnopqrstuvwxyz0123456789_-":
    _RUN[_code] = _code
_WORD = frozenset(b"abcdefghijklmnopqrstuvwxyz0123456789_")


def possible_patterns(raw: bytes) -> list[SecretPattern]:
    """The patterns that may match somewhere in a text, in the table's order; `raw` is its bytes."""
    text = _Bytes(raw)
    numbers = {
        number for anchor in _BY_ANCHOR if text.holds(anchor) for number in _BY_ANCHOR[anchor]
    }
    return [one for one in map(PATTERNS.__getitem__, sorted(numbers)) if text.allows(one)]


class _Bytes:
    """The bytes of a text, and what is asked of them more than once."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._low = low = raw.lower()
        self._pairs = _pairs(low) if len(low) > LONG else None
        self._longest = -1

    def holds(self, anchor: bytes) -> bool:
        """Whether an anchor in lower case is in the text, lowered, or another in the text itself."""
        if self._pairs is not None:
            pairs = _PAIRS.get(anchor)
            if pairs is None:
                pairs = _PAIRS[anchor] = _pairs(anchor.lower())
            if not pairs <= self._pairs:
                return False
        return anchor in (self._low if anchor == anchor.lower() else self._raw)

    def allows(self, pattern: SecretPattern) -> bool:
        """Whether all else is there that a pattern asks for beside an anchor."""
        if pattern.also and not any(
            self.holds(also) and any(self.holds(also + then) for then in pattern.then)
            for also in pattern.also
        ):
            return False
        if pattern.run and self._longest_run() < pattern.run:
            return False
        return not pattern.starts or any(map(self._begins_a_word, pattern.starts))

    def _longest_run(self) -> int:
        if self._longest < 0:
            self._longest = max(map(len, self._low.translate(_RUN).split()), default=0)
        return self._longest

    def _begins_a_word(self, start: bytes) -> bool:
        at = -1
        for _ in range(FEW):
            at = self._low.find(start, at + 1)
            if at <= 0 or self._low[at - 1] not in _WORD:
                return at >= 0
        return True


def _pairs(low: bytes) -> frozenset[int]:
    """The pairs of neighbouring bytes, as numbers."""
    if len(low) < 2:
        return frozenset()
    view, even, odd = memoryview(low), len(low) & ~1, len(low) - 1 & ~1
    return frozenset(view[:even].cast("H")).union(view[1 : 1 + odd].cast("H"))
