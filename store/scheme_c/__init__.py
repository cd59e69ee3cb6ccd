"""Keeping a scheme C directory and the store in step, both ways."""
