"""The tools whose outcome their own output tells: a table as data, and what reads it."""
