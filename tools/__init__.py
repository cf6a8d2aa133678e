"""Scripts that made or chose something that is in the package; each says how it is called."""
