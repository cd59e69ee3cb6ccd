"""Which value of each field a merged memory has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from memtui.store import MergePlan
from memtui.store.fields import editable

ALL, EDITED = "all", "edited"
CONFIDENCE = "confidence"


@dataclass(slots=True)
class FieldChoice:
    """A field and the values that it can have. An option is a label with a value: the ref of the first
    memory that has it, `all` for the items of all, or `edited`; `chosen` is the index of one."""

    name: str
    values: tuple[Any, ...]
    """The values of the memories, in their order."""
    options: list[tuple[str, Any]] = field(default_factory=list)
    chosen: int = 0

    @property
    def label(self) -> str:
        """Where the chosen value is from."""
        return self.options[self.chosen][0]

    @property
    def value(self) -> Any:
        """The chosen value."""
        return self.options[self.chosen][1]

    @property
    def is_open(self) -> bool:
        """Whether there is anything to choose."""
        return len(self.options) > 1

    def takes(self, place: int) -> bool:
        """Whether the value of the memory at this place is in the chosen one."""
        value = self.values[place]
        return bool(value) if self.label == ALL else (bool(value) and value == self.value)

    def step(self, places: int) -> None:
        """Choose the next value (1) or the one before (-1), round and round."""
        self.chosen = (self.chosen + places) % len(self.options)


class Choices:
    """The choices of all fields of a merge."""

    def __init__(self, plan: MergePlan, refs: tuple[str, ...]) -> None:
        """`refs` are those of the plan's records, in their order."""
        self.plan = plan
        self.refs = refs
        self.all = [*self._fields()]

    @property
    def open(self) -> list[FieldChoice]:
        """The fields in which the memories differ."""
        return [one for one in self.all if one.is_open]

    @property
    def values(self) -> dict[str, Any]:
        """All fields as they are chosen."""
        return {
            one.name: one.values[0] if one.name == CONFIDENCE and one.label == ALL else one.value
            for one in self.all
        }

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that the merge is to give the memory that stays. How sure a fact is follows from its
        sources, unless somebody chose it."""
        return {
            one.name: one.value
            for one in self.all
            if one.is_open and not (one.name == CONFIDENCE and one.label == ALL)
        }

    def prefer(self, place: int) -> None:
        """Choose the values of the memory at a place, in all fields but lists and the confidence."""
        for one in self.all:
            for number, (label, _) in enumerate(one.options):
                if label == self.refs[place] and one.options[0][0] != ALL:
                    one.chosen = number

    def edit(self, fields: Mapping[str, Any]) -> None:
        """Set fields to the values that were typed."""
        for one in self.all:
            if one.name in fields:
                one.options = [pair for pair in one.options if pair[0] != EDITED]
                one.options.append((EDITED, fields[one.name]))
                one.chosen = len(one.options) - 1

    def _fields(self) -> Iterator[FieldChoice]:
        for name, known in editable(self.plan.kind).items():
            values = tuple(getattr(record, name) for record in self.plan.records)
            one = FieldChoice(name, values)
            for ref, value in zip(self.refs, values, strict=True):
                if (value or value == 0) and all(value != known for _, known in one.options):
                    one.options.append((ref, value))
            if known.is_list and len(one.options) > 1:
                items = tuple(dict.fromkeys(item for value in values for item in value))
                one.options.insert(0, (ALL, items))
            elif name == CONFIDENCE and len(one.options) > 1:
                one.options.insert(0, (ALL, None))
            if not one.options:
                one.options.append((self.refs[0], values[0]))
            yield one
