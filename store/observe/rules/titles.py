"""The title and subtitle of an observation, and the wording that they share."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from . import command_output, shell_commands, tools
from .outcome import EditDiff, ToolOutcome, diff_of, names_changed, names_in, written_content
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
    """Return the title of a command line: its commit, packages, files or purpose, else the line itself."""
    purpose, main = purpose_of(use.given), use.main
    if main is None:
        return purpose or f"Ran {first_line(use.line) or use.name}"
    if use.kind == shell_commands.COMMIT:
        subject = first_line(
            command_output.commit_message(use.line, use.commands)
        ) or command_output.committed_subject(use.output.text)
        if subject:
            return f"Committed: {subject}"
    elif use.kind == shell_commands.REQUEST and (title := command_output.request_title(use.line)):
        return f"Opened {'issue' if 'issue' in main.plain[:1] else 'pull request'}: {title}"
    elif use.kind == shell_commands.INSTALL:
        wanted = command_output.installed_by(main)
        return (
            f"Installed {list_files(wanted)}"
            if wanted
            else purpose or f"Installed dependencies with {main.name}"
        )
    if use.kind == shell_commands.READ and (files := use.files_read):
        return f"Read {list_files(files)}"
    if purpose:
        return purpose
    if use.kind == shell_commands.SEARCH:
        sought, places = shell_commands.search_terms(main)
        return searched_for(sought, places) if sought else f"Ran {shortened_line(use)}"
    return _acted(use, main) or f"Ran {shortened_line(use)}"


def _delegated(use: ParsedToolUse) -> str:
    if "wait" in use.name.lower():
        text = first_line(use.output.text)
        return f"A sub-agent answered: {text}" if text else "Waited for a sub-agent"
    text = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.DELEGATE]))
    return (
        f"Used the skill {text}"
        if "skill" in use.name.lower() and text
        else f"Delegated: {text or use.name}"
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
    text = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.PLAN]))
    return (
        f"{'Planned' if 'plan' in use.name.lower() else 'Remembered'}: {text}"
        if text
        else f"Used {use.name}"
    )


def _wrote(use: ParsedToolUse) -> str:
    paths = use.named(use.paths)
    if use.name.lower().startswith("delete"):
        return f"Deleted {list_files(paths) or use.name}"
    is_new = use.name.lower().startswith("create") or use.is_new
    names = names_in(written_content(use)[:8_000], paths[0] if paths else "")
    return _with_names(f"{'Created' if is_new else 'Wrote'} {list_files(paths) or use.name}", names)


TITLES: dict[str, Callable[[ParsedToolUse], str]] = {
    tools.READ: _read, tools.WRITE: _wrote, tools.SEARCH: _searched,
    tools.WEB: _looked_up,
    tools.DELEGATE: _delegated, tools.PLAN: _planned, tools.RUN: command_title, tools.WAIT: _waited,
}  # fmt: skip


def purpose_of(given: Mapping[str, Any]) -> str:
    """Return the purpose that the agent gave for a tool use, on one line; "" where it gave none."""
    return one_line(tools.first_text(given, PURPOSES))


def first_line(text: str) -> str:
    """Return the first line of a text with a word in it, without marks of headings and lists."""
    found = FIRST.search(text[:2_000])
    return found[1].strip() if found else ""


def one_line(text: str) -> str:
    """Return a text on one line of at most `LINE` characters."""
    return cut(" ".join(text[: 4 * LINE].split()), LINE)


def cut(text: str, size: int) -> str:
    """Return a text of at most `size` characters, with an ellipsis where it was cut."""
    return text if len(text) <= size else text[: size - 1].rstrip() + "…"


def list_files(paths: Sequence[str]) -> str:
    """Return the first three files, and how many more there are."""
    more = f" and {len(paths) - 3} more" if len(paths) > 3 else ""
    return ", ".join(paths[:3]) + more


def searched_for(sought: str, places: Sequence[str]) -> str:
    """Return a title that says what was searched for, and where."""
    return f"Searched for “{cut(' '.join(sought.split()), 72)}”" + (
        f" in {list_files(places)}" if places else ""
    )


def _acted(use: ParsedToolUse, main: ShellCommand) -> str:
    files = list(use.named(shell_commands.changed_by(use.commands)))
    verbs = {shell_commands.WRITE: "Wrote", shell_commands.REMOVE: "Removed"}
    if use.kind in verbs and files and main.name not in ("mkdir", "chmod", "chown"):
        return f"{verbs[use.kind]} {list_files(files)}"
    if use.kind == shell_commands.MOVE and main.name in ("mv", "cp") and len(main.plain) == 2:
        return f"{'Moved' if main.name == 'mv' else 'Copied'} {main.plain[0]} to {main.plain[1]}"
    return ""


def differs_from_purpose(use: ParsedToolUse) -> bool:
    """Return whether the title of a command line isn't the purpose that the agent gave."""
    return command_title(use) != purpose_of(use.given)


