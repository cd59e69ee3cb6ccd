"""How a query stands on the command line: `-redis` is one of its words, and no flag."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from typer.core import TyperOption

from .command import Command

if TYPE_CHECKING:
    from typer._click import Context

FLAG = re.compile(r"--|-n(=?\d+)?$")
"""How what is no word begins; of the flags with one minus only the limit, alone or with its number."""


class QueryCommand(Command):
    """A command whose arguments are a query."""

    def parse_args(self, ctx: Context, args: list[str]) -> list[str]:
        options = [one for one in self.params if isinstance(one, TyperOption) and not one.is_flag]
        valued = {name for one in options for name in one.opts}
        flags: list[str] = []
        words: list[str] = []
        rest = iter(args)
        for argument in rest:
            if argument == "--":
                words += rest
            elif FLAG.match(argument):
                flags.append(argument)
                if argument in valued:
                    value = next(rest, None)
                    if value is None:
                        # Refused, as what follows must not be taken for the value.
                        return super().parse_args(ctx, flags)
                    flags.append(value)
            else:
                words.append(argument)
        return super().parse_args(ctx, [*flags, "--", *words])
