"""The papers' experiments: their numbers, our runs, side by side."""
