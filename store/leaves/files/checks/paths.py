"""What files name that is gone: paths, commands, patterns that match nothing, what has changed since; and
transcripts that go soon."""

from __future__ import annotations

import json
import os
import re
import time
from collections import defaultdict
from typing import TYPE_CHECKING

from ....agents.homes import read_text
from ....agents.transcript_retention import SOON_DAYS, expiring
from ....links.git import GitError, Limit, deleted, files, head
from ....platform.translation import _
from ....text.front_matter import split_front
from ....text.plural import count_noun
from ..agent_files import AgentFile, all_rules, compiled, rules_of, split_globs
from .examined import Examined, Finding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


SECONDS = 10.0
IN_BACKTICKS = re.compile(r"(?<!`)`(?P<text>[^`\n]{2,200})`(?!`)")
PATH = re.compile(r"(?:\./)?[\w.-][\w.@-]*/(?:[\w.@-]+/)*[\w.@-]+\.[A-Za-z][A-Za-z0-9]{0,5}")
COMMAND = re.compile(
    r"^(?:(?P<run>npm|pnpm|yarn|bun) run (?P<script>[\w:.-]+)|make (?P<target>[\w.-]+))(?:\s|$)"
)
TARGET = re.compile(r"^(?P<names>[^\s:#=][^:=#]*?)\s*::?(?!=)", re.MULTILINE)
STALE_DAYS = 90
DAY = 86_400
CHECKED = ("instruction", "rule", "note")


def of_paths(examined: Examined) -> Iterator[Finding]:
    """Yield paths in backticks that were in the repository and are gone."""
    for project in examined.projects:
        gone: dict[str, list[tuple[AgentFile, int]]] = defaultdict(list)
        for file in examined.files:
            if file.project == project and file.kind in CHECKED:
                for line, name in _named_paths(examined.text(file.path)):
                    if not _is_there(project, file, name):
                        gone[name.removeprefix("./")].append((file, line))
        if not gone:
            continue
        known = _once_known(project, list(gone))
        for name, places in gone.items():
            if known is None or name in known:
                for file, line in places:
                    yield Finding(
                        "path-gone", file.path, line, _("`{name}` isn't there any more", name=name)
                    )


def _named_paths(text: str) -> Iterator[tuple[int, str]]:
    if "`" not in text:
        return
    for number, line in enumerate(text.splitlines(), 1):
        for match in IN_BACKTICKS.finditer(line):
            if PATH.fullmatch(match["text"]):
                yield number, match["text"]


def _is_there(project: Path, file: AgentFile, name: str) -> bool:
    places = [project, file.path.parent, *file.path.parents]
    return any(
        os.path.lexists(folder / name)
        for folder in places
        if folder.is_relative_to(project) or folder == file.path.parent
    )


def _once_known(project: Path, names: list[str]) -> set[str] | None:
    """Return which of the names git has known; None where there is no history to ask."""
    limit = Limit(SECONDS)
    try:
        head(str(project), limit)
    except GitError:
        return None if (project / ".git").exists() else set()
    try:
        return deleted(str(project), names[:500], limit)
    except GitError:
        return set()


def of_commands(examined: Examined) -> Iterator[Finding]:
    """Yield commands in backticks whose script or target isn't there."""
    for project in examined.projects:
        scripts = _scripts(project)
        targets = _targets(project)
        for file in examined.files:
            if file.project != project or file.kind not in CHECKED or file.path.parent != project:
                continue
            for number, line in enumerate(examined.text(file.path).splitlines(), 1):
                for match in IN_BACKTICKS.finditer(line) if "`" in line else ():
                    command = COMMAND.match(match["text"])
                    if command is None:
                        continue
                    script, target = command["script"], command["target"]
                    if script and scripts is not None and script not in scripts:
                        sentence = _("package.json has no script `{script}`", script=script)
                        yield Finding("command-gone", file.path, number, sentence)
                    elif target and targets is not None and target not in targets:
                        sentence = _("the Makefile has no target `{target}`", target=target)
                        yield Finding("command-gone", file.path, number, sentence)


