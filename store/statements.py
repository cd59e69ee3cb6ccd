"""When two facts say the same."""

from __future__ import annotations

import unicodedata

_ENDS = " .。!！;；"


def normalised(content: str) -> str:
    """A statement as it is compared: compatible characters, letter case, blanks and the stop at its
    end make no difference; everything else does, accents too."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", content).casefold())
    text = " ".join(folded.split())
    return text.rstrip(_ENDS) or text
