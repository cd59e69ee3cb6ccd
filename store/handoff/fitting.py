"""Fit the lines of a hand over to a budget in tokens: a share for each section, what is told first before
details, and nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..context.repetition import Told
from ..text.tokens import token_weight
from .lines import ASKED, DECIDED, DONE, FAILED, FILES, HELD_TRUE, LEFT, CitedLine

SHARES = {
    ASKED: 0.16, LEFT: 0.16, DECIDED: 0.26, HELD_TRUE: 0.10, DONE: 0.18, FAILED: 0.07, FILES: 0.07,
}  # fmt: skip
"""What of the room a section may take before the others have had theirs, in the order of what matters."""


def fitted(
    lines: Iterable[CitedLine],
    room: float,
    heading: Callable[[str], str],
    written: Callable[[CitedLine], str],
    source: Callable[[str], str],
) -> list[CitedLine]:
    """Return the lines that there is room for, in tokens, in their order. `heading` gives what stands
    around a section, `written` a line as it is told, and `source` the line that names a memory below,
    which the first line that rests on it pays for."""
    given = list(lines)
    chosen: set[int] = set()
    sections: set[str] = set()
    refs: set[str] = set()
    told = Told()

    def cost(line: CitedLine) -> float:
        parts = [written(line), *(source(ref) for ref in line.refs if ref not in refs)]
        if line.section not in sections:
            parts.append(heading(line.section))
        return sum(token_weight(f"\n{part}") for part in parts)

    def take(section: str, most: float) -> float:
        """Choose lines of a section for at most so many tokens; return what they take."""
        taken = 0.0
        places = [at for at, line in enumerate(given) if line.section == section]
        for at in sorted(places, key=lambda at: (given[at].rank, given[at].place, at)):
            line = given[at]
            if at in chosen or (section != FILES and told.has(line.words)):
                continue
            weight = cost(line)
            if taken + weight > most:
                if line.rank == 0:
                    continue
                break
            taken += weight
            chosen.add(at)
            sections.add(section)
            refs.update(line.refs)
            told.add(line.words)
        return taken

    left = room
    for section, share in SHARES.items():
        left -= take(section, min(left, share * room))
    for section in SHARES:
        left -= take(section, left)
    return [line for at, line in enumerate(given) if at in chosen]
