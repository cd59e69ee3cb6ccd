"""Typos: which words of a query were mistyped, and what they may have meant."""
