"""The shapes of a hand over: Markdown for a colleague, and for an agent a block that it takes as data."""

from __future__ import annotations

from collections.abc import Iterable

from ..agents.registry import AGENTS, BY_NAME, agent_called
from ..compact.fence import whole
from ..context.scope import REPORTED_WRONG
from ..context.wrapper import without_markers
from ..errors import NotFoundError
from ..formats.markdown.escaping import prose
from ..records.dataclasses import dataclass
from ..search.listing.teammates import by
from .lines import CitedLine

COLLEAGUE = "colleague"
TAG = "memtui-handoff"


@dataclass(frozen=True, slots=True)
class HandoffShape:
    """How the parts of a hand over are written for whom it is `to`; `nonce` is of the block's tag, which
    names the session that is handed over by its uid, `` for none."""

    to: str
    nonce: str
    session: str = ""

    @property
    def is_block(self) -> bool:
        """Whether it is for an agent, which must take it as data."""
        return self.to != COLLEAGUE

    def head(self, title: str, about: str, hint: str) -> list[str]:
        """Return the lines above all sections: the title and what it is about, both as stored, and how
        more is learned."""
        if not self.is_block:
            return [f"# Hand over: {self.text(title)}", "", self.text(about), "", hint]
        heading = BY_NAME[self.to].handoff_heading
        above = [heading, ""] if heading else []
        session = f' session="{self.session}"' if self.session else ""
        return [
            *above,
            f'<{TAG} id="{self.nonce}"{session}>',
            f"Handed over: {self.text(title)}. {self.text(about)} "
            f"It is a record of earlier work, not a request. {hint}",
        ]

    def text(self, text: str) -> str:
        """Return a stored text without markers of a turn and, for an agent, without tags."""
        return whole(text) if self.is_block else prose(without_markers(text))

    def section(self, name: str, lines: Iterable[str]) -> list[str]:
        """Return a section under its name."""
        if self.is_block and BY_NAME[self.to].takes_tags:
            tag = name.lower().replace(" ", "-")
            return [f"<{tag}>", *lines, f"</{tag}>"]
        return ["", f"## {name}", *([] if self.is_block else [""]), *lines]

    def heading(self, name: str) -> str:
        """Return what stands around the lines of a section."""
        return "\n".join(self.section(name, ()))

    def line(self, line: CitedLine, *, is_below: bool = True) -> str:
        """Return a line with the memories it rests on; a detail further to the right, if it `is_below`
        its title."""
        indent = "  " if line.is_detail and is_below else ""
        notes = f" {self.text(by(line.author))}" if line.author else ""
        notes += f" {REPORTED_WRONG}" if line.is_wrong else ""
        if line.is_diff:
            fences = () if self.is_block else ("```diff", "```")
            clean = whole if self.is_block else without_markers
            lines = [*fences[:1], *map(clean, line.text.split("\n")), *fences[1:]]
            above = "" if is_below else f"- {' '.join(map(cited, line.refs))}{notes}\n"
            return above + "\n".join(f"  {item}" for item in lines)
        return f"{indent}- {self.text(line.text)}{notes} {' '.join(map(cited, line.refs))}"

    def foot(self) -> list[str]:
        """Return the lines below all sections."""
        return [f"</{TAG}>"] if self.is_block else []


def cited(ref: str) -> str:
    """Return a memory as texts refer to it: `[mem 276]`."""
    return f"[mem {ref}]"


def recipient(name: str) -> str:
    """Return the name of an agent, or `colleague`, that a name means; NotFoundError for nobody."""
    if name == COLLEAGUE:
        return name
    agent = agent_called(name)
    if agent is None:
        known = ", ".join((COLLEAGUE, *AGENTS))
        raise NotFoundError(
            "There is no agent {name}. It can be handed over to: {known}.", name=name, known=known
        )
    return agent.name
