"""Where the locale is Chinese, all help is Chinese, folded by cells, and so is what typer refuses."""

import json
import re
from pathlib import Path

import pytest
from rich.cells import cell_len

from .runner import Mem

WIDTH = 78
WALK = """
import json
from typer import Context
from typer.core import TyperGroup
from typer.main import get_group
from memtui.store.cli.app import app
from memtui.tui.__main__ import parser, serve_parser

helps = {}

def walk(command, path, parent=None):
    context = Context(command, parent=parent, info_name=path.rpartition(" ")[2])
    helps[path] = command.get_help(context)
    if isinstance(command, TyperGroup):
        for name in command.list_commands(context):
            walk(command.get_command(context, name), f"{path} {name}", context)

walk(get_group(app), "mem")
helps["memtui"], helps["memtui serve"] = parser().format_help(), serve_parser().format_help()
print(json.dumps(helps))
"""
NO_SENTENCE = re.compile(
    r"`[^`]*`"  # what is typed
    r"|(?<=\n)用法：[^\n]*(?:\n +\S[^\n]*)*|^用法：.*"
    r"|(?<=\n)  \S+(?: \S+)*?(?=  |\n)"  # an option, argument or command in a list
    r"|<[^>]*>|\[[^\]]*\]"
    r"|[\w.-]*[/~$\\@\":*=(){}\[\]|_+][^\s，。；：、（）]*"  # paths, filters, variables, keys
    r"|-{1,2}[\w-]+"
)
"""What is no sentence: commands, names, metavars and values."""
ENGLISH = re.compile(r"[A-Za-z][a-z']+(?: [a-z']+){2,}")


@pytest.fixture(scope="module")
def helps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The help of every command by its path, all of one process."""
    folder = tmp_path_factory.mktemp("chinese")
    mem = Mem(folder / "memory.db", folder)
    done = mem.process_of("-c", WALK, LC_ALL="zh_CN.UTF-8", COLUMNS="80")
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout)
    return found


def test_no_english_sentence_is_left_in_any_help(helps: dict[str, str]) -> None:
    assert len(helps) > 80
    left = {
        path: found
        for path, help in helps.items()
        if (found := ENGLISH.findall(NO_SENTENCE.sub(" ~ ", help)))
    }
    assert not left


def test_every_help_has_chinese_beside_each_name(helps: dict[str, str]) -> None:
    for path, help in helps.items():
        assert help.startswith("用法：" + path), path
        for line in re.findall(r"^  (?:-\S+|[a-z][\w-]+) .*  (\S.*)$", help, re.MULTILINE):
            assert re.search("[一-鿿]", line) or line.startswith("["), (path, line)


def test_no_line_of_a_help_is_wider_than_the_terminal(helps: dict[str, str]) -> None:
    for path, help in helps.items():
        for line in help.splitlines():
            assert cell_len(line) <= WIDTH or "用法：" in line or " " not in line.strip(), (path, line)


def test_what_is_refused_is_said_in_chinese(mem: Mem) -> None:
    for arguments, sentence in (
        (["serach"], "没有命令 'serach'。"),
        (["shell-init"], "缺少参数 'SHELL'。请从中选择：zsh, bash, fish"),
        (["search", "x", "--limit", "many"], "'--limit' / '-n' 的值无效：'many' 不是有效的"),
        (["fact", "move", "f1"], "请给出 --project NAME 或 --everywhere。"),
    ):
        done = mem.process(*arguments, LC_ALL="zh_CN.UTF-8")
        assert done.returncode == 2
        assert f"错误：{sentence}" in done.stderr.decode()


def test_a_program_that_is_started_inherits_no_language(mem: Mem, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[browser]\nlanguage = "zh"\n')
    code = (
        "import os; before = dict(os.environ); from memtui.store.cli.app import run; "
        "run(['--help']); assert dict(os.environ) == before"
    )
    done = mem.process_of("-c", code, MEMTUI_CONFIG=str(config))
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().startswith("用法：mem")