def _scripts(project: Path) -> set[str] | None:
    text = read_text(project / "package.json")
    if text is None:
        return None
    try:
        scripts = json.loads(text).get("scripts")
    except (ValueError, AttributeError, RecursionError):
        return None
    return set(scripts) if isinstance(scripts, dict) else set()


def _targets(project: Path) -> set[str] | None:
    """Return the targets of a Makefile; None where there is none, or it makes some of others."""
    text = read_text(project / "Makefile")
    if text is None or "%" in text or re.search(r"^-?include\b|\$\(eval\b", text, re.MULTILINE):
        return None
    return {name for match in TARGET.finditer(text) for name in match["names"].split()}


def of_globs(examined: Examined) -> Iterator[Finding]:
    """Yield rules whose patterns match no file of the repository."""
    names: dict[Path, list[str]] = {}
    for file in examined.files:
        if file.kind != "rule" or file.project not in examined.projects:
            continue
        assert file.project is not None
        patterns = _patterns(file)
        if not patterns:
            continue
        if file.project not in names:
            names[file.project] = _names(file.project)
        some, matches = names[file.project], compiled(tuple(patterns))
        if matches is None:
            sentence = _("its patterns can't be compared with files: they stand for too many")
            yield Finding("glob-dead", file.path, 1, sentence)
        elif some and not any(map(matches, some)):
            sentence = _("{patterns} matches no file of the repository", patterns=_(", ").join(patterns))
            yield Finding("glob-dead", file.path, 1, sentence)


def _patterns(file: AgentFile) -> list[str]:
    keys = {
        rule.patterns
        for agent in file.agents
        for rule in all_rules()[agent].files
        if rule.patterns and rule.kind == "rule" and rule.glob.split("/")[0] in file.path.parts
    }
    values = split_front(read_text(file.path) or "").values or {}
    patterns: list[str] = []
    for key in keys:
        given = values.get(key)
        texts = given if isinstance(given, list) else [given] if isinstance(given, str) else []
        patterns += [part for text in texts for part in split_globs(str(text))]
    return patterns


def _names(project: Path) -> list[str]:
    if not (project / ".git").exists():
        return []
    try:
        with files(str(project), Limit(SECONDS)) as names:
            return list(names)
    except GitError:
        return []


def of_age(examined: Examined) -> Iterator[Finding]:
    """Yield old notes that name what has changed since."""
    oldest = time.time() - STALE_DAYS * DAY
    for file in examined.files:
        if file.kind != "note" or file.mtime_ns / 1e9 > oldest or file.project is None:
            continue
        for number, name in _named_paths(examined.text(file.path)):
            try:
                changed = (file.project / name).stat().st_mtime
            except OSError:
                continue
            if changed > file.mtime_ns / 1e9:
                days = int((time.time() - file.mtime_ns / 1e9) // DAY)
                sentence = _(
                    "{days} old, and `{name}` has changed since",
                    days=count_noun(days, "days"),
                    name=name,
                )
                yield Finding("stale", file.path, number, sentence)
                break


def of_expiry(examined: Examined) -> Iterator[Finding]:
    """Yield what agents delete within seven days."""
    for entry in expiring(examined.here):
        title = rules_of(entry.agent).title
        days = count_noun(entry.days, "days")
        age = (
            _("older than {days}", days=days)
            if entry.over == entry.count
            else _("within {soon} days of {days}", soon=SOON_DAYS, days=days)
        )
        sentence = (
            _("{agent}: 1 transcript is {age}, and will be deleted", agent=title, age=age)
            if entry.count == 1
            else _(
                "{agent}: {transcripts} are {age}, and will be deleted",
                agent=title,
                transcripts=count_noun(entry.count, "transcripts"),
                age=age,
            )
        )
        yield Finding("expiring", entry.folder, 0, sentence, _("archive them"))
