"""Tests of what a session is given."""
