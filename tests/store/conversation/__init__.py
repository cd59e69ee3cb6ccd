"""Tests of sessions as conversations."""
