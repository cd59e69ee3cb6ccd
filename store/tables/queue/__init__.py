"""The queue of raw events that wait for an observer."""
