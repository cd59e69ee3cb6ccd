"""Calls to what answers for memtui, a server or a local program: one HTTP POST, one run of a program,
their keys, and their errors with how each is retried."""
