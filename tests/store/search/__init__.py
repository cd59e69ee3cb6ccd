"""Tests of search, its indexes and read models."""
