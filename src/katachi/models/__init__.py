"""The model: one file, and what it predicts."""
