"""Counts of the secrets that gitleaks knows and the redaction takes out."""
