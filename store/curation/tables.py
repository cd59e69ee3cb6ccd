"""The tables of a store, each imported when it is first asked for.

They stand here, for hooks import the package of the tables, and have no time for `functools`.
"""

from __future__ import annotations

from functools import cached_property

TYPE_CHECKING = False
if TYPE_CHECKING:
    import apsw

    from ..database.transaction import Transaction
    from ..tables.facts import Facts
    from ..tables.notes import Notes
    from ..tables.observations import Observations
    from ..tables.projects import Projects
    from ..tables.prompts import Prompts
    from ..tables.queue import PendingMessages
    from ..tables.searches import Searches
    from ..tables.sessions import Sessions
    from ..tables.summaries import Summaries


class Tables:
    """What a `Store` has of tables, each imported when it is first asked for."""

    db: apsw.Connection
    _transaction: Transaction

    @cached_property
    def machine_id(self) -> str:
        """Which machine writes here: the `origin` and `editor` of its rows."""
        return str(self.db.execute("SELECT value FROM meta WHERE key = 'machine_id'").get)

    @cached_property
    def sessions(self) -> Sessions:
        """The working sessions of agents."""
        from ..tables.sessions import Sessions

        return Sessions(self.db, self._transaction, self.machine_id)

    @cached_property
    def prompts(self) -> Prompts:
        """What users asked."""
        from ..tables.prompts import Prompts

        return Prompts(self.db, self._transaction, self.machine_id, self.sessions)

    @cached_property
    def observations(self) -> Observations:
        """What was learned or done."""
        from ..tables.observations import Observations

        return Observations(self.db, self._transaction, self.machine_id, self.sessions)

    @cached_property
    def summaries(self) -> Summaries:
        """What sessions came to."""
        from ..tables.summaries import Summaries

        return Summaries(self.db, self._transaction, self.machine_id, self.sessions)

    @cached_property
    def facts(self) -> Facts:
        """What is held true."""
        from ..tables.facts import Facts

        return Facts(self.db, self._transaction, self.machine_id)

    @cached_property
    def notes(self) -> Notes:
        """Core memory, by project and path."""
        from ..tables.notes import Notes

        return Notes(self.db, self._transaction, self.machine_id)

    @cached_property
    def pending(self) -> PendingMessages:
        """The events that wait for an observer."""
        from ..tables.queue import PendingMessages

        return PendingMessages(self.db, self._transaction, self.sessions)

    @cached_property
    def known_projects(self) -> Projects:
        """Which project each place belongs to."""
        from ..tables.projects import Projects

        return Projects(self.db, self._transaction, self.facts)

    @cached_property
    def searches(self) -> Searches:
        """The query history."""
        from ..tables.searches import Searches

        return Searches(self.db, self._transaction)
