"""The title of an observation of a command line."""

from __future__ import annotations

from . import command_output, commits, shell_commands
from .outcome import ToolOutcome
from .shell import ShellCommand
from .title_text import LINE, WORD, cut, first_line, list_files, purpose_of, searched_for
from .tools import ParsedToolUse


def command_title(use: ParsedToolUse, outcome: ToolOutcome) -> str:
    """Return the title of a command line: its commit, packages, files or purpose, else the line itself.

    What isn't known to have succeeded "ran": it is told as neither committed, opened nor installed.
    """
    purpose, main = purpose_of(use.given), use.main
    if main is None:
        return purpose or f"Ran {first_line(use.line) or use.name}"
    is_done = outcome.succeeded or outcome.failed
    if use.kind == shell_commands.COMMIT:
        if title := _committed(use, main, is_done=is_done):
            return title
    elif use.kind == shell_commands.REQUEST and (title := commits.request_title(use.line)):
        what = "issue" if "issue" in main.plain[:1] else "pull request"
        number = commits.request_number(use.output.text)
        if is_done or number:
            return f"Opened {what}{number}: {title}"
        return f"Ran {' '.join(main.words[:3])}: {title}"
    elif use.kind == shell_commands.INSTALL:
        package = command_output.installed_by(main)
        if not is_done:
            return purpose or f"Ran {shortened_line(use)}"
        return (
            f"Installed {list_files(package)}"
            if package
            else purpose or f"Installed dependencies with {main.name}"
        )
    if use.kind == shell_commands.READ and (files := use.files_read):
        return f"Read {list_files(files)}"
    if purpose:
        return purpose + _written_beside(use, purpose)
    if use.kind == shell_commands.SEARCH:
        sought, places = shell_commands.search_terms(main)
        return searched_for(sought, places) if sought else f"Ran {shortened_line(use)}"
    return _acted(use, main) or f"Ran {shortened_line(use)}"


def _committed(use: ParsedToolUse, main: ShellCommand, *, is_done: bool) -> str:
    """Return the title of a commit; "" where neither its line nor its output tells what it says."""
    printed = commits.committed_subject(use.output.text)
    subject = first_line(commits.commit_message(use.line, use.commands)) or printed
    amends = commits.is_amended(use.commands)
    if not subject:
        return "Amended the last commit" if amends and is_done else ""
    is_quiet = (
        use.output.answered
        and not use.output.text
        and any(
            word == "--quiet"
            or (word.startswith("-q") or (word[:1] == "-" != word[1:2] and "q" in word[:4]))
            for word in main.arguments
        )
    )
    if not (is_done or printed or is_quiet):
        return f"Ran git commit: {subject}"
    return f"{'Amended' if amends else 'Committed'}: {subject}"


def _written_beside(use: ParsedToolUse, purpose: str) -> str:
    """Return the files that a command writes by a script or in place, unless its purpose names one."""
    if use.kind != shell_commands.WRITE or use.failed:
        return ""
    files = list(use.named(shell_commands.changed_by(use.commands)))
    names = [file.replace("\\", "/").rpartition("/")[2] for file in files]
    if not files or any(name and name in purpose for name in names):
        return ""
    return f": wrote {list_files(files)}" if len(purpose) < LINE - 20 else ""


def _acted(use: ParsedToolUse, main: ShellCommand) -> str:
    files = list(use.named(shell_commands.changed_by(use.commands)))
    verbs = {shell_commands.WRITE: "Wrote", shell_commands.REMOVE: "Removed"}
    if use.kind in verbs and files and main.name not in ("mkdir", "chmod", "chown"):
        return f"{verbs[use.kind]} {list_files(files)}"
    if use.kind == shell_commands.MOVE and main.name in ("mv", "cp") and len(main.plain) == 2:
        return f"{'Moved' if main.name == 'mv' else 'Copied'} {main.plain[0]} to {main.plain[1]}"
    return ""


def differs_from_purpose(use: ParsedToolUse, outcome: ToolOutcome) -> bool:
    """Return whether the title of a command line doesn't begin with the purpose that the agent gave."""
    return not command_title(use, outcome).startswith(purpose_of(use.given))


def _words(command: ShellCommand) -> str:
    words = [
        cut("…" if word.startswith("$(") else " ".join(word.split()), WORD) for word in command.words[:12]
    ]
    if command.script:
        count = len(command.script.splitlines())
        words.append(f"({count} line{'s' * (count != 1)})")
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
