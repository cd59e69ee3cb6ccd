"""The title and subtitle of an observation, and the wording that they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import command_output, commands, edit_diff, tools
from .edit_diff import EditDiff
from .outcome import ToolOutcome
from .parsed_tool_use import ParsedToolUse
from .shell import ShellCommand

LINE = 120
"""Characters of a title."""
WORD = 48
"""Characters of one word of a command, and of a line that an edit changed."""

FIRST = re.compile(r"^[#>*\-\s\d.]*(\S.*)$", re.MULTILINE)
PURPOSES = (
    "description",
    "instruction",
    "instructions",
    "explanation",
    "toolSummary",
    "justification",
)

SCHEME = re.compile(r"^https?://(?:www\.)?")
ADDED = re.compile(r"^\*\*\* (Add|Delete) File: ", re.MULTILINE)
INFINITIVES = {
    "Read": "read", "Edited": "edit", "Created": "create", "Wrote": "write", "Deleted": "delete",
    "Used": "use",
    "Searched": "search", "Looked": "look", "Delegated": "delegate", "Committed": "commit",
    "Installed": "install",
    "Removed": "remove", "Moved": "move", "Copied": "copy", "Opened": "open", "Ran": "run",
    "Planned": "plan",
}  # fmt: skip


def command_title(use: ParsedToolUse) -> str:
    """The title of a line of commands."""
    purpose, main = purpose_of(use.given), use.main
    if main is None:
        return purpose or f"Ran {first_line(use.line) or use.name}"
    if use.kind == commands.COMMIT:
        subject = first_line(
            command_output.commit_message(use.line, use.commands)
        ) or command_output.committed_subject(use.answer.text)
        if subject:
            return f"Committed: {subject}"
    elif use.kind == commands.REQUEST and (title := command_output.request_title(use.line)):
        return f"Opened {'issue' if 'issue' in main.plain[:1] else 'pull request'}: {title}"
    elif use.kind == commands.INSTALL:
        wanted = command_output.installed_by(main)
        return (
            f"Installed {list_files(wanted)}"
            if wanted
            else purpose or f"Installed dependencies with {main.name}"
        )
    if use.kind == commands.READ and (files := use.files_read):
        return f"Read {list_files(files)}"
    if purpose:
        return purpose
    if use.kind == commands.SEARCH:
        sought, places = commands.search_terms(main)
        return searched_for(sought, places) if sought else f"Ran {shortened_line(use)}"
    return _acted(use, main) or f"Ran {shortened_line(use)}"


def _delegated(use: ParsedToolUse) -> str:
    if "wait" in use.name.lower():
        told = first_line(use.answer.text)
        return f"A sub-agent answered: {told}" if told else "Waited for a sub-agent"
    told = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.DELEGATE]))
    return (
        f"Used the skill {told}"
        if "skill" in use.name.lower() and told
        else f"Delegated: {told or use.name}"
    )


def _waited(use: ParsedToolUse) -> str:
    typed = tools.first_text(use.given, ("chars", "input"))
    return f"Typed “{cut(typed, 40)}” into a command" if typed else "Waited for a command"


def _searched(use: ParsedToolUse) -> str:
    sought = tools.first_text(use.given, tools.SUBJECTS[tools.SEARCH])
    places = use.named(use.paths) or [tools.first_text(use.given, ("glob", "include", "type"))]
    return searched_for(
        sought or use.name, [place for place in places if place not in ("", ".", sought)]
    )


def _looked_up(use: ParsedToolUse) -> str:
    address = tools.first_text(use.given, ("url", "Url"))
    if address:
        return f"Looked up {SCHEME.sub('', address).rstrip('/')}"
    sought = tools.first_text(use.given, tools.SUBJECTS[tools.WEB]) or use.name
    return f"Searched the web for “{cut(sought, 80)}”"


def _read(use: ParsedToolUse) -> str:
    paths = use.named(use.paths)
    return f"Read {list_files(paths)}" if paths else f"Used {use.name}"


def _planned(use: ParsedToolUse) -> str:
    told = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.PLAN]))
    return (
        f"{'Planned' if 'plan' in use.name.lower() else 'Remembered'}: {told}"
        if told
        else f"Used {use.name}"
    )


def _wrote(use: ParsedToolUse) -> str:
    paths = use.named(use.paths)
    if use.name.lower().startswith("delete"):
        return f"Deleted {list_files(paths) or use.name}"
    is_new = use.name.lower().startswith("create") or use.is_new
    names = edit_diff.names_in(edit_diff.written(use)[:8_000], paths[0] if paths else "")
    return _with_names(f"{'Created' if is_new else 'Wrote'} {list_files(paths) or use.name}", names)


TITLES: dict[str, Callable[[ParsedToolUse], str]] = {
    tools.READ: _read, tools.WRITE: _wrote, tools.SEARCH: _searched,
    tools.WEB: _looked_up,
    tools.DELEGATE: _delegated, tools.PLAN: _planned, tools.RUN: command_title, tools.WAIT: _waited,
}  # fmt: skip


def purpose_of(given: Mapping[str, Any]) -> str:
    """What the agent said that it does this for; "" where it said nothing."""
    return one_line(tools.first_text(given, PURPOSES))


def first_line(text: str) -> str:
    """The first line of a text that says something, without marks of headings and lists."""
    found = FIRST.search(text[:2_000])
    return found[1].strip() if found else ""


def one_line(text: str) -> str:
    """A text on one line, short enough for a title."""
    return cut(" ".join(text[: 4 * LINE].split()), LINE)


def cut(text: str, size: int) -> str:
    """A text of at most so many characters."""
    return text if len(text) <= size else text[: size - 1].rstrip() + "…"


def list_files(paths: Sequence[str]) -> str:
    """The first three files, and how many more there are."""
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more


def searched_for(sought: str, places: Sequence[str]) -> str:
    """What was searched for, and where."""
    return f"Searched for “{cut(' '.join(sought.split()), 72)}”" + (
        f" in {list_files(places)}" if places else ""
    )


def _acted(use: ParsedToolUse, main: ShellCommand) -> str:
    files = list(use.named(commands.changed_by(use.commands)))
    verbs = {commands.WRITE: "Wrote", commands.REMOVE: "Removed"}
    if use.kind in verbs and files and main.name not in ("mkdir", "chmod", "chown"):
        return f"{verbs[use.kind]} {list_files(files)}"
    if use.kind == commands.MOVE and main.name in ("mv", "cp") and len(main.plain) == 2:
        return f"{'Moved' if main.name == 'mv' else 'Copied'} {main.plain[0]} to {main.plain[1]}"
    return ""


def differs_from_purpose(use: ParsedToolUse) -> bool:
    """Whether the title says what was done in other words than the agent's own."""
    return command_title(use) != purpose_of(use.given)


