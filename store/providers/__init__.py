"""Calls to what answers for memtui, a server or a local program: one HTTP POST, one run of a program,
their keys, their errors with how each is retried, and what they took of a day's cap."""
