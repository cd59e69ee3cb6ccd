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
        return [choice for choice in self.all if choice.is_open]

    @property
    def values(self) -> dict[str, Any]:
        """All fields as they are chosen."""
        return {
            choice.name: choice.values[0]
            if choice.name == CONFIDENCE and choice.label == ALL
            else choice.value
            for choice in self.all
        }

    @property
    def changes(self) -> dict[str, Any]:
        """The fields that the merge is to give the memory that stays. How sure a fact is follows from its
        sources, unless somebody chose it."""
        return {
            choice.name: choice.value
            for choice in self.all
            if choice.is_open and not (choice.name == CONFIDENCE and choice.label == ALL)
        }

    def prefer(self, place: int) -> None:
        """Choose the values of the memory at a place, in all fields but lists and the confidence."""
        for choice in self.all:
            for number, (label, _) in enumerate(choice.options):
                if label == self.refs[place] and choice.options[0][0] != ALL:
                    choice.chosen = number

    def edit(self, fields: Mapping[str, Any]) -> None:
        """Set fields to the values that were typed."""
        for choice in self.all:
            if choice.name in fields:
                choice.options = [pair for pair in choice.options if pair[0] != EDITED]
                choice.options.append((EDITED, fields[choice.name]))
                choice.chosen = len(choice.options) - 1

    def _fields(self) -> Iterator[FieldChoice]:
        for name, known in editable(self.plan.kind).items():
            values = tuple(getattr(record, name) for record in self.plan.records)
            choice = FieldChoice(name, values)
            for ref, value in zip(self.refs, values, strict=True):
                if (value or value == 0) and all(value != known for _, known in choice.options):
                    choice.options.append((ref, value))
            if known.is_list and len(choice.options) > 1:
                items = tuple(dict.fromkeys(item for value in values for item in value))
                choice.options.insert(0, (ALL, items))
            elif name == CONFIDENCE and len(choice.options) > 1:
                choice.options.insert(0, (ALL, None))
            if not choice.options:
                choice.options.append((self.refs[0], values[0]))
            yield choice
