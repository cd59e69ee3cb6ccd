"""The queue: what waits for an observer, and what failed."""
