"""What a text is made of, as everything here that reads one takes it: the only home of scripts, words, stop
words, stems, sentences, Markdown's blocks, and of what says the same.

- `scripts`: which characters are of a script that writes no spaces between its words.
- `folding`: the forms of a text that search compares and indexes; `index_words`: the same words, quickly.
- `words`: the words of a text in their order; `stop_words`, `function_words`: those that tell nothing.
- `stems`: what the forms of an English word have in common (not what the index stems by: that is SQLite's).
- `sentences`: where sentences end; `blocks`: Markdown's blocks, and the sentences in them.
- `same`: whether two sentences say the same.

A hook's process asks `scripts`, `index_words`, `stop_words`, `stems`, `sentences` and `same`: these import
nothing but each other.
"""
