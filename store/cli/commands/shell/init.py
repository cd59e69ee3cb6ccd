"""`mem shell-init`: what a shell reads at its start."""

from __future__ import annotations

import sys
from typing import Annotated, Literal

from ...command import Call, Command, group
from ...lean.shell_init import script
from ...typer_later import typer

app = group()


@app.command("shell-init", cls=Command)
def shell_init(
    call: Call,  # noqa: ARG001 - every command is given it
    shell: Annotated[
        Literal["zsh", "bash", "fish"], typer.Argument(metavar="SHELL", help="zsh, bash or fish.")
    ],
) -> None:
    """Print what binds Ctrl+G to mem pick in a shell, and has Tab complete mem.

    In ~/.zshrc: eval "$(mem shell-init zsh)"; in ~/.bashrc the same with bash; in
    ~/.config/fish/config.fish: mem shell-init fish | source.
    """
    sys.stdout.write(script(shell))
