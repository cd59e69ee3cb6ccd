"""The machine on which parts are installed."""

from ..conftest import machine

__all__ = ["machine"]
