"""Observers: what happened becomes what is remembered of it."""
