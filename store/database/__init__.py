"""The database file: opening it, connections, transactions, the journal, backups, migrations."""
