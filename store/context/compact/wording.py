"""How an answer names what its reader can ask next: a command of the shell, or a tool of the server."""

from __future__ import annotations

from ...records.dataclasses import dataclass
from ..wrapper import mem_command


@dataclass(frozen=True, slots=True)
class Wording:
    """How its reader asks for all of a memory, for what was around it; for what a
    session did, for the next page, for more of what was cut, and for what there is."""

    show: str
    timeline: str
    session: str
    cursor: str
    max_tokens: str
    search: str

    def whole(self, id: str = "ID") -> str:
        """Return how all of one memory is asked for."""
        return _filled(self.show, "ID", id)

    def around(self, id: str = "ID") -> str:
        """Return how what was around a memory is asked for."""
        return _filled(self.timeline, "ID", id)

    def did(self, id: str = "@ID") -> str:
        """Return how what a session did is asked for."""
        return _filled(self.session, "ID", id)

    def further(self, cursor: str) -> str:
        """Return how the next page is asked for."""
        return _filled(self.cursor, "CURSOR", cursor)

    def said(self, error: Exception) -> str:
        """Return an error's sentence, which names the command that searches, in this wording."""
        return str(error).replace("`mem search`", self.search)

    def larger(self, tokens: int) -> str:
        """Return how more of what was cut is asked for."""
        return _filled(self.max_tokens, "TOKENS", str(tokens))


TOOLS = Wording("get ID", "timeline ID", "timeline ID", 'cursor="CURSOR"', "max_tokens=TOKENS", "`search`")
"""Of a client of the server, by the names of its tools and their arguments."""


def shell() -> Wording:
    """Return the wording for an agent's shell, which may know `mem` by its path alone."""
    mem = mem_command()
    return Wording(
        f"`{mem} show --for-agent ID`",
        f"`{mem} timeline --for-agent ID`",
        f"`{mem} session show --for-agent ID`",
        "--cursor CURSOR",
        "--max-tokens TOKENS",
        f"`{mem} search --for-agent`",
    )


def _filled(template: str, name: str, value: str) -> str:
    # The last one: what stands before it may be a path.
    return value.join(template.rsplit(name, 1))
