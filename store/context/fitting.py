"""Fit candidates to a budget in tokens: a share for each section, what one leaves for the others, and
nothing twice.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ..text import tokens
from ..text.truncation import shortened
from .candidates import (
    DECIDED,
    FOUND,
    HELD_TRUE,
    ITS_NOTES,
    LAST,
    LATELY,
    LEFT,
    OWN,
    SESSIONS,
    WANTED,
    Candidate,
)
from .pieces import Piece, Told, pieces_of
from .wrapper import BLANK_NONCE, LEAST_FOR_MORE, line_of_more, without_markers, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..text.language.same import Gist
    from .own_files import AgentsFile
    from .scope import Profile

SHARES = {
    LAST: 0.55, DECIDED: 0.14, HELD_TRUE: 0.2, WANTED: 0.3, LEFT: 0.06, SESSIONS: 0.34, FOUND: 0.28,
    ITS_NOTES: 0.06, LATELY: 0.06, OWN: 1.0,
}  # fmt: skip
"""What of the budget a section may take before others have had theirs; what was asked for comes first."""

LEAST = 60
"""Tokens that a section may take in any case, while there are so many."""

HEAD = 0.6
"""What of a turn's room the beginning of its reply takes, where not all of it fits; its end the rest."""

LEAST_CUT = 8
"""Tokens that a sentence is cut to, at least."""

ENDS = ".!?:;…。！？：；"
ELLIPSIS = " …"
RESERVED = 1.5
"""Tokens for an ellipsis, and for a marker that is made harmless."""
HAIR = 0.001
"""For sums that are not exact."""


class Fit:
    """A candidate as it is told: the heading `above` it, where it opens a section, and its `lines`, none
    where it isn't told. `form` is one of `memtui.store.context.preview.Form`, `weight` what it takes in
    tokens, `file` the agent's own file that tells it already, "" for none."""

    __slots__ = ("above", "candidate", "file", "form", "lines", "weight")

    def __init__(self, candidate: Candidate, form: str) -> None:
        self.candidate = candidate
        self.form = form
        self.lines: list[str] = []
        self.above: list[str] = []
        self.weight = 0.0
        self.file = ""


_weights: dict[str, float] = {}
"""Those of the texts that are being fitted: many are weighed more than once."""


def token_weight(text: str) -> float:
    """Return the weight of a text in tokens, which is only computed once for a fitting."""
    weight = _weights.get(text)
    if weight is None:
        weight = _weights[text] = tokens.token_weight(text)
    return weight


def fitted(
    project: str,
    candidates: Iterable[Candidate],
    profile: Profile,
    budget: int,
    own: Sequence[AgentsFile] = (),
    told: str = "",
) -> list[Fit]:
    """Fit candidates to a budget in tokens, in their order: each in full, or as many of its sentences as
    there is room for, or its line alone. What was told already is left out, and what one of the agent's
    `own` files tells; that comes last in its section. `told` is what the session is told otherwise."""
    sections: dict[str, list[Candidate]] = {}
    in_files: list[Fit] = []
    order: dict[str, int] = {}
    for candidate in candidates:
        order.setdefault(candidate.section, len(order))
        if own and (file := _telling(candidate, profile, own)):
            in_files.append(Fit(candidate, "in files"))
            in_files[-1].file = file.path
        else:
            sections.setdefault(candidate.section, []).append(candidate)
    for members in sections.values():
        _put_later_first(members)
    _weights.clear()
    room = budget - token_weight(wrap(project, [], BLANK_NONCE)) - HAIR
    if budget >= LEAST_FOR_MORE:
        room -= token_weight("\n" + line_of_more(budget))
    fits = _fits(sections, profile, room, [piece.gist for piece in pieces_of(told, len(told))])
    if in_files:
        fits = sorted([*fits, *in_files], key=lambda fit: order[fit.candidate.section])
    return fits


