"""Fit the lines of a hand over to a budget in tokens: a share for each section, what is told first before
details, and nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ..context.repetition import Told
from ..records.dataclasses import replace
from ..text.tokens import token_weight
from ..text.truncation import shortened
from .lines import ASKED, DECIDED, DONE, FAILED, FILES, HELD_TRUE, LEFT, LOOKED_AT, CitedLine

SHARES = {
    ASKED: 0.16, LEFT: 0.16, DECIDED: 0.24, HELD_TRUE: 0.10, DONE: 0.18, FAILED: 0.07, FILES: 0.07,
    LOOKED_AT: 0.02,
}  # fmt: skip
"""What of the room a section may take before the others have had theirs, in the order of what matters."""
FIRST = (LEFT, DECIDED, DONE, ASKED)
"""The sections that have one line each before any has more."""
SHORTER = (240, 160, 120, 80, 60, 40, 24)
"""Characters to which such a line is cut where there is no room for all of it."""


def fitted(
    lines: Iterable[CitedLine],
    room: float,
    heading: Callable[[str], str],
    written: Callable[[CitedLine], str],
) -> list[CitedLine]:
    """Return the lines that there is room for, in tokens, in their order, the details of a memory as one.
    `heading` gives what stands around a section, `written` a line as it is told."""
    given = list(lines)
    chosen: set[int] = set()
    sections: set[str] = set()
    content = Told()

    def cost(line: CitedLine) -> float:
        parts = [written(line)]
        if line.section not in sections:
            parts.append(heading(line.section))
        return sum(token_weight(f"\n{part}") for part in parts)

    def take(section: str, most: float) -> float:
        """Choose lines of a section for at most so many tokens; return what they take."""
        taken = 0.0
        places = [at for at, line in enumerate(given) if line.section == section]
        for at in sorted(places, key=lambda at: (given[at].rank, given[at].place, at)):
            line = given[at]
            if at in chosen or (section != FILES and content.has(line.gist)):
                continue
            weight = cost(line)
            if taken + weight > most:
                if line.rank == 0:
                    continue
                break
            taken += weight
            chosen.add(at)
            sections.add(section)
            content.add(line.gist)
        return taken

    def take_first(section: str, most: float) -> float:
        """Choose the line of a section that matters most, cut if need be; return what it takes."""
        places = [
            at
            for at, line in enumerate(given)
            if line.section == section and not line.is_detail and not content.has(line.gist)
        ]
        if not places:
            return 0.0
        at = min(places, key=lambda at: (given[at].rank, given[at].place, at))
        whole = given[at]
        for line in (
            whole, *(replace(whole, text=shortened(whole.text, size)) for size in SHORTER)
        ):  # fmt: skip
            weight = cost(line)
            if weight <= most:
                given[at] = line
                chosen.add(at)
                sections.add(section)
                content.add(whole.gist)
                return weight
        return 0.0

    left = room
    firsts: dict[str, float] = {}
    wanted = [section for section in FIRST if any(cited_line.section == section for cited_line in given)]
    for place, section in enumerate(wanted):
        firsts[section] = take_first(section, left / (len(wanted) - place))
        left -= firsts[section]
    for section, share in SHARES.items():
        left -= take(section, min(left, share * room - firsts.get(section, 0.0)))
    for section in SHARES:
        left -= take(section, left)
    fitting: list[CitedLine] = []
    for at in sorted(chosen):
        line, above = given[at], fitting[-1] if fitting else None
        if above and line.is_detail and above.is_detail and line.refs == above.refs and not line.is_diff:
            fitting[-1] = replace(above, text=f"{above.text} {line.text}")
        else:
            fitting.append(line)
    return fitting
