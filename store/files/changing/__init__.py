"""Change agents' files: each kind of change is written by one module, and can be taken back."""
