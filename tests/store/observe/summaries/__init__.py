"""Tests of what a session came to."""
