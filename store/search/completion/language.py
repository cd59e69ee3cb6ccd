"""Completions by their Chinese names: those of filters, types, kinds, states and orders. What a memory
holds, such as projects and tags, has one name only."""

from __future__ import annotations

from ...records.dataclasses import replace
from ..chinese.names import FILTER_NAMES, VALUES
from .completions import Completion, Completions

NAMES = {name: chinese for chinese, name in reversed(FILTER_NAMES.items())}
"""The usual Chinese name of each filter: the first, which is the simplified one."""
OF_VALUES = {
    filter: {value: chinese for chinese, value in reversed(known.items())}
    for filter, known in VALUES.items()
}
"""The same of values, by the filter that has them."""


def in_chinese(found: Completions) -> Completions:
    """Return completions with Chinese names where there are any; the English one stands beside it."""
    return replace(found, items=tuple(_named(found.name, item) for item in found.items))


def _named(filter: str, item: Completion) -> Completion:
    if not filter:
        name = item.label.removesuffix(":")
        chinese = NAMES.get(name)
        return item if chinese is None else _called(item, f"{chinese}:", item.label)
    chinese = OF_VALUES.get(filter, {}).get(item.text)
    return item if chinese is None else _called(item, chinese, item.label)


def _called(item: Completion, chinese: str, english: str) -> Completion:
    note = " · ".join(filter(None, (english, item.note)))
    return replace(item, label=chinese, text=chinese, note=note)
