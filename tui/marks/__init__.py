"""Marks: what is marked in the lists of a screen, and what is done to all of it at once."""