def _words(command: ShellCommand) -> str:
    words = [
        cut("…" if word.startswith("$(") else " ".join(word.split()), WORD)
        for word in command.words[:12]
    ]
    if command.script:
        words.append(f"({len(command.script.splitlines())} lines)")
    return " ".join(words)


def shortened_line(use: ParsedToolUse) -> str:
    """Return the first three commands of a line but for those that lead to them or filter their output."""
    shown = [
        _words(command)
        for command in use.commands
        if shell_commands.kind_of(command) not in (shell_commands.NOTHING, shell_commands.FILTER)
    ]
    shown = list(dict.fromkeys(filter(None, shown)))
    return " && ".join(shown[:3]) or first_line(use.line)


def title_of(use: ParsedToolUse, outcome: ToolOutcome) -> str:
    """Return the title of an observation, at most `LINE` characters."""
    if use.action == tools.EDIT:
        title = _edited(use, outcome.diff or diff_of(use))
    else:
        title = TITLES.get(use.action, _other)(use)
    if use.action in (tools.RUN, tools.WAIT) and outcome.totals:
        return one_line(f"{cut(title, LINE - 40)}: {outcome.totals}")
    if use.is_declined:
        return one_line(f"Declined by the user: {_infinitive(title)}")
    return one_line(_failed(title) if outcome.failed else title)


def subtitle_of(use: ParsedToolUse, outcome: ToolOutcome) -> str | None:
    """Return the line below the title: the error, command, purpose or replaced line; None for none."""
    if outcome.failed and outcome.error:
        return one_line(outcome.error)
    purpose = purpose_of(use.given)
    if use.action == tools.RUN:
        return (
            one_line(
                shortened_line(use) if purpose and not differs_from_purpose(use) else purpose or ""
            )
            or None
        )
    if use.action in (tools.EDIT, tools.WRITE):
        return one_line(purpose or _replaced(outcome) or outcome.counts) or None
    if use.action == tools.DELEGATE:
        text = "" if "wait" in use.name.lower() else first_line(use.output.text)
        return None if text.startswith(("{", "[")) else one_line(text) or None
    if use.action == tools.WEB:
        return one_line(tools.first_text(use.given, ("prompt",))) or None
    return one_line(purpose or ", ".join(outcome.facts[:2])) or None


def _failed(title: str) -> str:
    infinitive = _infinitive(title)
    return f"Failed: {title}" if infinitive == title else f"Failed to {infinitive}"


def _infinitive(title: str) -> str:
    """Return a title with its verb in the infinitive ("Edited x" becomes "edit x"); others as they are."""
    done, _, rest = title.partition(" ")
    plain = INFINITIVES.get(done.rstrip(":"))
    return f"{plain}{':' * done.endswith(':')} {rest}" if plain else title


def _edited(use: ParsedToolUse, diff: EditDiff) -> str:
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
    return _with_names(f"{verb} {list_files(paths)}", names_changed(use, diff, paths[0]))


def _with_names(title: str, names: Sequence[str]) -> str:
    """Return a title with as many of the changed names as fit."""
    for count in (3, 2, 1):
        named = f"{title}: {', '.join(names[:count])}"
        if names and len(named) <= LINE:
            return named
    return title


def _replaced(outcome: ToolOutcome) -> str:
    """Return the one line that replaced another, as `old → new`; "" where the edit changed more."""
    lines = outcome.diff.lines if outcome.diff else ()
    if len(lines) == 2 and lines[0][:1] == "-" and lines[1][:1] == "+":
        before, after = lines[0][2:].strip(), lines[1][2:].strip()
        return f"{cut(before, WORD)} → {cut(after, WORD)}" if before and after else ""
    return ""


def _other(use: ParsedToolUse) -> str:
    text = first_line(tools.first_text(use.given, tools.SUBJECTS[tools.OTHER]))
    name = tools.display_name(use.name)
    return f"Used {name}" + (f": {text}" if text else "")
