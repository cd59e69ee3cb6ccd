"""The database file: opening it, connections, transactions, the journal, backups, the schema."""

SCHEMA = 40
"""The schema version that this program reads and writes, also where next to nothing is imported."""


def load_apsw() -> None:
    """Import apsw with the one part of `collections` that it wants, which as a whole would take longer to
    import than apsw; whoever wants the rest finds it as ever. Raises ImportError."""
    import _collections_abc
    import sys

    stand_ins = [] if "collections" in sys.modules else ["collections", "collections.abc"]
    for name in stand_ins:
        sys.modules[name] = _collections_abc
    try:
        import apsw  # noqa: F401
    finally:
        for name in stand_ins:
            del sys.modules[name]
