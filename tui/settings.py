"""The user's settings of the browser: read at the start, used at once when changed, and kept."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textual import work
from textual.app import App
from textual.dom import DOMNode
from textual.reactive import var
from textual.screen import Screen
from textual.widget import Widget

from memtui.store import StoreError
from memtui.store.config import BrowserSettings, Problem, browser_settings, line_of_key
from memtui.store.platform.errors import failure_of
from memtui.store.platform.translation import _

from .style import THEMES, SteadyStylesheet, preferred
from .tabs import Tab, tabs_of
from .text.glyphs import OURS, colour_types, type_variables, variable

TABLES = {"panes": "browser.panes", "colors": "browser.colors", "keys": "keys"}
"""The settings that are tables, each with its name in the file."""
MOST_PROBLEMS = 3
"""So many are told at the start; `mem config check` names all."""
LONG_ENOUGH = 10.0
"""Seconds in which a sentence with a place in a file is read."""

Found = tuple[BrowserSettings, tuple[Problem, ...]]


class SettledApp(App[str]):
    """An app that has `settings`, and keeps what is changed of them in the file."""

    settings: var[BrowserSettings] = var(BrowserSettings, init=False)
    """How the browser looks, starts and is driven."""
    tabs: tuple[Tab, ...]
    """The screens that it has."""

    _is_made = False

    def __init__(self, configured: Found | None, owner: str, as_of: str) -> None:
        """`configured` is what the file says, read here where it is None; `owner` and `as_of` as the
        browser has them."""
        configured = configured or browser_settings()
        settings, self._problems = configured
        self._memory = owner, as_of
        self.tabs = tabs_of(owner, as_of, settings.keys)
        if any(tab.mode == settings.start_screen for tab in self.tabs):
            # Textual reads it of the instance, and makes no other screen before it.
            self.__dict__["DEFAULT_MODE"] = settings.start_screen
        super().__init__()
        self.stylesheet = SteadyStylesheet(variables=self.get_css_variables())
        self._is_made = True
        self._unwritten: dict[str, object] = {}
        self._is_writing = False
        self._previewed = ""
        self._was_told = False
        self.keymap: Mapping[str, str] = {}
        for theme in THEMES:
            self.register_theme(theme)
        self.set_reactive(SettledApp.settings, settings)
        self.theme = self._theme_of(settings)

    def start_settings(self) -> None:
        """Use the keys, and tell what is wrong in the file, which the browser does without."""
        self.screen_change_signal.subscribe(self, self._use_keys)
        self._use_keys(self.screen)
        self._tell(self._problems)
        self._look_at_keys()

    def keep(self, **changes: Any) -> None:
        """Use other settings at once, and write them to `config.toml`. Of `panes`, `colors` and `keys`
        only what is named changes; None there is the default again."""
        merged: dict[str, Any] = {}
        written: dict[str, object] = {}
        for name, value in changes.items():
            if name in TABLES:
                table: Mapping[str, Any] = {**getattr(self.settings, name), **value}
                merged[name] = {text: given for text, given in table.items() if given is not None}
                written |= {f"{TABLES[name]}.{item}": given for item, given in value.items()}
            else:
                merged[name] = value
                written[f"browser.{name}"] = value
        self.settings = replace(self.settings, **merged)
        self._unwritten |= written
        self._write_settings()

    def watch_settings(self, before: BrowserSettings, settings: BrowserSettings) -> None:
        """Use them; what only a widget is concerned with it watches itself."""
        self.theme = self._theme_of(settings)
        if settings.colors != before.colors:
            self.refresh_css(animate=False)
        if before.keys != settings.keys:
            self.tabs = tabs_of(*self._memory, settings.keys)
            self._use_keys(self.screen)
            self.screen.refresh(layout=True)
            self._look_at_keys()

    def get_css_variables(self) -> dict[str, str]:
        """Return the theme's variables, with colours that can be read."""
        variables = super().get_css_variables()
        # Textual asks first while it makes the app, of a theme that nothing is shown in.
        if self._is_made and self.current_theme.name not in OURS:
            from .text.contrast import readable_variables

            chosen = {variable(type) for type in self.settings.colors}
            variables = self.theme_variables = readable_variables(variables, keep=chosen)
        return variables

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the variables of the types' colours, which no theme has."""
        colour_types(self.settings.colors)
        return type_variables(self.current_theme, self.settings.colors)

    def watch_theme(self, theme: str) -> None:
        """Keep a theme that was chosen."""
        if self.is_running and theme not in (self._previewed, self._theme_of(self.settings)):
            self.keep(theme=theme)

    def preview_theme(self, theme: str | None) -> None:
        """Show a theme without keeping it; None shows the kept one again."""
        self._previewed = theme or ""
        self.theme = theme or self._theme_of(self.settings)

    @work(group="reread", exclusive=True)
    async def reread_settings(self) -> None:
        """Use what was changed in the file, by whomever; what can't be read changes nothing."""
        settings, problems = await asyncio.to_thread(browser_settings)
        if self._unwritten or self._is_writing:
            return
        if problems != self._problems:
            self._problems = problems
            self._tell(problems)
        if not any(problem.key == "" for problem in problems):
            self.settings = settings

    def action_edit_settings(self) -> None:
        """Open config.toml in the user's editor, and use what was changed there."""
        from memtui.store.formats.markdown_editor import run_editor
        from memtui.store.maintain.configuration import open_in_editor

        from .parts.textual_gaps import leave_for

        def edit() -> Found:
            open_in_editor(run_editor)
            result = browser_settings()
            if self._driver is not None:
                # It is asked for again when the browser is back; Textual has no public way.
                self._driver._mouse = result[0].mouse
            return result

        try:
            settings, problems = leave_for(self, edit)
        except (OSError, StoreError) as error:
            self.notify(str(error), severity="error", markup=False)
            return
        self.settings, self._problems = settings, problems
        self._tell(problems)

    async def write_settings_left(self) -> None:
        """Write what was not yet written."""
        if self._unwritten:
            await self._write_settings_once()

    def _load_screen_css(self, screen: Screen[Any]) -> None:
        # Textual would also compute the styles and the layout of what is in front anew, some three times,
        # which the CSS of another screen doesn't concern. It has no public hook.
        if screen.CSS:
            super()._load_screen_css(screen)
        else:
            known = self.stylesheet.has_source
            self.stylesheet.read_all([path for path in screen.css_path if not known(str(path))])
        screen._css_update_count = self._css_update_count

    def _register(self, parent: DOMNode, *widgets: Widget, **options: Any) -> list[Widget]:
        # Textual starts a screen before it lies on the stack. Where tasks are eager, from CPython 3.12 on,
        # all in it is mounted by then, and a widget that asks for the app's screen finds none, or the one
        # below. So a screen's task starts in the loop's next round, as on 3.11. There is no public hook.
        if not any(isinstance(widget, Screen) for widget in widgets):
            return super()._register(parent, *widgets, **options)
        loop = asyncio.get_running_loop()
        factory = loop.get_task_factory()
        loop.set_task_factory(None)
        try:
            return super()._register(parent, *widgets, **options)
        finally:
            loop.set_task_factory(factory)

    def _use_keys(self, screen: Screen[Any]) -> None:
        """Have the keys that hold on a screen."""
        if self.settings.keys:
            from .keys.bindings import keymap, screen_name

            nodes = [type(node) for node in (screen, *screen.query("*"), self)]
            self.keymap = keymap(self.settings.keys, screen_name(type(screen)), nodes)
        elif not self.keymap:
            return
        else:
            self.keymap = {}
        self.set_keymap(self.keymap)

    @work(group="keys", exclusive=True)
    async def _look_at_keys(self) -> None:
        """Tell which keys of the user's make no sense."""
        if keys := self.settings.keys:
            from .key_problems import problems

            # It imports every screen.
            try:
                unknown = await asyncio.to_thread(problems, keys)
            except Exception as error:
                self._tell([Problem("keys", line_of_key("keys"), failure_of(error))])
                return
            for wrong in unknown[:MOST_PROBLEMS]:
                key = f"keys.{wrong.name}"
                self._tell([Problem(key, line_of_key(key), wrong.sentence)])

    def _tell(self, problems: tuple[Problem, ...] | list[Problem]) -> None:
        for problem in problems[:MOST_PROBLEMS]:
            self.notify(str(problem), severity="warning", markup=False, timeout=LONG_ENOUGH)

    @work(group="settings")
    async def _write_settings(self) -> None:
        # One after the other; what comes meanwhile, such as a dragged split, is written together.
        if self._is_writing:
            return
        self._is_writing = True
        try:
            while self._unwritten:
                await self._write_settings_once()
        finally:
            self._is_writing = False

    async def _write_settings_once(self) -> None:
        from memtui.store.maintain.configuration import change

        changes, self._unwritten = self._unwritten, {}
        try:
            await asyncio.to_thread(change, changes)
        except StoreError as error:
            if not self._was_told:
                self._was_told = True
                content = _(
                    "This setting could not be saved and lasts only until you quit: {error}",
                    error=error,
                )
                self.notify(content, severity="warning", markup=False)

    def _theme_of(self, settings: BrowserSettings) -> str:
        return settings.theme if settings.theme in self.available_themes else preferred()
