"""Tests of the jobs on the queue."""
