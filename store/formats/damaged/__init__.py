"""Reading our own memory where SQLite can't: the records of damaged files, and what becomes of them."""
