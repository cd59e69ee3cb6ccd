"""The user's own editor: which one it is, and how it is told to open a file at a line."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

from ..platform.errors import StoreError
from .foreground import run_in_foreground

USUAL = ("sensible-editor", "nano", "vim", "vi")


class EditorError(StoreError):
    """There is no editor, it can't be started, or it failed."""


def _plus(path: str, line: int) -> list[str]:
    return [f"+{line}", path]


def _goto(path: str, line: int) -> list[str]:
    return ["-g", f"{path}:{line}"]


def _colon(path: str, line: int) -> list[str]:
    return [f"{path}:{line}"]


def _option(path: str, line: int) -> list[str]:
    return ["--line", str(line), path]


FAMILIES: dict[Callable[[str, int], list[str]], str] = {
    _plus: "vi vim nvim view vimx gvim mvim rvim elvis vis nvi nano pico rnano emacs emacsclient mg zile "
    "jed joe jmacs jstar ne kak micro mcedit tilde editor sensible-editor gedit pluma "
    "gnome-text-editor bbedit",
    _goto: "code code-insiders code-oss codium vscodium cursor windsurf positron trae kiro antigravity",
    _colon: "hx helix zed zeditor zedit subl sublime_text atom lapce",
    _option: "kate kwrite mate idea pycharm webstorm goland clion rubymine phpstorm rider rustrover studio",
}
"""How editors are told a line, by the names of their programs. Of any other only the file is told."""

_WAYS = {name: way for way, names in FAMILIES.items() for name in names.split()}
_VERSION = re.compile(r"\.(?!\w*_)\w+$|-?\d[\d.]*$")
"""What follows a program's own name: `vim.basic`, `emacs-29.1`, `code.exe`."""


def editor_words() -> list[str]:
    """Return the command of the user's editor, word by word: $VISUAL, $EDITOR, else one that is found.
    Raises EditorError."""
    command = os.environ.get("VISUAL", "").strip() or os.environ.get("EDITOR", "").strip()
    command = command or next((text for text in USUAL if shutil.which(text)), "")
    if not command:
        raise EditorError("There is no editor: set EDITOR.")
    try:
        return shlex.split(command)
    except ValueError as error:
        raise EditorError(
            "The editor {command!r} can't be started ({error}). Set EDITOR.", command=command, error=error
        ) from error


def editor_command(path: Path, line: int = 0) -> list[str]:
    """Return the words that open a file in the user's editor, at a line (from 1; 0 for none) where that
    editor can be told. Raises EditorError."""
    words = editor_words()
    # An absolute path begins no option.
    file = str(path.absolute())
    way = _WAYS.get(_VERSION.sub("", Path(words[0]).name.lower()))
    return [*words, *(way(file, line) if way is not None and line > 0 else [file])]


def open_in_editor(path: Path, line: int = 0, directory: Path | None = None) -> None:
    """Leave the terminal to the user's editor with a file, until it ends. Raises EditorError."""
    command = editor_command(path, line)
    named = shlex.join(editor_words())
    try:
        status = run_in_foreground(command, directory)
    except (OSError, ValueError) as error:
        raise EditorError(
            "The editor {named!r} can't be started ({error}). Set EDITOR.", named=named, error=error
        ) from error
    if status:
        raise EditorError("{named} ended with {status}.", named=named, status=status)
