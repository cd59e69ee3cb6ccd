"""Memories corrected and added by hand, and what was changed taken back."""
