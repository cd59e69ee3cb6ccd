"""Chinese in queries: the names of filters and of their values, and readings in pinyin."""
