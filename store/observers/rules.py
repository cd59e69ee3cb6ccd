"""The rules: what a tool use tells, without any model: type, title, subtitle, narrative and files."""

from __future__ import annotations

import json
import posixpath
import re
from collections.abc import Mapping
from typing import Any, TypedDict

from ..capture.events import ToolUse
from ..capture.noise import without_wrapping
from . import tools

LINE = 120
"""Characters of a title."""

EXCERPT = 2_000
"""Characters of a tool's answer that the narrative keeps, from its head and its tail."""

PATCHED = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)


class Observed(TypedDict):
    """The fields of an observation, by their columns."""

    type: str
    title: str
    subtitle: str | None
    narrative: str | None
    files_read: list[str]
    files_modified: list[str]


def observe(tool: ToolUse, root: str | None = None) -> Observed:
    """What is to be remembered of a tool use; paths below `root` are given from there."""
    given = tool.input if isinstance(tool.input, Mapping) else {"input": tool.input}
    action = tools.action_of(tool.name, given)
    paths = [below(path, root) for path in paths_of(given, action)]
    answer = without_wrapping(text_of(tool.response))
    failed = tool.failed or says_failed(tool.response)
    subject = subject_of(action, given, paths, tool.name)
    purpose = purpose_of(given)
    is_told = action == tools.RUN and purpose is not None
    said = purpose if is_told else f"{tools.VERBS[action]} {subject}"
    changed = action in (tools.EDIT, tools.WRITE) and not failed
    return Observed(
        type="error" if failed else tools.type_of(action, subject),
        title=one_line(f"Failed: {said}" if failed else str(said)),
        subtitle=one_line(subject) if is_told else purpose,
        narrative=narrative_of(action, given, answer),
        files_read=paths if action == tools.READ else [],
        files_modified=paths if changed else [],
    )


def paths_of(given: Mapping[str, Any], action: str) -> list[str]:
    """The files that a tool was given: by a field of their own, or in a patch."""
    found = [str(given[name]) for name in tools.PATHS if isinstance(given.get(name), str)]
    for name in ("command", "input", "patch", "patchText"):
        patch = given.get(name)
        if action == tools.EDIT and isinstance(patch, str):
            found += [match[2].strip() for match in PATCHED.finditer(patch)]
    return list(dict.fromkeys(path for path in found if path))


def below(path: str, root: str | None) -> str:
    """A path as people name it: from the project's root where it lies below."""
    if root and posixpath.isabs(path) and path.startswith(root.rstrip("/") + "/"):
        return posixpath.relpath(path, root)
    return path


def subject_of(action: str, given: Mapping[str, Any], paths: list[str], name: str) -> str:
    """What it was done to, in a few words."""
    if action in (tools.READ, tools.EDIT, tools.WRITE) and paths:
        return ", ".join(paths[:3]) + (f" and {len(paths) - 3} more" if len(paths) > 3 else "")
    for field in tools.SUBJECTS.get(action, ()):
        value = given.get(field)
        if isinstance(value, list) and all(isinstance(word, str) for word in value):
            value = shell_words(value)
        if isinstance(value, str) and value.strip():
            return value
    return name


def shell_words(words: list[str]) -> str:
    """A command given as words, without the shell that runs it."""
    if len(words) == 3 and words[1] in ("-c", "-lc"):
        return words[2]
    return " ".join(words)


def purpose_of(given: Mapping[str, Any]) -> str | None:
    """What the agent said that it does this for."""
    said = given.get("description")
    return one_line(said) if isinstance(said, str) and said.strip() else None


def narrative_of(action: str, given: Mapping[str, Any], answer: str) -> str | None:
    """What was changed or run, and what came of it, both cut to what a person would read."""
    parts = []
    for before, after in edits_of(given):
        parts.append(
            "\n".join([*(f"- {line}" for line in before), *(f"+ {line}" for line in after)])
        )
    if action not in (tools.READ, tools.EDIT, tools.WRITE):
        asked = next(
            (given[f] for f in tools.SUBJECTS.get(action, ()) if isinstance(given.get(f), str)),
            None,
        )
        if asked and len(asked) > LINE - 20:
            parts.append(asked)
    if action == tools.WRITE and isinstance(given.get("content"), str):
        parts.append(given["content"])
    if answer and (not parts or action not in (tools.EDIT, tools.WRITE)):
        parts.append(answer)
    return "\n\n".join(excerpt(part) for part in parts[:4]) or None


def edits_of(given: Mapping[str, Any]) -> list[tuple[list[str], list[str]]]:
    """The lines that each edit took out and put in."""
    listed = given.get("edits")
    edits = [one for one in listed if isinstance(one, Mapping)] if isinstance(listed, list) else []
    found = []
    for edit in (given, *edits):
        before, after = (
            next((edit[name] for name in names if isinstance(edit.get(name), str)), "")
            for names in (tools.BEFORE, tools.AFTER)
        )
        if before or after:
            found.append((before.splitlines(), after.splitlines()))
    return found


def text_of(response: object) -> str:
    """A tool's answer as text: its own text where it has one, else all of it as JSON."""
    if response is None:
        return ""
    if isinstance(response, str):
        try:
            found = json.loads(response) if response[:1] in "{[" else None
        except (ValueError, RecursionError):
            found = None
        return text_of(found) if isinstance(found, dict | list) else response.strip()
    if isinstance(response, list):
        return "\n".join(filter(None, map(text_of, response)))
    if isinstance(response, Mapping):
        texts = [response[name] for name in tools.ANSWERS if response.get(name)]
        if texts:
            return "\n".join(filter(None, map(text_of, texts)))
    return json.dumps(response, ensure_ascii=False)


def says_failed(response: object) -> bool:
    """Whether an answer itself tells that the tool failed."""
    if not isinstance(response, Mapping):
        return False
    code = response.get("exit_code", response.get("exitCode"))
    return bool(
        response.get("is_error")
        or response.get("isError")
        or (isinstance(code, int) and code not in (0, None))
        or response.get("resultType", response.get("result_type")) in ("failure", "error")
        or (isinstance(response.get("error"), str | Mapping) and response["error"])
    )


def excerpt(text: str) -> str:
    """The head and the tail of a text that is too long to read."""
    if len(text) <= EXCERPT:
        return text
    head, tail = EXCERPT * 3 // 4, EXCERPT // 4
    return f"{text[:head].rstrip()}\n…\n{text[-tail:].lstrip()}"


def one_line(text: str) -> str:
    """A text on one line, short enough for a title."""
    line = " ".join(text[: 4 * LINE].split())
    return line if len(line) <= LINE else line[: LINE - 1].rstrip() + "…"
