"""Pattern playouts, the tree, widening, the clock, and the players that use them (Coulom 2007, 4)."""
