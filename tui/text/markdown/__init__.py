"""Stored Markdown as passages to read: blocks, what is within a line, code and tables."""
