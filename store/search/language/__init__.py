"""Words and letters, as search compares them: folding, scripts, words that tell little."""
