"""Alt and a digit as terminals send them; Textual takes some for the signs of one terminal."""

from __future__ import annotations

from enum import Enum
from typing import Any, cast

from textual._ansi_sequences import ANSI_SEQUENCES_KEYS


class AltDigit(Enum):
    """The keys, by the names that bindings have for them."""

    ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE = (f"alt+{n}" for n in range(1, 10))


for _key in AltDigit:
    cast("dict[str, Any]", ANSI_SEQUENCES_KEYS)[f"\x1b{_key.value[-1]}"] = (_key,)
