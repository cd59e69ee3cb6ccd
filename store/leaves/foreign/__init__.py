"""Readers of what other memory programs have stored."""
