"""The rules: from one tool use, session or text to the fields of an observation, a summary or a
fact. Pure functions."""
