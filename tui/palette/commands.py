"""What the palette lists: what keys do on the screen in front and on others, and what no key does."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

from textual.actions import parse
from textual.binding import Binding

from memtui.store import Store
from memtui.store.platform.leaves import has_leaf
from memtui.store.platform.translation import _
from memtui.store.text.display import safe
from memtui.store.text.plural import count_noun

from ..actions import APP, MEMORY, NOT_NOW, READ_ONLY, Action, actions_of
from ..care import DoctorScreen, offer_retention, start_backup
from ..importing import offer_imports
from ..keys.bindings import bindings_of, remapped
from ..keys.mem_commands import filled, mem_command
from ..links import copy_handoff
from ..optional import has_part, part
from ..protocol import Browser
from ..screen import WRITING, MemScreen
from ..tabs import screen_module
from ..text.queries import filter_for
from .screen import Command

PROJECTS = 50
SAVED, NARROW, ELSEWHERE = _("Saved searches"), _("Narrow to"), _("On other screens")
CARE = _("Care")

FILTERS = {
    _("Pinned"): "is:pinned",
    _("Maybe out of date"): "is:stale",
    _("Hidden as private"): "is:private",
    _("Deleted"): "is:deleted",
    _("Left out as noise"): "is:noise",
    _("Superseded facts"): "is:superseded",
    _("Reported as wrong"): "is:wrong",
    _("Rules that were broken"): "is:broken",
    _("Waiting for your word"): "is:pending",
    _("Never told to an agent"): "told:0",
    _("Most often told to agents"): "told:>0 sort:told",
    _("Today"): "since:1d",
    _("This week"): "since:7d",
    _("Summaries"): "kind:summary",
    _("Prompts"): "kind:prompt",
    _("Decisions"): "type:decision",
    _("Bug fixes"): "type:bugfix",
}
UNLISTED = {
    *("move", "page", "first", "last", "step_offer", "walk"),
    *("scroll_up", "scroll_down", "scroll_home", "scroll_end", "page_up", "page_down"),
    *("take_offer", "close_offers", "command_palette"),
}
"""Actions that are found by their names only: what moves, which keys do best."""
LEFT_OUT = {"query.answer", "facets.leave", "capture.back", "statistics.again", "files.read"}
"""Bindings that do again, or back, what another command does."""


def commands_of(screen: MemScreen, choose_theme: Callable[[], None]) -> list[Command]:
    """Return what can be done on a screen and everywhere, as far as the store needn't be asked."""
    app = screen.browser
    actions = [
        of_action(action)
        for action in actions_of(screen)
        if action.why_not != NOT_NOW and action.id not in LEFT_OUT
    ]
    imports = Command(
        "import",
        _("Import"),
        _("What other memories and agents' transcripts on this machine have"),
        MEMORY,
        partial(offer_imports, screen),
        also="import claude-mem transcripts bring in",
        why_not=READ_ONLY if app.read_only else "",
    )
    others = [
        # The welcome has one of its own.
        *([] if any(command.name == imports.name for command in actions) else [imports]),
        Command(
            "theme",
            _("Theme"),
            _("Change the colours"),
            APP,
            choose_theme,
            also="theme colors dark light",
        ),
        Command(
            "seen",
            _("Mark all as seen"),
            _("Take the dots off what is new"),
            MEMORY,
            app.see_all,
            also="seen read new arrivals dots",
            is_listed=bool(app.holdings and app.holdings.new),
        ),
        *_caring(screen),
    ]
    if has_part("files"):
        others.append(
            Command(
                "cost",
                _("What a start costs"),
                _("The tokens of what agents are told at a start: files, skills, agents, commands, MCP"),
                APP,
                partial(app.action_go, "files"),
                also="cost tokens context start overhead startup 花费 开销 费用 上下文 令牌",
            )
        )
    if has_part("digest"):
        others.append(
            Command(
                "digest",
                _("Digest"),
                _("Tell what was done, decided, left and failed since yesterday, or in a week"),
                MEMORY,
                lambda: part("digest.dialog").open_digest(screen),
                also="digest day week standup report yesterday",
            )
        )
    if screen.edited is not None and has_leaf("handoff"):
        others.append(_handing_over(screen, screen.edited))
    values = screen.command_values
    return [
        *actions,
        *(replace(other, command=mem_command(other.id, values)) for other in others),
        *(_narrowing(app, f"filter.{query}", name, query) for name, query in FILTERS.items()),
    ]


