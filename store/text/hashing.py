"""BLAKE2 as `hashlib` has it, without OpenSSL, which `hashlib` loads: agents wait for what hashes."""

try:
    from _blake2 import blake2b, blake2s
except ImportError:
    from hashlib import blake2b, blake2s

__all__ = ["blake2b", "blake2s"]
