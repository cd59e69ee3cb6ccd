"""Tests of the lean paths."""
