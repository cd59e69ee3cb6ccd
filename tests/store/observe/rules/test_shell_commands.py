"""What a command does, and which files it reads and changes."""

import pytest

from memtui.store.observe.rules import shell_commands
from memtui.store.observe.rules.observation import observation_fields
from memtui.store.observe.rules.shell import parse_commands
from memtui.store.observe.rules.shell_commands import changed_by, heaviest, read_by
from memtui.store.records.events import ToolUse

KINDS = {
    "pacman -S ripgrep": shell_commands.INSTALL,
    "pacman -Ss ripgrep": shell_commands.LIST,
    "pip install httpx": shell_commands.INSTALL,
    "python -m pip install httpx": shell_commands.INSTALL,
    "cd src && cat a.py | head -3": shell_commands.READ,
    "git log -S needle": shell_commands.READ,
    "git log --oneline": shell_commands.HISTORY,
    "git commit -m 'Mend it' && git push": shell_commands.COMMIT,
    "mise run lint": shell_commands.CHECK,
    "uv run pytest -q": shell_commands.TEST,
    "make": shell_commands.BUILD,
    "bash -c 'ruff check .'": shell_commands.CHECK,
    "python -m memtui.store.cli stats": shell_commands.OWN,
    "gh pr create --title x": shell_commands.REQUEST,
    "sed -i s/a/b/ a.py": shell_commands.WRITE,
    "sed -n 1,9p a.py": shell_commands.READ,
    "echo done": shell_commands.NOTHING,
}
READ = {
    "cat a.py b.py | grep x": ["a.py", "b.py"],
    "head -n 3 a.py": ["a.py"],
    "sed -n 1,9p a.py": ["a.py"],
    "git show HEAD:a.py": [],
}
CHANGED = {
    "sed -i s/a/b/ a.py": ["a.py"],
    "mv a.py b.py": ["a.py", "b.py"],
    "cp a.py b.py": ["b.py"],
    "git rm a.py": ["a.py"],
    "echo x > a.txt 2> /dev/null": ["a.txt"],
    # What only the shell knows names no file.
    'echo x > "$out"': [],
    "printf y >> /tmp/keep.$i": [],
    "New-Item Env:OUT_BIN": [],
    "Set-Content (Join-Path $a b) x": [],
    "echo x > 'app/(group)/page.tsx'": ["app/(group)/page.tsx"],
}


def test_the_heaviest_command_names_the_line() -> None:
    assert {line: heaviest(parse_commands(line))[0] for line in KINDS} == KINDS


def test_files_are_those_that_commands_read_and_change() -> None:
    assert {line: list(read_by(parse_commands(line))) for line in READ} == READ
    assert {line: list(changed_by(parse_commands(line))) for line in CHANGED} == CHANGED


@pytest.mark.parametrize(
    "line",
    [
        "> app.log; wc -l app.log",
        ">> a 2> b",
        "2>&1 > c && make",
        "{ > d; }",
        "> e | tee f",
        "bash -c '> g'",
    ],
)
def test_a_bare_redirection_is_a_command_without_words(line: str) -> None:
    bare = parse_commands(line)[0]
    assert (bare.program, bare.name, bare.arguments, bare.plain) == ("", "", (), ())
    assert list(changed_by([bare])) == list(bare.writes) != []
    assert observation_fields(ToolUse("Bash", {"command": line}, "0 app.log"))["title"]
