"""Tests of the screen of agents' files."""
