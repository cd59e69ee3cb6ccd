"""What a text is made of, as everything here that reads one takes it: the only home of scripts, words, stop
words, stems, sentences, Markdown's blocks, and of what says the same.

- `scripts`: which characters are of a script that writes no spaces between its words.
- `folding`: the forms of a text that search compares and indexes, and its words in their order.
- `words`: those that tell nothing, and what the forms of an English word have in common.
- `phrases`: by which words a sentence asks, offers, decides, gives up or points elsewhere.
- `sentences`: where sentences end; `blocks`: Markdown's blocks, and the sentences in them.
- `same`: whether two sentences say the same; `sketches`: which of many texts may; `names`: what they name.

A hook's process asks `scripts`, `folding`, `words`, `phrases`, `sentences` and `same`: these import
next to nothing but each other.
"""
