"""Tests of the database file."""
