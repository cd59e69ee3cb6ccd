"""typer, imported when more than a declaration is asked of it: that takes longer than most commands.

Modules of commands write `typer.Option(...)` and `typer.Argument(...)` by this name. What they declare so
is kept as a `Parameter`, of which `memtui.store.cli.app` makes typer's own, and by which
`memtui.store.cli.plain` reads plain command lines.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    import typer as typer


class Parameter:
    """An option or argument as it is declared: what typer is to be called with."""

    __slots__ = ("is_option", "names", "settings")

    def __init__(self, names: tuple[str, ...], settings: dict[str, Any], *, is_option: bool) -> None:
        self.names = names
        self.settings = settings
        self.is_option = is_option


class _Typer:
    """What stands for the module."""

    def Option(self, *names: str, **settings: Any) -> Parameter:  # noqa: N802
        return Parameter(names, settings, is_option=True)

    def Argument(self, **settings: Any) -> Parameter:  # noqa: N802
        return Parameter((), settings, is_option=False)

    def __getattr__(self, name: str) -> Any:
        import typer

        return getattr(typer, name)


if not TYPE_CHECKING:
    typer = _Typer()
