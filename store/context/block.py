"""What a starting session is told: the few memories that matter, in one fenced block, within a budget.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ..text.tokens import estimate_tokens, token_weight
from .candidates import TABLE_HEADER, Candidate, candidates
from .profile import Profile, profile_of
from .wrapper import BLANK_NONCE, nonce, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    Placed = tuple[Candidate, list[str], list[str]]


class Context:
    """A context block, and which memories it tells of; "" and none where there is nothing to tell."""

    __slots__ = ("refs", "text")

    def __init__(self, text: str = "", refs: Iterable[str] = ()) -> None:
        self.text = text
        self.refs = tuple(refs)

    @property
    def tokens(self) -> int:
        """About how many tokens it takes."""
        return estimate_tokens(self.text)


def context(db: apsw.Connection, project: str, *, budget: int | None = None) -> str:
    """The context block for a session of a project; "" where there is nothing to tell.

    At most `budget` tokens, by an estimate; what the project's profile says, else 1,500, where none
    is given. The block can't be left from inside: its tag carries a random word, and what could pose
    as a tag or a turn in a memory is changed. Raises apsw's errors.
    """
    return compose(db, project, budget=budget).text


def compose(
    db: apsw.Connection,
    project: str,
    *,
    budget: int | None = None,
    relevant: Iterable[str] = (),
) -> Context:
    """The same with the refs of what it tells; memories that a prompt is about come first."""
    profile = profile_of(db, project)
    found = candidates(db, project, profile.first, relevant)
    return composed(project, found, profile, profile.budget if budget is None else budget)


def composed(project: str, found: Iterable[Candidate], profile: Profile, budget: int) -> Context:
    """As many pieces as fit a budget, in their order, and those that don't fit in brief."""
    return told(project, fitted(project, found, profile, budget), nonce())


def fitted(
    project: str, found: Iterable[Candidate], profile: Profile, budget: int
) -> Iterator[Placed]:
    """Each piece with the head of its section, where it opens one, and the form in which it is told:
    no line where it is left out, or doesn't fit what is left of the budget."""
    left = budget - token_weight(wrap(project, [], BLANK_NONCE))
    section = ""
    for piece in found:
        head = [] if piece.section == section else _head(piece.section)
        for form in _forms(piece, profile):
            cost = token_weight("\n" + "\n".join([*head, *form]))
            # A hair's breadth for sums that are not exact.
            if form and cost <= left - 0.001:
                left -= cost
                section = piece.section
                yield piece, head, form
                break
        else:
            yield piece, [], []


def told(project: str, placings: Iterable[Placed], word: str) -> Context:
    """The block that tells pieces as they were placed; its tag carries the word."""
    lines: list[str] = []
    refs: list[str] = []
    for piece, head, form in placings:
        if form:
            lines += *head, *form
            refs.append(piece.ref)
    if not refs:
        return Context()
    # No word weighs more than the blank, which is all digits.
    return Context(wrap(project, lines, word), refs)


def _forms(piece: Candidate, profile: Profile) -> tuple[list[str], ...]:
    if piece.ref in profile.left_out:
        return ()
    return (piece.brief,) if piece.ref in profile.brief else (piece.full, piece.brief)


def _head(section: str) -> list[str]:
    return [f"## {section}", TABLE_HEADER] if section == "Earlier" else [f"## {section}"]
