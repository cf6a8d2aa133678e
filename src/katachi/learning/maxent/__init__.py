"""Maximum entropy with inequality constraints (Araki 2007; Kazama and Tsujii 2003)."""
