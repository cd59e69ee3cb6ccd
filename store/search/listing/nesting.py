"""What sub-agents did, below the calls that started them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

STEP = "↳ "
"""What stands before a step of a sub-agent."""

Row = TypeVar("Row")


def nested(rows: Iterable[Row], id_of: Callable[[Row], int | None], steps: Mapping[int, int]) -> list[Row]:
    """Return rows in their order, but each step right below the call that it belongs to.

    `id_of` is the id of a row's observation, None for another record; `steps` are the calls of steps by
    the ids of both. A step whose call isn't among the rows stays where it is.
    """
    ordered = list(rows)
    present = {id_of(row) for row in ordered}
    below: dict[int, list[Row]] = {}
    others: list[Row] = []
    for row in ordered:
        number = id_of(row)
        call = None if number is None else steps.get(number)
        if call is None or call not in present:
            others.append(row)
        else:
            below.setdefault(call, []).append(row)

    def with_steps(row: Row) -> Iterable[Row]:
        yield row
        number = id_of(row)
        for step in below.pop(number, []) if number is not None else []:
            yield from with_steps(step)

    made = [item for row in others for item in with_steps(row)]
    # Of two that name each other neither has a place.
    return [*made, *(row for rest in below.values() for row in rest)]
