"""What Claude Code is told at a start beside files: the skills, agents, commands and MCP servers of the
last session in a folder, as its transcript has them, else those that are declared in its folders; where
each is declared, and how often it was used. Tokens are those that `/context` told there last, else
estimates. And rules that stand in several of the files that are told.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Literal

from ...agents.homes import AgentHomes, read_text, resolved_path
from ...platform.translation import N_
from ...records.dataclasses import dataclass
from ...text.front_matter import split_front
from ...text.language.folding import fold
from ...text.tokens import estimate_tokens
from .agent_files import LoadedFile, repository_of, slug

Kind = Literal["skill", "agent", "command", "mcp", "system"]
AGENT = "claude-code"
KINDS = (N_("skill"), N_("agent"), N_("command"), N_("mcp"), N_("system"))
DECLARED: dict[Kind, str] = {
    "skill": "skills/*/SKILL.md",
    "agent": "agents/**/*.md",
    "command": "commands/**/*.md",
}
"""Where each is declared, below `.claude`."""
OUTPUT = b"<local-command-stdout>"
TRANSCRIPTS, HEAD_LINES = 5, 200
"""So many of the newest transcripts are looked at for a listing, and lines of each."""
LISTINGS = ("skill_listing", "agent_listing_delta", "deferred_tools_delta", "mcp_instructions_delta")
ENTRY = re.compile(r"(?m)^- (?=\S)")
SECTIONS: dict[str, Kind] = {"mcp tools": "mcp", "custom agents": "agent", "skills": "skill"}
"""What is listed one by one in what `/context` prints, by its heading."""
COLOUR = re.compile(r"\x1b\[[\d;]*m")
TOKENS = r"[~<≈ ]*(?P<number>\d[\d.,]*)(?P<unit>[km]?)(?: tokens| \|)"
SYSTEM = re.compile(rf"(?i)(?P<name>System (?:prompt|tools))(?:: | \| ){TOKENS}")
HEADING = re.compile(r"\s*(?:#+ (?P<name>[\w ]+)|(?P<plain>[\w ]+) · /.*)")
ITEM = re.compile(
    rf"(?i)\s*(?:\| (?P<cell>[^|]+) \| [^|]* \| |[└├] (?P<name>\S+)(?: \([^)]*\))?(?::| ·) ){TOKENS}"
)
RULE_WORDS = 4
"""A line of fewer words is no rule."""


@dataclass(frozen=True, slots=True)
class Extra:
    """What is told beside files: its tokens, where it is declared (several times where it is a double), and
    how often it was ever used, None where that isn't known."""

    kind: Kind
    name: str
    tokens: int
    places: tuple[Path, ...] = ()
    used: int | None = None


@dataclass(frozen=True, slots=True)
class DoubledRule:
    """A line that stands in several of the files that are told."""

    text: str
    paths: tuple[Path, ...]


def extras(here: AgentHomes, folder: Path, uses: Mapping[tuple[str, str], int]) -> tuple[Extra, ...]:
    """Return what is told in a folder beside files, by kind, the dearest first; `uses` by kind and name."""
    declared: defaultdict[tuple[Kind, str], dict[Path, str]] = defaultdict(dict)
    for kind, name, text, path in _declared(here, folder):
        declared[kind, name][path] = text
    listed = _listed(here, folder, {name for kind, name in declared if kind == "command"})
    if not listed:
        listed = {key: next(iter(texts.values())) for key, texts in declared.items()}
    told = {key: estimate_tokens(text) for key, text in listed.items()}
    for (kind, name), tokens in _reported(here, folder).items():
        is_command = kind == "skill" and ("command", name) in told
        told["command" if is_command else kind, name] = tokens
    results = [
        Extra(kind, name, tokens, tuple(declared.get((kind, name), ())), _used(uses, kind, name))
        for (kind, name), tokens in told.items()
    ]
    return tuple(sorted(results, key=lambda item: (KINDS.index(item.kind), -item.tokens, item.name)))


def doubled_rules(pieces: Iterable[LoadedFile]) -> tuple[DoubledRule, ...]:
    """Return the lines that several of the files that are told have in the same words."""
    holding: defaultdict[str, dict[Path, str]] = defaultdict(dict)
    for piece in pieces:
        for line in piece.text.splitlines():
            rule = line.strip().lstrip("-*#>0123456789. ").strip()
            if len(rule.split()) >= RULE_WORDS or (not rule.isascii() and len(rule) > 2 * RULE_WORDS):
                holding[fold(rule).rstrip(".。")].setdefault(piece.path, rule)
    return tuple(
        DoubledRule(next(iter(texts.values())), tuple(texts))
        for texts in holding.values()
        if len(texts) > 1
    )


def _used(uses: Mapping[tuple[str, str], int], kind: Kind, name: str) -> int | None:
    # Skills and commands are called by each other's names.
    kinds = ("skill", "command") if kind in ("skill", "command") else (kind,)
    number = sum(uses.get((called, name), 0) for called in kinds)
    is_unknown = kind == "system" or (kind == "agent" and ("agent", "") in uses)
    return None if is_unknown and not number else number


def doubled_extras(extras: Iterable[Extra]) -> tuple[tuple[Extra, ...], ...]:
    """Return what is told beside files under several names that differ by a plugin's alone, or is declared
    in several places."""
    named: defaultdict[tuple[Kind, str], list[Extra]] = defaultdict(list)
    for item in extras:
        named[item.kind, item.name.rpartition(":")[2]].append(item)
    return tuple(tuple(same) for same in named.values() if len(same) > 1 or len(same[0].places) > 1)


