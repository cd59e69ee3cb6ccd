"""The tables that `redaction` judges by: what a secret looks like, where it comes from, what hides it."""
