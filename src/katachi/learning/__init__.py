"""The learners, and the one type of model that they all make."""
