"""Files in the user's own editor, at a line where that editor can be told one."""

import os
from pathlib import Path

import pytest

from memtui.store.links.editor import EditorError, editor_command, open_in_editor
from tests.programs import program

FILE = "/srv/atlas/src/app.py"
COMMANDS = {
    "vi": ["vi", "+12", FILE],
    "nvim -R": ["nvim", "-R", "+12", FILE],
    "/usr/bin/vim.basic": ["/usr/bin/vim.basic", "+12", FILE],
    "nano": ["nano", "+12", FILE],
    "emacsclient -t": ["emacsclient", "-t", "+12", FILE],
    "emacs-29.1": ["emacs-29.1", "+12", FILE],
    "kak": ["kak", "+12", FILE],
    "micro": ["micro", "+12", FILE],
    "code --wait": ["code", "--wait", "-g", f"{FILE}:12"],
    "code-insiders": ["code-insiders", "-g", f"{FILE}:12"],
    "'/opt/my editor/cursor' -w": ["/opt/my editor/cursor", "-w", "-g", f"{FILE}:12"],
    "hx": ["hx", f"{FILE}:12"],
    "subl -w": ["subl", "-w", f"{FILE}:12"],
    "kate": ["kate", "--line", "12", FILE],
    "my-own-editor": ["my-own-editor", FILE],
}


@pytest.mark.parametrize("editor", COMMANDS)
def test_each_editor_is_told_the_line_in_its_own_way(editor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    assert editor_command(Path(FILE), 12) == COMMANDS[editor]
    assert editor_command(Path(FILE))[-1] == FILE


def test_visual_goes_before_editor(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "hx")
    monkeypatch.setenv("EDITOR", "vi")
    assert editor_command(Path(FILE), 3) == ["hx", f"{FILE}:3"]


def test_a_file_whose_name_looks_like_an_option_is_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "vi")
    monkeypatch.chdir(tmp_path)
    assert editor_command(Path("--cmd=quit"))[1:] == [f"{tmp_path}/--cmd=quit"]


def test_no_shell_reads_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = program(tmp_path / "bin", "vim")
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", f"{fake.path} $(touch {tmp_path}/run); '*'")
    path = tmp_path / "a; touch b && $(c).py"
    open_in_editor(path, 4, tmp_path)
    assert fake.words[-2:] == ["+4", str(path)]
    assert fake.calls[0]["directory"] == str(tmp_path)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("editor", ["/no/such/editor", "vi 'unfinished"])
def test_an_editor_that_can_not_be_started_is_told(editor: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", editor)
    with pytest.raises(EditorError, match=r"can't be started .* Set EDITOR"):
        open_in_editor(Path(FILE))


def test_an_editor_that_fails_is_told_with_its_status(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("VISUAL", str(program(tmp_path / "bin", "vim", status=3).path))
    with pytest.raises(EditorError, match="vim ended with 3"):
        open_in_editor(tmp_path / "file")


def test_without_any_editor_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    monkeypatch.setenv("PATH", os.devnull)
    with pytest.raises(EditorError, match="There is no editor: set EDITOR"):
        open_in_editor(Path(FILE))
