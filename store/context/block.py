"""Compose the context block: the few memories that matter to a starting session, within a budget.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from .candidates import candidates
from .fitting import Fit, fitted
from .scope import ALL, SessionScope, profile_of
from .wrapper import LEAST_FOR_MORE, Context, line_of_more, random_nonce, wrap

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import apsw

    from .own_files import AgentsFile

SHARE_OF_OWN = 0.4
"""What of the budget a compacted session is told, which holds the agent's own summary."""


CUT = ("to fit", "no room")
"""The forms of candidates of which not all is told."""


def compose(
    db: apsw.Connection,
    project: str,
    *,
    budget: int | None = None,
    relevant: Iterable[str] = (),
    scope: SessionScope = ALL,
    nonce: str | None = None,
    to_tools: bool = False,
    own: Sequence[AgentsFile] = (),
    told: str = "",
    folder: str = "",
) -> Context:
    """Return the context block for a session of a project; an empty one where there is nothing to give.

    It takes at most `budget` tokens, by an estimate; where none is given, what the project's profile
    says, else 1,500. `relevant` are refs of memories that a prompt is about: they come first. `scope`
    is what a session that starts again is told. The block can't be left from inside: its tag carries
    a `nonce`, a random one unless it is given, and what could pose as a tag or a turn in a memory is
    changed. `to_tools` names the server's tools in it instead of commands. What the agent's `own` files
    tell is left out, and what is `told` at the same time. `folder` is where the session works: what isn't
    merged there says so. Raises apsw's errors.
    """
    profile = profile_of(db, project)
    if budget is None:
        budget = round(profile.budget * SHARE_OF_OWN) if scope.is_own else profile.budget
    results = candidates(db, project, profile.first, relevant, scope, folder)
    fits = fitted(project, results, profile, budget, own, told)
    return rendered(project, fits, nonce or random_nonce(), budget, to_tools=to_tools)


def rendered(
    project: str, fits: Iterable[Fit], nonce: str, budget: int, *, to_tools: bool = False
) -> Context:
    """Return the block of candidates that were fitted to a budget; its tag carries the nonce."""
    fits = list(fits)
    lines: list[str] = []
    refs: list[str] = []
    for fit in fits:
        if fit.lines:
            lines += *fit.above, *fit.lines
            refs.append(fit.candidate.ref)
    in_files = [(fit.candidate.ref, fit.file) for fit in fits if fit.file]
    if not refs:
        return Context(in_files=in_files)
    if budget >= LEAST_FOR_MORE and any(fit.form in CUT for fit in fits):
        lines.append(line_of_more(budget, to_tools=to_tools))
    # No nonce weighs more than the blank one, which is all digits.
    return Context(wrap(project, lines, nonce, to_tools=to_tools), refs, in_files)
