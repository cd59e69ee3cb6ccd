"""Tests of the installer."""
