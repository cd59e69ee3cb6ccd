"""Tests of the demo memory."""