def _telling(candidate: Candidate, profile: Profile, own: Sequence[AgentsFile]) -> AgentsFile | None:
    """Return the file that tells all of a candidate already; None for what was asked for."""
    if candidate.is_asked_for or candidate.ref in profile.left_out:
        return None
    gists = [piece.gist for piece in candidate.pieces]
    gists = [gist for gist in (candidate.gist, *gists) if gist.says_something]
    if not gists:
        return None
    return next((file for file in own if all(map(file.tells, gists))), None)


def _put_later_first(members: list[Candidate]) -> None:
    """Of two of a section that say the same let the later one be told, in the place of the first."""
    for place, candidate in enumerate(members):
        for other in range(place + 1, len(members) if candidate.gist.says_something else 0):
            later = members[other]
            if later.at > candidate.at and later.gist.says_the_same(candidate.gist):
                members[place], members[other] = later, candidate
                candidate = later


def _fits(
    sections: dict[str, list[Candidate]], profile: Profile, room: float, known: Iterable[Gist]
) -> list[Fit]:
    """Fit the candidates of all sections; what is `known` counts as told."""
    content = Told(known)
    results: list[Fit] = []
    shares: dict[str, float] = {}
    carried = 0.0
    for section, members in sections.items():
        asked_for = members[0].is_asked_for
        if not asked_for and not shares:
            shares = _shares(sections, room)
        free = room if asked_for else min(room, shares[section] + carried)
        is_open = False
        demands = [_wanted(member) for member in members] if section == LAST else []
        for place, candidate in enumerate(members):
            most = free
            if demands:
                most = _even(demands[place:], free)
            above = [] if is_open else [f"## {section}"]
            fit = _fit(candidate, profile, above, most, content)
            is_open = is_open or bool(fit.lines)
            free -= fit.weight
            room -= fit.weight
            results.append(fit)
        carried = 0.0 if asked_for else free
    return results


def _shares(sections: dict[str, list[Candidate]], room: float) -> dict[str, float]:
    """Return the tokens that each section may take, the first ones first to what none wants."""
    demands = {
        section: sum(map(_wanted, members))
        for section, members in sections.items()
        if not members[0].is_asked_for
    }
    shares: dict[str, float] = {}
    free = room
    for section, want in demands.items():
        shares[section] = max(0.0, min(want, max(SHARES[section] * room, LEAST), free))
        free -= shares[section]
    for section, want in demands.items():
        more = min(want - shares[section], free)
        shares[section] += more
        free -= more
    # What is wanted is an estimate; where there is more than that, nobody is held to it.
    return {section: share + free for section, share in shares.items()}


def _even(demands: list[float], room: float) -> float:
    """Return the most that each may take so that all have as much, but for those that want less."""
    free = room
    for place, demand in enumerate(sorted(demands)):
        most = free / (len(demands) - place)
        if demand > most:
            return most
        free -= demand
    return room


def _wanted(candidate: Candidate) -> float:
    """About the tokens of a candidate in full."""
    text = "\n".join([candidate.head, *(piece.text for piece in candidate.pieces)])
    return token_weight(text) + 3 * len(candidate.pieces) + 2


def _fit(candidate: Candidate, profile: Profile, above: list[str], most: float, told: Told) -> Fit:
    if candidate.ref in profile.left_out:
        return Fit(candidate, "out")
    weight = token_weight("\n" + "\n".join([*above, candidate.lead]))
    if weight > most - RESERVED:
        return Fit(candidate, "no room")
    is_brief = candidate.ref in profile.brief and bool(candidate.pieces)
    pieces = [] if is_brief else _new(candidate, told)
    head = candidate.head
    if candidate.gist.says_something and not candidate.is_asked_for and told.has(candidate.gist):
        if not pieces:
            return Fit(candidate, "repeated")
        head = candidate.lead
    weight += token_weight(head) - token_weight(candidate.lead)
    if weight > most - RESERVED:
        return Fit(candidate, "no room")
    room = most - RESERVED - weight
    fitting = _ends(pieces, room) if candidate.section == LAST else pieces
    text, is_whole = _text(head, fitting, room, told)
    if text == candidate.lead:
        # Nothing is left of it but when it was.
        return Fit(candidate, "no room" if pieces else "repeated")
    fit = Fit(candidate, "brief" if is_brief else "full")
    if not is_whole or len(fitting) < len(pieces):
        fit.form = "to fit"
    told.add(candidate.gist)
    fit.above = above
    fit.lines = [without_markers(line) for line in text.split("\n")]
    fit.weight = token_weight("\n" + "\n".join([*above, *fit.lines]))
    return fit


