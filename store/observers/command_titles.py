"""What commands are called by: the commit's subject, the packages, the files, else the command itself."""

from __future__ import annotations

from . import command_files, commands, packages, repository
from .shell import Command
from .use import Use
from .wording import WORD, cut, first_line, listed, purpose_of, sought_in


def ran(use: Use) -> str:
    """The title of a line of commands."""
    purpose, main = purpose_of(use.given), use.main
    if main is None:
        return purpose or f"Ran {first_line(use.line) or use.name}"
    if use.kind == commands.COMMIT:
        subject = first_line(
            repository.message_of(use.line, use.commands)
        ) or repository.subject_in(use.answer.text)
        if subject:
            return f"Committed: {subject}"
    elif use.kind == commands.REQUEST and (title := repository.title_of(use.line)):
        return f"Opened {'issue' if 'issue' in main.plain[:1] else 'pull request'}: {title}"
    elif use.kind == commands.INSTALL:
        wanted = packages.installed_by(main)
        return (
            f"Installed {listed(wanted)}"
            if wanted
            else purpose or f"Installed dependencies with {main.name}"
        )
    if use.kind == commands.READ and (files := use.files_read):
        return f"Read {listed(files)}"
    if purpose:
        return purpose
    if use.kind == commands.SEARCH:
        sought, places = command_files.sought_by(main)
        return sought_in(sought, places) if sought else f"Ran {short(use)}"
    return _acted(use, main) or f"Ran {short(use)}"


def _acted(use: Use, main: Command) -> str:
    files = list(use.named(command_files.changed_by(use.commands)))
    verbs = {commands.WRITE: "Wrote", commands.REMOVE: "Removed"}
    if use.kind in verbs and files and main.name not in ("mkdir", "chmod", "chown"):
        return f"{verbs[use.kind]} {listed(files)}"
    if use.kind == commands.MOVE and main.name in ("mv", "cp") and len(main.plain) == 2:
        return f"{'Moved' if main.name == 'mv' else 'Copied'} {main.plain[0]} to {main.plain[1]}"
    return ""


def is_told_otherwise(use: Use) -> bool:
    """Whether the title says what was done in other words than the agent's own."""
    return ran(use) != purpose_of(use.given)


def _words(command: Command) -> str:
    told = [
        cut("…" if word.startswith("$(") else " ".join(word.split()), WORD)
        for word in command.words[:12]
    ]
    if command.script:
        told.append(f"({len(command.script.splitlines())} lines)")
    return " ".join(told)


def short(use: Use) -> str:
    """A command line in a few words: without what only leads to it or cuts its output."""
    told = [
        _words(command)
        for command in use.commands
        if commands.kind_of(command) not in (commands.NOTHING, commands.FILTER)
    ]
    told = list(dict.fromkeys(filter(None, told)))
    return " && ".join(told[:3]) or first_line(use.line)