def _declared(here: AgentHomes, folder: Path) -> Iterator[tuple[Kind, str, str, Path]]:
    tops = [here.folder_of(AGENT), folder / ".claude", (repository_of(folder) or folder) / ".claude"]
    for top in dict.fromkeys(map(resolved_path, tops)):
        for kind, pattern in DECLARED.items():
            for path in sorted(top.glob(pattern)):
                if (text := read_text(path)) is None:
                    continue
                front = split_front(text).values or {}
                own = path.parent.name if kind == "skill" else path.stem
                name = str(front.get("name") or own) if kind != "command" else own
                yield kind, name, f"- {name}: {front.get('description') or ''}", path


def _transcripts(here: AgentHomes, folder: Path) -> list[Path]:
    """Return the last transcripts of sessions in a folder, the newest first."""
    dated = []
    for path in (here.folder_of(AGENT) / "projects" / slug(folder)).glob("*.jsonl"):
        with suppress(OSError):
            dated.append((path.stat().st_mtime, path))
    return [path for _at, path in sorted(dated, reverse=True)[:TRANSCRIPTS]]


def _listed(here: AgentHomes, folder: Path, commands: set[str]) -> dict[tuple[Kind, str], str]:
    """Return what the last session in a folder that tells was told, each with its text."""
    for path in _transcripts(here, folder):
        texts: defaultdict[tuple[Kind, str], str] = defaultdict(str)
        for listing in _listings(path):
            for kind, name, text in _entries(listing):
                is_command = kind == "skill" and name in commands
                texts["command" if is_command else kind, name] += text
        if texts:
            return texts
    return {}


def _reported(here: AgentHomes, folder: Path) -> Counter[tuple[Kind, str]]:
    """Return the tokens that the last `/context` in a folder told, of what is told at every start."""
    for path in _transcripts(here, folder):
        with suppress(OSError), path.open("rb") as lines:
            *_, last = b"", *(line for line in lines if OUTPUT in line and b"Context Usage" in line)
            if tokens := context_tokens(last.decode("utf-8", "replace")):
                return tokens
    return Counter()


def context_tokens(line: str) -> Counter[tuple[Kind, str]]:
    """Return the tokens by what they are of, as a transcript's line with the output of `/context` has them,
    of MCP tools by their server; nothing of another line."""
    tokens: Counter[tuple[Kind, str]] = Counter()
    with suppress(ValueError, OverflowError, RecursionError, AttributeError):
        value = json.loads(line)
        text = value.get("content") or (value.get("message") or {}).get("content")
        kind: Kind | None = None
        for row in COLOUR.sub("", text if isinstance(text, str) else "").splitlines():
            if kind and (match := ITEM.match(row)):
                name = (match["cell"] or match["name"]).strip()
                own = name.split("__")[1] if kind == "mcp" and name.count("__") > 1 else name
                tokens[kind, own] += _number(match)
            elif match := SYSTEM.search(row):
                tokens["system", match["name"]] = _number(match)
            elif match := HEADING.fullmatch(row):
                kind = SECTIONS.get((match["name"] or match["plain"]).strip().lower())
    return tokens


def _number(match: re.Match[str]) -> int:
    number = float(match["number"].replace(",", ""))
    return round(number * {"": 1, "k": 1_000, "m": 1_000_000}[match["unit"].lower()])


def _listings(path: Path) -> Iterator[dict[str, Any]]:
    with suppress(OSError), path.open(encoding="utf-8", errors="replace") as lines:
        for line in islice(lines, HEAD_LINES):
            if '"attachment"' not in line:
                continue
            with suppress(ValueError, RecursionError):
                value = json.loads(line)
                attachment = value.get("attachment") if isinstance(value, dict) else None
                if isinstance(attachment, dict) and attachment.get("type") in LISTINGS:
                    yield attachment


def _entries(listing: dict[str, Any]) -> Iterator[tuple[Kind, str, str]]:
    kind = listing["type"]
    if kind == "skill_listing":
        for entry in ENTRY.split(str(listing.get("content") or ""))[1:]:
            yield (
                "skill",
                re.split(r": |:?$", entry, maxsplit=1, flags=re.MULTILINE)[0].strip(),
                f"- {entry}",
            )
    elif kind == "agent_listing_delta":
        for entry in _texts(listing, "addedLines"):
            yield "agent", entry.removeprefix("- ").split(": ")[0], entry
    elif kind == "deferred_tools_delta":
        for name in _texts(listing, "addedNames"):
            if name.startswith("mcp__"):
                yield "mcp", name.split("__")[1], f"{name}\n"
    else:
        for name, block in zip(_texts(listing, "addedNames"), _texts(listing, "addedBlocks"), strict=False):
            yield "mcp", name, block


def _texts(listing: dict[str, Any], name: str) -> list[str]:
    values = listing.get(name)
    return [value for value in values if isinstance(value, str)] if isinstance(values, list) else []


def uses_of(rows: Iterable[tuple[str, str, int]]) -> Counter[tuple[str, str]]:
    """Return how often each skill, agent, command and MCP server was used, of what `uses_in` tells; an
    agent without a name is any."""
    uses: Counter[tuple[str, str]] = Counter()
    for kind, name, number in rows:
        own = name.split("__")[1] if kind == "mcp" and name.count("__") > 1 else name
        uses[kind, re.sub(r" \(\d+\)$", "", own)] += number
    return uses
