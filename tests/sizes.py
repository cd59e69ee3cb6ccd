"""How much a test tries: a little in `make test`, a lot in `make test-long`."""

import pytest
from hypothesis import settings


def sizes(name: str, few: int, many: int) -> pytest.MarkDecorator:
    """Give the test `few` as its argument `name`; and `many`, marked as long."""
    return pytest.mark.parametrize(name, [few, pytest.param(many, marks=pytest.mark.long)])


def costly(quick: int = 10) -> settings:
    """Settings of a property whose examples each make and examine memories.

    It tries `quick` of them in the short run, and in the long one a quarter of what others try.
    """
    return settings(max_examples=max(quick, settings().max_examples // 4))
