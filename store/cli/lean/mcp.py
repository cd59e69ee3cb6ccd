"""`mem mcp` without typer, which takes longer to import than the server: agents wait for its start."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def mcp(arguments: Sequence[str]) -> bool:
    """Serve on standard input and output until that ends; return False, nothing done, for a command line
    that says more than `mem mcp` and where the store lies."""
    rest = [*arguments]
    if "--db" in rest[:-1]:
        place = rest.index("--db")
        path, rest = rest[place + 1], rest[:place] + rest[place + 2 :]
    else:
        path = ""
    if rest != ["mcp"] or path.startswith("-"):
        return False
    from pathlib import Path

    from ...mcp.memory import Memory
    from ...mcp.stdio import serve
    from ...platform.paths import default_path_text

    serve(Memory(Path(path or default_path_text())))
    return True
