"""A rough, short form of long vectors, for many of them: the directions in which they differ most.

To look through a million vectors of 384 numbers takes long; their 64 main directions tell nearly as well
which of them may be near, and these few are then compared by all their numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .blocks import Floats

DIMENSIONS = 64
SAMPLE = 8_000
"""Vectors by which the directions are found."""
WORTH = 50_000_000
"""Numbers of all vectors together from which on it is worth it: reading them takes over 10 ms."""


def is_worth_it(vectors: int, dimensions: int) -> bool:
    """Return whether so many vectors of so many numbers are to have a rough form."""
    return dimensions >= 2 * DIMENSIONS and vectors * dimensions > WORTH


def main_directions(sample: Floats) -> Floats:
    """Return the directions in which vectors differ most, a column each."""
    import numpy as np

    _, directions = np.linalg.eigh(sample.T @ sample)
    result: Floats = np.ascontiguousarray(directions[:, : -DIMENSIONS - 1 : -1], np.float32)
    return result
