"""What samples of secrets are made of, so that no scanner minds them."""

from typing import NamedTuple


class Sample(NamedTuple):
    """What stands around a secret, `{}` marking its place, the secret, and a text that holds none."""

    around: str
    secret: str
    near_miss: str


def letters(length: int) -> str:
    """So many letters and digits that mean nothing."""
    return ("aB3dE5gH7jK9mN2pQ4" * (length // 18 + 1))[:length]


def digits16(length: int) -> str:
    """So many hex digits."""
    return ("0a1b2c3d4e5f6789" * (length // 16 + 1))[:length]


def capitals(length: int) -> str:
    """So many capitals and digits."""
    return ("Q2W3E4R5T6Y7" * (length // 12 + 1))[:length]
