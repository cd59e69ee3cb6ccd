"""Finding on a screen: narrowing its list by words, finding words in its texts, going to a date."""