def _new(candidate: Candidate, told: Told) -> list[Piece]:
    """Return the pieces of a candidate that nothing told says already, and that aren't its title."""
    if candidate.is_asked_for or candidate.section == ITS_NOTES:
        return list(candidate.pieces)
    here = Told([candidate.gist])
    pieces = []
    for piece in candidate.pieces:
        if not here.has(piece.gist) and not told.has(piece.gist):
            here.add(piece.gist)
            pieces.append(piece)
    says_nothing = all(_leads(piece) or piece.text.startswith("exit code ") for piece in pieces)
    return [] if says_nothing else pieces


def _ends(pieces: list[Piece], room: float) -> list[Piece]:
    """Return the beginning and the end of a text as far as there is room; all of it where that fits."""
    weights = [token_weight(_added(piece, "", True, True)) for piece in pieces]
    if sum(weights) + 2 <= room:
        return pieces
    free = room = room - 4
    end = len(pieces)
    while end > 1 and free - weights[end - 1] >= HEAD * room:
        end -= 1
        free -= weights[end]
    ends: list[Piece] = []
    for piece, weight in zip(pieces[:end], weights, strict=False):
        if weight > free:
            if free > LEAST_CUT:
                cut = shortened(piece.text, int(len(piece.text) * free / weight))
                ends.append(Piece(cut, piece.start))
            elif ends:
                ends[-1] = Piece(ends[-1].text + ELLIPSIS, ends[-1].start)
            break
        ends.append(piece)
        free -= weight
    return [*ends, *pieces[end:]]


def _leads(piece: Piece) -> bool:
    """Whether a piece tells nothing without the one after it."""
    return piece.text[-1:] in (":", "：")


def _text(head: str, pieces: list[Piece], room: float, told: Told) -> tuple[str, bool]:
    """Return the head with as many of the pieces as there is room for, and whether these are all."""
    fields: dict[str, list[Piece]] = {}
    for piece in pieces:
        fields.setdefault(piece.label, []).append(piece)
    text, is_whole = head, True
    for members in fields.values():
        parts = [
            _added(piece, head if text is head and not at else "", at > 0, len(members) > 1)
            for at, piece in enumerate(members)
        ]
        weights = [*map(token_weight, parts)]
        end = len(parts)
        while end and (sum(weights[:end]) > room - 2 * (end < len(parts)) or _leads(members[end - 1])):
            end -= 1
        for piece, part in zip(members[:end], parts, strict=False):
            text += part
            told.add(piece.gist)
        if end < len(parts):
            text += ELLIPSIS if end else ""
            is_whole = False
        room -= sum(weights[:end]) + 2
    return text, is_whole


def _added(piece: Piece, head: str, begun: bool, many: bool) -> str:
    """Return a piece with what stands before it; `head` is the line that it follows, if it is the first."""
    if piece.label and not begun:
        start = " " if piece.start is None or not many else f"\n  {piece.start}"
        return f"\n  {piece.label}:{start}{piece.text}"
    if piece.start is None:
        return f"{': ' if head and head[-1] not in ENDS else ' '}{piece.text}"
    return f"\n  {piece.start}{piece.text}"
