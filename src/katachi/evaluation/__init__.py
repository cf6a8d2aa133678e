"""How well a model predicts games that it has not seen: numbers, tables and plots."""
