"""The typer app `mem`. Contract: exit code 0 done, 1 could not, 2 wrong usage."""

from __future__ import annotations

import io
import re
import sys
from contextlib import contextmanager
from difflib import get_close_matches
from functools import cache, partial
from inspect import signature
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup, TyperOption
from typer.main import get_group

from ..platform.leaves import MissingLeafError
from ..platform.translation import N_, _, translate_libraries
from ..text.display import safe
from ..text.wrapping import UNFOLDED, folded, has_wide
from . import after_hook
from .command import AS_OF_HELP, DATABASE_HELP, JSON_HELP, Call, Command, carry_out, group, write_utf8
from .commands import ALL_COMMANDS, COMMANDS, PANELS, UNDER, declared_in, in_sight
from .typer_later import Parameter

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .command import Group

translate_libraries()

Panels = dict[str, list[tuple[str, str]]]
"""By the name of each panel of a help its commands' names and lines."""


class Helping:
    """What tells of itself in the user's language.

    typer's own classes of contexts and formatters are private, so none is named here.
    """

    def get_help(self, ctx: Any) -> str:
        """Return the help; where it has wide characters, which typer counts as narrow, folded by cells."""
        base: Any = super()
        help: str = base.get_help(ctx)
        if not has_wide(help):
            return help
        width, narrow = ctx.make_formatter().width, ctx.terminal_width
        ctx.terminal_width = UNFOLDED
        help = folded(base.get_help(ctx), width)
        ctx.terminal_width = narrow
        return help

    def get_params(self, ctx: Any) -> list[Any]:
        """Return the options and arguments, those of typer's own with their help translated."""
        base: Any = super()
        parameters: list[Any] = base.get_params(ctx)
        for parameter in parameters:
            parameter.help = parameter.help and _(parameter.help)
        return parameters

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        """Write the line of what can be typed."""
        of: Any = self
        pieces = " ".join(of.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, pieces, prefix=_("Usage: "))


class AnyGroup(Helping, TyperGroup):
    """A group of commands, whose help has every command's whole first sentence."""

    alone = ""
    """The command that runs where none is named."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line."""
        if self.alone and args[:1] != ["--help"] and (not args or args[0] not in self.commands):
            args = [self.alone, *args]
        return super().parse_args(ctx, args)

    def make_context(self, *args: Any, **kwargs: Any) -> Any:
        """Parse the command line."""
        with _safe_messages():
            return super().make_context(*args, **kwargs)

    def invoke(self, ctx: Any) -> Any:
        """Run the command that is named."""
        with _safe_messages():
            return super().invoke(ctx)

    def panels(self, ctx: Any) -> Panels:
        """Every command's name and its line in the help."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        lines = [
            (name, next(iter(paragraphs(command.help or "")), ""))
            for name, command in commands
            if command is not None and not command.hidden
        ]
        return {_("Commands"): lines}

    def paths(self, ctx: Any) -> dict[str, str]:
        """By each name that may be meant what is typed for it."""
        return {name: name for name in self.list_commands(ctx)}

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the lists of commands, folded where a line is too narrow, and never cut."""
        for panel, lines in self.panels(ctx).items():
            if lines:
                with formatter.section(panel):
                    formatter.write_dl(lines)

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command that is named first; what is none is told with the nearest there is."""
        if self.get_command(ctx, args[0]) is None and not ctx.resilient_parsing:
            paths = self.paths(ctx)
            near = [args[0]] if args[0] in paths else get_close_matches(args[0], paths)
            if near:
                known = dict.fromkeys(paths[name] for name in near)
                names = _(" or ").join(f"`{ctx.command_path} {path}`" for path in known)
                ctx.fail(_("No such command {name!r}. Did you mean {names}?", name=args[0], names=names))
        return super().resolve_command(ctx, args)


@contextmanager
def _safe_messages() -> Iterator[None]:
    """Have errors say what was typed in a way that is fit for a terminal, in the user's language."""
    try:
        yield
    except Exception as error:
        # The class of typer's errors is private, and what they say is their `message`.
        raised: Any = error
        if isinstance(message := getattr(raised, "message", None), str):
            raised.message = safe(message, newlines=True)
            raised.show = partial(_show, raised)
        raise


def _show(error: Any) -> None:
    output = io.StringIO()
    type(error).show(error, output)
    # What there is to choose from stands a name a line: one sentence, as all others.
    for line in output.getvalue().replace(":\n\t", ": ").replace(",\n\t", ", ").splitlines():
        print(translated(line), file=sys.stderr)


def paragraphs(help: str) -> list[str]:
    """Return the texts that the help of a command is translated by."""
    return [" ".join(part.split()) for part in help.split("\n\n") if part.strip()]


