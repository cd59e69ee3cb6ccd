"""Tests of the model's providers and answers."""
