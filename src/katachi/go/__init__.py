"""The game: points and coordinates, the board, ladders, scoring, uniform playouts."""
