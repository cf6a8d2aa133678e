"""Plain frequency: how often each pattern is played where it can be (Stern 2006)."""
