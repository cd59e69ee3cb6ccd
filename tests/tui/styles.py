"""Style sheets in tests: each is parsed once, and not again for each app, and which rules hold for a
widget is looked up once for all that stand alike. Both would be half of what a start of it takes."""

from typing import Any

import pytest
from textual.app import App
from textual.css.model import RuleSet
from textual.css.styles import RulesMap
from textual.css.stylesheet import Stylesheet
from textual.css.types import CSSLocation
from textual.dom import DOMNode
from textual.widget import Widget

FLAGS = ("_has_hover_style", "_has_focus_within", "_has_order_style", "_has_odd_or_even")
"""What a node is told of the rules that may hold for it."""

Applied = tuple[RulesMap, tuple[bool, ...]]
"""The rules that hold for a node, and its flags."""

_parse = Stylesheet._parse_rules
_apply = Stylesheet.apply
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}
_applied: dict[tuple[RuleSet, ...], dict[tuple[object, ...], Applied]] = {}


def use(patch: pytest.MonkeyPatch) -> None:
    """Have style sheets be so for the tests of this process."""
    patch.setattr(Stylesheet, "_parse_rules", _parse_once)
    patch.setattr(Stylesheet, "apply", _apply_once)


def _parse_once(
    sheet: Stylesheet,
    css: str,
    read_from: CSSLocation,
    is_default_rules: bool = False,
    tie_breaker: int = 0,
    scope: str = "",
) -> list[RuleSet]:
    variables = tuple(sheet._variables.items())
    key = (css, read_from, is_default_rules, tie_breaker, scope, variables)
    if key not in _parsed:
        _parsed[key] = _parse(sheet, css, read_from, is_default_rules, tie_breaker, scope)
    return _parsed[key]


def _apply_once(
    sheet: Stylesheet,
    node: DOMNode,
    *,
    animate: bool = False,
    cache: dict[tuple[Any, ...], RulesMap] | None = None,
) -> None:
    path = node.css_path_nodes
    if not isinstance(path[0], App):
        _apply(sheet, node, animate=animate, cache=cache)
        return
    known = _known_to(sheet)
    key = (path[0].pseudo_classes, *map(_looks, path))
    if (applied := known.get(key)) is None:
        found: dict[tuple[Any, ...], RulesMap] = {}
        _apply(sheet, node, animate=animate, cache=found)
        # Textual puts nothing there of what hangs on more than the path, as on who stands beside.
        if found:
            (rules,) = found.values()
            known[key] = rules, tuple(getattr(node, flag) for flag in FLAGS)
    else:
        rules, flags = applied
        for flag, value in zip(FLAGS, flags, strict=True):
            setattr(node, flag, value)
        sheet.replace_rules(node, rules, animate=animate)
        sheet._process_component_classes(node)


def _looks(node: DOMNode) -> tuple[object, ...]:
    """All of a node that a selector asks for, but for those of which Textual keeps nothing either."""
    focus = isinstance(node, Widget) and node.allow_focus()
    return type(node), node._id, node.classes, node._pseudo_classes_cache_key, focus


def _known_to(sheet: Stylesheet) -> dict[tuple[object, ...], Applied]:
    """What is known of nodes to which the rules of a sheet are applied."""
    rules = sheet.rules
    held: Any = getattr(sheet, "_rules_known", (None, {}))
    if held[0] is not rules:
        held = (rules, _applied.setdefault(tuple(rules), {}))
        sheet._rules_known = held  # type: ignore[attr-defined]
    known: dict[tuple[object, ...], Applied] = held[1]
    return known