def _caring(screen: MemScreen) -> Iterator[Command]:
    """Yield what keeps the store well."""
    why_not = READ_ONLY if screen.browser.read_only else ""
    yield Command(
        "doctor",
        _("Doctor"),
        _("Check the store's file, its indexes, and what hooks bring"),
        CARE,
        lambda: _doctor(screen),
        also="doctor health check mem",
    )
    yield Command(
        "backup",
        _("Back up"),
        _("Copy the store, verified, beside it"),
        CARE,
        partial(start_backup, screen),
        also="backup copy save",
    )
    yield Command(
        "retention",
        _("Let old memories go"),
        _("Delete what is older than its project's retention policy"),
        CARE,
        partial(offer_retention, screen),
        also="retention policy purge expire old",
        why_not=why_not,
    )


def _doctor(screen: MemScreen) -> None:
    screen.browser.open_over(DoctorScreen())


def _handing_over(screen: MemScreen, ref: str) -> Command:
    async def hand_over() -> None:
        await copy_handoff(screen.app, ref)

    return Command(
        "hand-over",
        _("Hand over"),
        _("Copy a brief of its session, for an agent or a colleague"),
        MEMORY,
        hand_over,
        also="hand over handoff brief",
        is_listed=False,
    )


def of_action(action: Action) -> Command:
    """Return the command that does what a key does."""
    return Command(
        id=action.id,
        name=action.name,
        sentence=action.sentence,
        group=action.group,
        do=action.run,
        keys=next(iter(action.keys), ""),
        also=f"{action.does.replace('_', ' ')} {action.group}",
        why_not=action.why_not,
        command=action.command,
        is_listed=parse(action.does)[1] not in UNLISTED,
    )


async def of_store(screen: MemScreen) -> list[Command]:
    """Return the saved searches and the projects."""
    app = screen.browser
    projects, saved = await app.side.run(lambda store: (store.projects(), store.searches.saved()))
    commands = [
        Command(
            f"saved:{search.name}",
            _("Saved: {name}", name=safe(search.name)),
            search.query,
            SAVED,
            partial(app.search_for, search.query),
            command=filled("search --saved {query}", {"query": search.name}),
        )
        for search in saved
    ]
    if not app.read_only:
        commands += [
            Command(
                "",
                _("Forget search {name}", name=safe(saved_search.name)),
                saved_search.query,
                SAVED,
                partial(_forget, screen, saved_search.name),
                is_listed=False,
            )
            for saved_search in saved
        ]
    return commands + [
        _narrowing(
            app,
            f"project:{name}",
            _("Project {name}", name=safe(name)),
            filter,
            count_noun(many, "memories"),
        )
        for name, many in projects[:PROJECTS]
        if (filter := filter_for("project", name))
    ]


def of_other_screens(screen: MemScreen) -> list[Command]:
    """Return what can be done on the screens that are one key away, which these lead to. It imports
    them all."""
    app = screen.browser
    return [
        Command(
            id="",
            name=_("{screen}: {action}", screen=tab.name, action=binding.description),
            sentence=binding.tooltip,
            group=ELSEWHERE,
            do=partial(app.action_go, tab.mode),
            keys=f"{tab.key} {_first_key(screen, binding)}",
            also=binding.action.replace("_", " "),
            why_not=READ_ONLY if app.read_only and binding.action in WRITING else "",
            is_listed=False,
            by_sentence=False,
        )
        for tab in app.tabs
        if tab.mode != screen.mode
        for binding in _own_bindings(tab.mode)
        if binding.id not in LEFT_OUT
    ]


def _own_bindings(mode: str) -> list[Binding]:
    """What can be done on the first screen of a mode, and not on every other too."""
    screens = (item for item in vars(screen_module(mode)).values() if isinstance(item, type))
    own = next(
        screen for screen in screens if issubclass(screen, MemScreen) and vars(screen).get("mode") == mode
    )
    shared = {binding.action for binding in bindings_of(MemScreen)}
    own_bindings = {binding.id: binding for binding in bindings_of(own) if binding.action not in shared}
    return list({binding.description: binding for binding in own_bindings.values()}.values())


def _first_key(screen: MemScreen, binding: Binding) -> str:
    binding = remapped(binding, screen.browser.keymap)
    return screen.app.get_key_display(binding.with_key(binding.key.split(",")[0]))


def _narrowing(app: Browser, id: str, name: str, query: str, sentence: str = "") -> Command:
    return Command(
        id,
        name,
        sentence or query,
        NARROW,
        lambda: app.search_for(f"{query} "),
        command=filled("search {query}", {"query": query}),
    )


def _forget(screen: MemScreen, name: str) -> None:
    """Forget a saved search, in a worker of the app: the palette is closed by then."""

    def forget(store: Store) -> str:
        with store.change(_("search “{name}” forgotten", name=name)):
            store.searches.forget(name)
        return _("Forgotten: {name} (u undoes)", name=safe(name))

    screen.app.run_worker(screen.browser.write(forget, "ctrl+p"), group="write")
