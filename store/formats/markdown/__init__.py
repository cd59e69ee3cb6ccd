"""Markdown pages for people: one a session, and pages of the facts and notes."""