def _by_paragraphs(help: str | None) -> str:
    return "\n\n".join(map(_, paragraphs(help or "")))


def typer_app(
    help: str | None = None, cls: type[TyperGroup] = AnyGroup, *, completes: bool = False
) -> typer.Typer:
    """A group of commands. Its help is plain, since agents and pipes read it too."""
    return typer.Typer(
        help=help,
        cls=cls,
        no_args_is_help=True,
        add_completion=completes,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
    )


def build(declared: Group) -> TyperGroup:
    """Return typer's group of the commands that a module declares."""
    app = typer_app(_by_paragraphs(declared.help))
    for name, command in declared.commands.items():
        app.command(name, cls=_class_for(command.kind))(_with_parameters(command.function))
    built = get_group(app)
    assert isinstance(built, AnyGroup)
    built.alone = declared.alone
    return built


def _with_parameters(function: Callable[..., object]) -> Callable[..., object]:
    """Return a function with typer's options and arguments in place of those declared, and its context in
    place of the call."""
    hints = get_type_hints(function, include_extras=True)
    types = {name: _with_parameter(hint) for name, hint in hints.items()} | {"call": typer.Context}
    declared = signature(function)

    def same(call: typer.Context, **values: Any) -> object:
        return function(call.obj, **values)

    same.__annotations__ = types
    same.__doc__ = _by_paragraphs(function.__doc__)
    same.__name__ = function.__name__
    parameters = [item.replace(annotation=types[item.name]) for item in declared.parameters.values()]
    same.__signature__ = declared.replace(parameters=parameters)  # type: ignore[attr-defined]
    return same


def _with_parameter(hint: Any) -> Any:
    declared = next(iter(getattr(hint, "__metadata__", ())), None)
    if not isinstance(declared, Parameter):
        return hint
    make = typer.Option if declared.is_option else typer.Argument
    return Annotated[hint.__origin__, make(*declared.names, **declared.settings)]


class BuiltCommand(Helping, TyperCommand):
    """A command of typer's that does what a declared one does."""

    kind: type[Command]
    can_look_back = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.params += [
            TyperOption(param_decls=["--json"], is_flag=True, default=False, help=JSON_HELP),
            TyperOption(param_decls=["--db"], metavar="PATH", help=DATABASE_HELP),
            TyperOption(
                param_decls=["--as-of"],
                metavar="DATE",
                help=AS_OF_HELP,
                hidden=not self.can_look_back,
            ),
        ]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the command line; of a query also words that begin with a minus."""
        if self.kind.flag is None:
            return super().parse_args(ctx, args)
        options = [
            parameter
            for parameter in self.params
            if isinstance(parameter, TyperOption) and not parameter.is_flag
        ]
        valued = {name for option in options for name in option.opts}
        flags: list[str] = []
        words: list[str] = []
        rest = iter(args)
        for argument in rest:
            if argument == "--":
                words += rest
            elif self.kind.flag.match(argument):
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

    def invoke(self, ctx: Any) -> None:
        """Run the command with what was given, here or before its name."""
        before: Call = ctx.obj
        database, as_json = ctx.params.pop("db"), ctx.params.pop("json")
        as_of = ctx.params.pop("as_of") or before.as_of
        place = before.database if database is None else database

        def do(call: Call) -> None:
            ctx.obj = call
            super(BuiltCommand, self).invoke(ctx)

        call = Call(place, as_json or before.json, ctx.command_path, as_of)
        if status := carry_out(call, self.kind, do):
            raise typer.Exit(status)


def _class_for(kind: type[Command]) -> type[BuiltCommand]:
    members = {"kind": kind, "can_look_back": kind.can_look_back}
    return type(kind.__name__, (BuiltCommand,), members)


MEANT = dict.fromkeys(("cost", "costs", "usage", "spent"), "store stats")
MEANT |= dict.fromkeys(("tokens", "start", "overhead"), "files cost")
"""By words that are no commands the command that tells of them."""


class Commands(AnyGroup):
    """The commands of `mem`, each imported when it is called: typer takes 20 ms to build them all."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """The commands in sight, in the order of the help."""
        return list(in_sight(COMMANDS))

    def get_command(self, ctx: Any, cmd_name: str) -> TyperCommand | TyperGroup | None:  # noqa: ARG002
        """A command, also one that stands under a parent; None when there is none of this name."""
        return _command(cmd_name) if cmd_name in ALL_COMMANDS else None

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        """Find the command that is named first; `hook` takes an agent's name as well as commands."""
        if args[1:] and args[1] in UNDER.get(args[0], {}):
            # Where its leaf is missing this says so; typer knows none of this name then.
            declared_in(args[1])
        if after_hook(args) not in (None, ["--help"]):
            return "hook", _own("hook"), args[1:]
        return super().resolve_command(ctx, args)

    def panels(self, ctx: Any) -> Panels:  # noqa: ARG002
        """Every command's name and line, without importing them."""
        return {
            _(panel): [(name, _(line)) for name, (_module, line) in in_sight(commands).items()]
            for panel, commands in PANELS.items()
        }

    def paths(self, ctx: Any) -> dict[str, str]:
        """By each name what is typed for it, where it stands."""
        under = {name: f"{parent} {name}" for parent, inner in UNDER.items() for name in inner}
        return MEANT | under | super().paths(ctx)


