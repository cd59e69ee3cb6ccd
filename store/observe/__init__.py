"""Observers turn what agents did into observations, summaries and facts: by rules, and by a model
where one is configured."""
