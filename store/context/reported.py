"""Which memories somebody has reported as wrong, and how texts for agents mark them.

Next to nothing is imported: a hook's process asks it.
"""

from __future__ import annotations

from .. import kinds
from ..kinds import KINDS

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

REPORTED_WRONG = "(reported wrong)"
"""What is said of such a memory."""
WRONG = "SELECT kind, record_id FROM reported_memories WHERE verdict = 'wrong'"


def refs_reported_wrong(db: apsw.Connection) -> frozenset[str]:
    """Return the refs of all memories that are reported as wrong; there are few. Raises apsw's errors."""
    return frozenset(kinds.ref(KINDS[kind], number) for kind, number in db.execute(WRONG))
