"""What a starting session is told: the few memories that matter, in one fenced block, within a budget.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from .context_fence import BLANK, fence, random_word
from .context_pieces import COLUMNS, Piece, pieces
from .context_profile import BUDGET_TOKENS, Profile, profile_of
from .tokens import tokens, weight

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    import apsw

__all__ = ["BUDGET_TOKENS", "Context", "compose", "composed", "context"]


class Context:
    """A context block, and which memories it tells of; "" and none where there is nothing to tell."""

    __slots__ = ("refs", "text")

    def __init__(self, text: str = "", refs: Iterable[str] = ()) -> None:
        self.text = text
        self.refs = tuple(refs)

    @property
    def tokens(self) -> int:
        """About how many tokens it takes."""
        return tokens(self.text)


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
    found = pieces(db, project, profile.first, relevant)
    return composed(project, found, profile, profile.budget if budget is None else budget)


def composed(project: str, found: Iterable[Piece], profile: Profile, budget: int) -> Context:
    """As many pieces as fit a budget, in their order, and those that don't fit in brief."""
    lines: list[str] = []
    refs: list[str] = []
    left = budget - weight(fence(project, [], BLANK))
    section = ""
    for piece in found:
        if piece.ref in profile.left_out:
            continue
        head = [] if piece.section == section else _head(piece.section)
        forms = (piece.brief,) if piece.ref in profile.brief else (piece.full, piece.brief)
        for form in forms:
            cost = weight("\n" + "\n".join([*head, *form]))
            # A hair's breadth for sums that are not exact.
            if form and cost <= left - 0.001:
                lines += *head, *form
                refs.append(piece.ref)
                left -= cost
                section = piece.section
                break
    if not refs:
        return Context()
    # No word weighs more than the blank, which is all digits.
    return Context(fence(project, lines, random_word()), refs)


def _head(section: str) -> list[str]:
    return [f"## {section}", COLUMNS] if section == "Earlier" else [f"## {section}"]
