"""Formats that memtui reads or writes: one package each, and what they share in `common`."""
