"""The commands that correct what is remembered, take it back, and look back."""
