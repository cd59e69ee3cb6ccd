"""Compose the context block: the few memories that matter to a starting session, within a budget.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from ..text.tokens import estimate_tokens, token_weight
from .candidates import TABLE_HEADER, Candidate, candidates
from .profile import BUDGET_TOKENS, Profile, profile_of
from .wrapper import BLANK_NONCE, random_nonce, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import apsw

    Fitted = tuple[Candidate, list[str], list[str]]

__all__ = ["BUDGET_TOKENS", "Context", "compose", "fitted", "rendered"]


class Context:
    """A context block and the refs of its memories; "" and none where there is nothing to give."""

    __slots__ = ("refs", "text")

    def __init__(self, text: str = "", refs: Iterable[str] = ()) -> None:
        self.text = text
        self.refs = tuple(refs)

    @property
    def tokens(self) -> int:
        """About how many tokens it takes."""
        return estimate_tokens(self.text)


def compose(
    db: apsw.Connection,
    project: str,
    *,
    budget: int | None = None,
    relevant: Iterable[str] = (),
) -> Context:
    """Return the context block for a session of a project; an empty one where there is nothing to give.

    It takes at most `budget` tokens, by an estimate; where none is given, what the project's profile
    says, else 1,500. `relevant` are refs of memories that a prompt is about: they come first. The
    block can't be left from inside: its tag carries a nonce, and what could pose as a tag or a turn
    in a memory is changed. Raises apsw's errors.
    """
    profile = profile_of(db, project)
    found = candidates(db, project, profile.first, relevant)
    fits = fitted(project, found, profile, profile.budget if budget is None else budget)
    return rendered(project, fits, random_nonce())


def fitted(
    project: str, found: Iterable[Candidate], profile: Profile, budget: int
) -> Iterator[Fitted]:
    """Fit candidates to a budget in tokens, in their order; those that don't fit in full in brief.

    Each comes with the head of its section, where it opens one, and its lines: none where it is left
    out, or doesn't fit what is left of the budget.
    """
    left = budget - token_weight(wrap(project, [], BLANK_NONCE))
    section = ""
    for candidate in found:
        head = [] if candidate.section == section else _head(candidate.section)
        for form in _forms(candidate, profile):
            cost = token_weight("\n" + "\n".join([*head, *form]))
            # A hair's breadth for sums that are not exact.
            if form and cost <= left - 0.001:
                left -= cost
                section = candidate.section
                yield candidate, head, form
                break
        else:
            yield candidate, [], []


def rendered(project: str, fits: Iterable[Fitted], nonce: str) -> Context:
    """Return the block of fitted candidates, whose tag carries the nonce."""
    lines: list[str] = []
    refs: list[str] = []
    for candidate, head, form in fits:
        if form:
            lines += *head, *form
            refs.append(candidate.ref)
    if not refs:
        return Context()
    # No nonce weighs more than the blank one, which is all digits.
    return Context(wrap(project, lines, nonce), refs)


def _forms(candidate: Candidate, profile: Profile) -> tuple[list[str], ...]:
    if candidate.ref in profile.left_out:
        return ()
    if candidate.ref in profile.brief:
        return (candidate.brief,)
    return (candidate.full, candidate.brief)


def _head(section: str) -> list[str]:
    return [f"## {section}", TABLE_HEADER] if section == "Earlier" else [f"## {section}"]
