"""Speed, measured: each figure as a ratio to something bare in the same run. `make bench` runs all."""
