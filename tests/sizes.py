"""How much a test tries: a little in `make test`, a lot in `make test-long`."""

from collections.abc import Iterable
from datetime import date
from typing import TypeVar

import pytest
from hypothesis import settings

T = TypeVar("T")


def sizes(name: str, few: int, many: int) -> pytest.MarkDecorator:
    """Give the test `few` as its argument `name`; and `many`, marked as long."""
    return pytest.mark.parametrize(name, [few, pytest.param(many, marks=pytest.mark.long)])


def costly(quick: int = 10) -> settings:
    """Settings of a property whose examples each make and examine memories.

    It tries `quick` of them in the short run, and in the long one a quarter of what others try.
    """
    return settings(max_examples=max(quick, settings().max_examples // 4))


def of_today(items: Iterable[T], parts: int) -> list[T]:
    """Return a part of what is dear to try and seldom breaks: each day another."""
    return [*items][date.today().toordinal() % parts :: parts]
