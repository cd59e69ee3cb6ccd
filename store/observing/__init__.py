"""The queue at work: short jobs, one at a time, that make memory of what waits."""
