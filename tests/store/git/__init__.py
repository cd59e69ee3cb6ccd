"""Tests of what git says of the files that memories name."""
