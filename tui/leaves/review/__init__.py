"""Reviewing what teammates shared."""
