"""All about agents' files in one folder, as the browser shows it: what is told, what isn't, what it costs
at every start, and what is wrong.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import TYPE_CHECKING

from ...agents.homes import AgentHomes, read_text, resolved_path
from ...platform.clock import DAY_MS, now_ms
from ...platform.translation import _
from ...records.dataclasses import dataclass
from ...search.query.language import parse
from ...tables.families import starts_in, uses_in
from ...text.front_matter import split_front
from ...text.redaction import scrub
from .agent_files import AgentFile as AgentFile
from .agent_files import FileKind, rules_of
from .checks import Finding as Finding
from .checks import check
from .discovery import project_of
from .extras import AGENT as EXTRAS_OF
from .extras import DoubledRule as DoubledRule
from .extras import Extra as Extra
from .extras import doubled_extras, doubled_rules, extras, uses_of
from .index import FileIndex, index_path
from .query import file_query, files_found, refreshed
from .sharing import SharedFiles as SharedFiles
from .starts import AGENTS as AGENTS
from .starts import AgentStart as AgentStart
from .starts import LoadedFile as LoadedFile
from .starts import SkippedFile as SkippedFile
from .starts import agent_start
from .writing import existing, text_of, version_before

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...store import Store


@dataclass(frozen=True, slots=True)
class FilesOverview:
    """What an agent is told at a start in a folder, the other files of the project and those that hold
    everywhere, the findings by file, how many starts and sub-agents there were in thirty days, and what is
    in step with which machines."""

    title: str
    approximate: bool
    start: AgentStart
    files: tuple[AgentFile, ...]
    findings: Mapping[Path, Sequence[Finding]]
    starts: int
    sub_agents: int
    in_step: Mapping[Path, str]
    extras: tuple[Extra, ...] = ()


@dataclass(frozen=True, slots=True)
class FileText:
    """A file's text without secrets: its front matter as lines, the rest, and how many lines stand before
    that. `trouble` says why there is none."""

    front: tuple[tuple[str, str], ...] = ()
    body: str = ""
    skipped: int = 0
    trouble: str = ""


def files_overview(store: Store, folder: Path, agent: str) -> FilesOverview:
    """Return what there is to see of agents' files in a folder. KeyError for an agent of which isn't
    computed what it is told."""
    here = AgentHomes.own()
    project = project_of(folder)
    with FileIndex(index_path(Path(store.path))) as index:
        files = refreshed(index, here, [project]).files
    own = [file for file in files if file.project in (None, project) and not _of_others(file)]
    findings: dict[Path, list[Finding]] = defaultdict(list)
    in_step: dict[Path, str] = {}
    for shared in SharedFiles(store, here).listed():
        path, machines = resolved_path(shared.path or Path()), ", ".join(shared.machines)
        if shared.state == "in step":
            in_step[path] = _("In step with {machines}.", machines=machines or _("no machine yet"))
        elif shared.state == "differs":
            text = _("Differs from {machines}: d shows both texts, e makes one of them.", machines=machines)
            findings[path].append(Finding("differs", path, 0, text))
    for finding in check(here, [project], own):
        findings[finding.path].append(finding)
    starts, sub_agents = starts_in(store.db, str(resolved_path(folder)), now_ms() - DAYS * DAY_MS)
    rules = rules_of(agent)
    return FilesOverview(
        rules.title,
        rules.approximate,
        agent_start(here, agent, folder),
        tuple(own),
        dict(findings),
        starts[agent],
        sub_agents[agent],
        in_step,
        extras(here, folder, uses_of(uses_in(store.db))) if agent == EXTRAS_OF else (),
    )


def tokens_loaded_here(store: Store, folder: Path) -> int:
    """Return about how many tokens of agents' own files were told in thirty days to the agents that were
    started in a folder, and to their sub-agents."""
    starts, sub_agents = starts_in(store.db, str(resolved_path(folder)), now_ms() - DAYS * DAY_MS)
    costs = start_costs(
        AgentHomes.own(), folder, [name for name in AGENTS if starts[name]], starts, sub_agents
    )
    return sum(cost.total for cost in costs)


def files_with(store: Store, words: str) -> frozenset[Path]:
    """Return the files that hold all of some words, or that a query for files finds."""
    if (query := file_query(words)) is not None:
        return frozenset(hit.file.path for hit in files_found(store, query)[0])
    with FileIndex(index_path(Path(store.path))) as index:
        return frozenset(path for path, *_ in index.matches(parse(words)))


def file_text(path: Path) -> FileText:
    """Return the text of a file, fit to be shown but for the display gate."""
    text = read_text(path)
    if text is None:
        return FileText(trouble=_("It can't be read: it is gone, no plain file, or may hold keys."))
    front = split_front(scrub(text))
    values = front.values or {}
    lines = tuple((name, _shown(value)) for name, value in values.items())
    return FileText(lines, front.body, front.lines)


def last_change(store: Store, path: Path) -> tuple[str, str]:
    """Return the text of a file before it was changed last, as far as that was seen, and as it is; both
    without secrets. Raises NotFoundError where no other version is kept."""
    shown = existing(path)
    return scrub(text_of(version_before(store, shown))), scrub(shown.text)


DAYS = 30


@dataclass(frozen=True, slots=True)
class FileCost:
    """A file that is told at every start: its tokens, and the agents that are told it."""

    path: Path
    kind: FileKind
    tokens: int
    agents: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StartCost:
    """Tokens that an agent is told at a start in a folder, by file, the dearest first, and how many starts
    there were there in thirty days; `sub_agents` of them were told all of it again."""

    agent: str
    folder: Path
    tokens: int
    starts: int
    sub_agents: int
    files: tuple[FileCost, ...]
    extras: tuple[Extra, ...] = ()
    doubled: tuple[DoubledRule, ...] = ()

    @property
    def doubled_extras(self) -> tuple[tuple[Extra, ...], ...]:
        """What is told twice beside the files, each with its other names."""
        return doubled_extras(self.extras)

    @property
    def beside(self) -> int:
        """Tokens of what is told at a start beside the files."""
        return sum(item.tokens for item in self.extras)

    @property
    def total(self) -> int:
        """Tokens in thirty days."""
        return self.tokens * (self.starts + self.sub_agents) + self.beside * self.starts


def start_costs(
    here: AgentHomes,
    folder: Path,
    agents: Sequence[str],
    starts: Counter[str],
    sub_agents: Counter[str],
    uses: Mapping[tuple[str, str], int] | None = None,
) -> list[StartCost]:
    """Return what starts in a folder cost with each agent, by how many there were. `uses` are as `uses_of`
    returns them."""
    found = {agent: agent_start(here, agent, folder) for agent in agents}
    loading: dict[Path, set[str]] = {}
    for agent, result in found.items():
        for piece in result.pieces:
            loading.setdefault(piece.path, set()).add(agent)
    return [
        StartCost(
            agent,
            result.folder,
            result.tokens,
            starts[agent],
            sub_agents[agent],
            tuple(
                FileCost(piece.path, piece.kind, piece.tokens, tuple(sorted(loading[piece.path])))
                for piece in sorted(result.pieces, key=lambda piece: -piece.tokens)
            ),
            extras(here, result.folder, uses or {}) if agent == EXTRAS_OF else (),
            doubled_rules(result.pieces),
        )
        for agent, result in found.items()
    ]


def _of_others(file: AgentFile) -> bool:
    """Return whether a file belongs to another project, of which it can't be told."""
    return file.project is None and file.scope in ("project", "team")


def _shown(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {inner}" for name, inner in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)
