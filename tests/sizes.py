"""How much a test tries: a little in `make test`, a lot in `make test-long`."""

from __future__ import annotations

import pytest


def sizes(name: str, few: int, many: int) -> pytest.MarkDecorator:
    """Give the test `few` as its argument `name`; and `many`, marked as long."""
    return pytest.mark.parametrize(name, [few, pytest.param(many, marks=pytest.mark.long)])
