"""How an answer names what its reader can ask next: a command of the shell, or a tool of the server."""

from __future__ import annotations

from ..records.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Wording:
    """Each is a template; `{id}` and `{value}` are filled in."""

    whole: str
    around: str
    around_more: str
    further: str
    larger: str


SHELL = Wording(
    whole="`mem show --for-agent {id}` tells all of one",
    around="`mem timeline --for-agent {id}` what was around it",
    around_more="`mem timeline --for-agent {id}`",
    further="--cursor {value}",
    larger="--max-tokens {value}",
)
TOOLS = Wording(
    whole="get {id} tells all of one",
    around="timeline {id} what was around it",
    around_more="timeline {id}",
    further='cursor="{value}"',
    larger="max_tokens={value}",
)
