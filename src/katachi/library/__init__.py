"""Libraries: which shapes and positions occurred in many games, and what was played next there."""
