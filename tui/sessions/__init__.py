"""The sessions: all of them, and one with its summaries, records and files."""
