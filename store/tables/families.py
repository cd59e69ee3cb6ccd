"""Families of sessions: which session goes on from which, as a fork or with what was handed over, which
sub-agents worked in each; and how often agents were started in a project.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from ..records.dataclasses import dataclass
from ..records.events import Usage
from ..records.kinds import VISIBLE, visible
from ..records.rows import Relative, SessionRow, Subagent
from .base import matching


@dataclass(frozen=True, slots=True)
class Family:
    """The sessions that go on from each other, as a tree, the first one first, and the tokens that they
    took together."""

    members: tuple[Relative, ...]
    usage: Usage

    @property
    def lasted(self) -> int:
        """How long they lasted together, in ms."""
        return sum(relative.row.lasted for relative in self.members)

    def around(self, number: int) -> tuple[SessionRow | None, list[SessionRow]]:
        """Return the session that one goes on from, None for none, and those that go on from it."""
        before, after, above = None, [], dict[int, SessionRow]()
        for relative in self.members:
            above[relative.depth] = relative.row
            parent = above.get(relative.depth - 1)
            if relative.row.session.id == number:
                before = parent
            elif parent is not None and parent.session.id == number:
                after.append(relative.row)
        return before, after

    @property
    def is_alone(self) -> bool:
        """Whether it is one session without a sub-agent."""
        return len(self.members) == 1 and not self.members[0].subagents


OF_PARENT = """
p.agent = substr(c.continues, 1, instr(c.continues, '/') - 1)
    AND p.content_session_id = substr(c.continues, instr(c.continues, '/') + 1)
"""
"""SQL for `c` going on from `p`."""
EARLIER = "(p.started_at, p.id) < (c.started_at, c.id)"
"""What keeps a family from going round in a circle, whatever other machines say."""

BELOW = f"""
WITH RECURSIVE below(id) AS (
    SELECT c.id FROM sessions p
    JOIN sessions c ON c.continues = p.agent || '/' || p.content_session_id AND {EARLIER}
    WHERE {{0}}
    UNION
    SELECT c.id FROM below JOIN sessions p ON p.id = below.id
    JOIN sessions c ON c.continues = p.agent || '/' || p.content_session_id AND {EARLIER}
)
SELECT id FROM below
"""
"""The ids of the sessions that go on from those that a condition on `p` names, and from these."""

SUBAGENTS = f"""
SELECT o.subagent, count(*), coalesce((
    SELECT call.title FROM captured_events e JOIN observations call ON call.id = e.record_id
    WHERE e.session_id = o.session_id AND e.kind = 'report' AND e.key = o.subagent LIMIT 1
), '') FROM observations o
WHERE o.session_id = ? AND o.subagent IS NOT NULL AND {visible("o")}
GROUP BY o.subagent ORDER BY min(o.created_at), o.subagent
"""


def parents(db: apsw.Connection, project: str | None = None, agent: str | None = None) -> dict[int, int]:
    """Return the ids of the visible sessions of a project, or of an agent, that go on from another of them,
    in the order in which they began, each with the id of that."""
    conditions = [matching(row, project=project, agent=agent) for row in ("c", "p")]
    sql = (
        f"SELECT c.id, p.id FROM sessions c JOIN sessions p ON {OF_PARENT} "
        f"WHERE c.continues IS NOT NULL AND {EARLIER} AND {' AND '.join(conditions)} "
        "ORDER BY c.started_at, c.id"
    )
    rows: Iterable[Any] = db.execute(sql, {"project": project, "agent": agent})
    return {int(child): int(parent) for child, parent in rows}


def trees(parents: dict[int, int]) -> dict[int, list[tuple[int, int]]]:
    """Return families, each by the id of its newest session: the ids of its sessions as a tree, the first
    one first, each with its depth. `parents` are as the function of that name returns them."""
    order = {child: place for place, child in enumerate(parents)}
    children: dict[int, list[int]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    found = [list(_tree(root, children)) for root in children if root not in parents]
    return {max(tree, key=lambda one: order.get(one[0], -1))[0]: tree for tree in found}


def subagents(db: apsw.Connection, session_id: int) -> list[Subagent]:
    """Return the sub-agents that worked in a session, in the order of their first memories."""
    rows: Iterable[Any] = db.execute(SUBAGENTS, (session_id,))
    return [Subagent(session_id, str(id), str(title), int(many)) for id, many, title in rows]


STARTS = """
SELECT agent, count(*) FROM sessions
WHERE started_at >= :since AND deleted_at IS NULL
    AND (project_path = :folder OR substr(project_path, 1, length(:folder) + 1) = :folder || '/')
GROUP BY agent
"""
SUB_AGENTS = """
SELECT s.agent, count(*) FROM subagents a
JOIN sessions s ON s.agent = a.agent AND s.content_session_id = a.parent
WHERE s.started_at >= :since AND s.deleted_at IS NULL
    AND (s.project_path = :folder OR substr(s.project_path, 1, length(:folder) + 1) = :folder || '/')
GROUP BY s.agent
"""


def starts_in(db: apsw.Connection, folder: str, since: int) -> tuple[Counter[str], Counter[str]]:
    """Return by agent how many sessions were started in a folder and below since then (ms since the epoch),
    and how many sub-agents they started."""
    values = {"folder": folder.rstrip("/"), "since": since}
    starts, sub_agents = (
        Counter({str(agent): int(count) for agent, count in db.execute(sql, values)})
        for sql in (STARTS, SUB_AGENTS)
    )
    return starts, sub_agents


# What a skill was given stands behind its name in the title, and an agent's task behind its.
USES = f"""
SELECT 'skill', substr(title, 16, instr(title || ': ', ': ') - 16), count(*) FROM observations
WHERE tool_name = 'Skill' AND title LIKE 'Used the skill %' AND {VISIBLE} GROUP BY 2
UNION ALL SELECT 'agent', substr(title, 14, max(instr(title, ': ') - 14, 0)), count(*) FROM observations
WHERE tool_name IN ('Agent', 'Task') AND title LIKE 'Delegated%' AND {VISIBLE} GROUP BY 2
UNION ALL SELECT 'mcp', tool_name, count(*) FROM observations
WHERE tool_name >= 'mcp__' AND tool_name < 'mcp_`' AND {VISIBLE} GROUP BY 2
UNION ALL SELECT 'command', substr(text, 2, instr(text || ' ', ' ') - 2), count(*) FROM prompts
WHERE text LIKE '/%' AND {VISIBLE} GROUP BY 2
"""


def uses_in(db: apsw.Connection) -> list[tuple[str, str, int]]:
    """Return how often each skill, agent, MCP tool and command was ever used: its kind, its name, the
    number; an agent's name is "" where it isn't known."""
    return [(str(kind), str(name), int(number)) for kind, name, number in db.execute(USES)]


def _tree(root: int, children: dict[int, list[int]]) -> Iterator[tuple[int, int]]:
    waiting = [(root, 0)]
    while waiting:
        number, depth = waiting.pop()
        yield number, depth
        waiting += [(child, depth + 1) for child in reversed(children.get(number, ()))]