@cache
def _command(name: str) -> TyperCommand | TyperGroup:
    """Return typer's command or group of this name, with what stands under it."""
    own = _own(name)
    if name not in UNDER:
        return own
    parent = own if isinstance(own, TyperGroup) else build(group(declared_in(name).help))
    parent.name = name
    own_commands = {inner: built for inner, built in parent.commands.items() if inner not in UNDER[name]}
    parent.commands = own_commands | {inner: _command(inner) for inner in UNDER[name]}
    return parent


@cache
def _own(name: str) -> TyperCommand | TyperGroup:
    """Return typer's command or group that a module declares under this name; of a leaf that is missing one
    that says so."""
    try:
        built = build(declared_in(name))
    except MissingLeafError as error:
        return _missing(name, error)
    built.name = name
    command = built.commands.get(name, built)
    assert isinstance(command, TyperCommand | TyperGroup)
    return command


def _missing(name: str, error: MissingLeafError) -> TyperCommand:
    def say(*_arguments: object) -> None:
        raise error

    anything = {"ignore_unknown_options": True, "allow_extra_args": True}
    return TyperCommand(name, callback=say, hidden=True, add_help_option=False, context_settings=anything)


app = typer_app(_("Write, search and curate what coding agents remember."), Commands, completes=True)


def run(arguments: list[str]) -> int:
    """Run a command line; its exit code."""
    try:
        app(arguments, prog_name="mem")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 1
    return 0


def run_to_raise(arguments: list[str], names: list[str], error: BaseException) -> int:
    """Return the exit code of a command line whose command raised an error, and have typer tell of it;
    the command isn't run again."""

    def raise_it(**_: object) -> None:
        raise error

    command: Any = _command(names[0]) if names[1:] else _own(names[0])
    for name in names[1:]:
        command = command.commands[name]
    callback, command.callback = command.callback, raise_it
    try:
        return run(arguments)
    finally:
        command.callback = callback


def show_version(requested: bool) -> None:
    """Print the version and end."""
    if requested:
        from ..platform.version import own_version

        print(f"memtui {own_version()}")
        raise typer.Exit


@app.callback()
def mem(
    ctx: typer.Context,
    db: Annotated[str | None, typer.Option("--db", metavar="PATH", help=DATABASE_HELP)] = None,
    json: Annotated[bool, typer.Option("--json", help=JSON_HELP)] = False,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="DATE", help=AS_OF_HELP)] = None,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Take what stands before the command."""
    write_utf8()
    ctx.obj = Call(db, json, as_of=as_of)


SENTENCES = (
    N_("Try '{command} --help' for help."),
    N_("Error: {sentence}"),
    N_("Invalid value: {sentence}"),
    N_("Invalid value for {name}: {sentence}"),
    N_("Missing argument {name}."),
    N_("Missing argument {name}. Choose from: {names}"),
    N_("Missing option {name}."),
    N_("Missing option {name}. Choose from: {names}"),
    N_("Missing command."),
    N_("No such command {name}."),
    N_("No such option: {name} (Possible options: {names})"),
    N_("No such option: {name} Did you mean {names}?"),
    N_("No such option: {name}"),
    N_("Option {name} does not take a value."),
    N_("Option {name} requires an argument."),
    N_("Option {name} requires {number} arguments."),
    N_("Got unexpected extra argument ({words})"),
    N_("Got unexpected extra arguments ({words})"),
    N_("Got unexpected extra argument(s) ({words})"),
    N_("{value} is not a valid boolean. Recognized values: {names}"),
    N_("{value} is not a valid {type}."),
    N_("{value} is not in the range {range}."),
    N_("{value} is not one of {names}."),
    N_("Could not open file {name}: {sentence}"),
)
"""The longer first of two that begin alike."""


def translated(line: str) -> str:
    """Return a line of typer's in the user's language; any other as it is."""
    for sentence in SENTENCES:
        if match := _pattern(sentence).fullmatch(line):
            values = match.groupdict()
            if "sentence" in values:
                values["sentence"] = translated(values["sentence"])
            return _(sentence, **values)
    return line


@cache
def _pattern(sentence: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>.*)", re.escape(sentence)))
