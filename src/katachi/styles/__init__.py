"""What sets the moves of a group apart: ratings beside those of a base model, with error bars."""