def _words(command: ShellCommand) -> str:
    told = [
        cut("…" if word.startswith("$(") else " ".join(word.split()), WORD)
        for word in command.words[:12]
    ]
    if command.script:
        told.append(f"({len(command.script.splitlines())} lines)")
    return " ".join(told)


def shortened_line(use: ParsedToolUse) -> str:
    """A command line in a few words: without what only leads to it or cuts its output."""
    told = [
        _words(command)
        for command in use.commands
        if commands.kind_of(command) not in (commands.NOTHING, commands.FILTER)
    ]
    told = list(dict.fromkeys(filter(None, told)))
    return " && ".join(told[:3]) or first_line(use.line)


def title_of(use: ParsedToolUse, results: ToolOutcome) -> str:
    """The title of an observation, at most `LINE` characters."""
    if use.action == tools.EDIT:
        said = _edited(use, results.change or edit_diff.diff_of(use))
    else:
        said = TITLES.get(use.action, _other)(use)
    if use.action in (tools.RUN, tools.WAIT) and results.outcome:
        return one_line(f"{cut(said, LINE - 40)}: {results.outcome}")
    if use.is_declined:
        return one_line(f"Declined by the user: {_infinitive(said)}")
    return one_line(_failed(said) if results.failed else said)


def subtitle_of(use: ParsedToolUse, results: ToolOutcome) -> str | None:
    """What stands below the title; None where there is no more to say in a line."""
    if results.failed and results.error:
        return one_line(results.error)
    purpose = purpose_of(use.given)
    if use.action == tools.RUN:
        return (
            one_line(
                shortened_line(use) if purpose and not differs_from_purpose(use) else purpose or ""
            )
            or None
        )
    if use.action in (tools.EDIT, tools.WRITE):
        return one_line(purpose or _replaced(results) or results.counts) or None
    if use.action == tools.DELEGATE:
        told = "" if "wait" in use.name.lower() else first_line(use.answer.text)
        return None if told.startswith(("{", "[")) else one_line(told) or None
    if use.action == tools.WEB:
        return one_line(tools.first_text(use.given, ("prompt",))) or None
    return one_line(purpose or ", ".join(results.facts[:2])) or None


def _failed(said: str) -> str:
    told = _infinitive(said)
    return f"Failed: {said}" if told == said else f"Failed to {told}"


def _infinitive(said: str) -> str:
    """A title that says what was done as what was to be done; any other as it is."""
    done, _, rest = said.partition(" ")
    plain = INFINITIVES.get(done.rstrip(":"))
    return f"{plain}{':' * done.endswith(':')} {rest}" if plain else said


def _edited(use: ParsedToolUse, change: EditDiff) -> str:
    paths = use.named(use.paths)
    patch = next(
        (text for name in tools.PATCHES if isinstance(text := use.given.get(name), str)), ""
    )
    kinds = set(ADDED.findall(patch)) if "*** Update File" not in patch else set()
    verb = {"Add": "Created", "Delete": "Deleted"}.get(
        next(iter(kinds)) if len(kinds) == 1 else "", "Edited"
    )
    if not patch and "old_string" in use.given and not use.given["old_string"]:
        verb = "Created"
    if not paths:
        return f"Used {use.name}"
    return _with_names(
        f"{verb} {list_files(paths)}", edit_diff.names_changed(use, change, paths[0])
    )


def _with_names(said: str, names: Sequence[str]) -> str:
    """With what was changed in it, as far as that fits."""
    for count in (3, 2, 1):
        told = f"{said}: {', '.join(names[:count])}"
        if names and len(told) <= LINE:
            return told
    return said


def _replaced(results: ToolOutcome) -> str:
    """The one line that became another, where that is all there is."""
    lines = results.change.lines if results.change else ()
    if len(lines) == 2 and lines[0][:1] == "-" and lines[1][:1] == "+":
        before, after = lines[0][2:].strip(), lines[1][2:].strip()
        return f"{cut(before, WORD)} → {cut(after, WORD)}" if before and after else ""
    return ""


def _other(use: ParsedToolUse) -> str:
    told = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.OTHER]))
    name = tools.display_name(use.name)
    return f"Used {name}" + (f": {told}" if told else "")
