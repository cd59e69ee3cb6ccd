"""One module a table: its SQL and its rules."""
