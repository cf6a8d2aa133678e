"""Pattern playouts, the tree, widening, the clock, and the players (Coulom 2007, section 4)."""
