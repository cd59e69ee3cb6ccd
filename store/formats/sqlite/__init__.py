"""Reading another program's SQLite file without changing a byte of it, damaged ones included."""
