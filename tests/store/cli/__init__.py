"""Tests of the command line `mem`."""
