"""Tests of what text passes on its way in and out."""
