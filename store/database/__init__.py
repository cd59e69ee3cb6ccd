"""The database file: opening it, connections, transactions, the journal, backups, migrations."""

SCHEMA = 16
"""The schema version that this program reads and writes, also where next to nothing is imported."""
