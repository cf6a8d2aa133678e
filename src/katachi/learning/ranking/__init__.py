"""Bayesian ranking (Stern, Herbrich, Graepel 2005): Gaussian beliefs, learnt move by move."""
