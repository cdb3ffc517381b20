"""The model: the port that the turn asks through, and what stands behind it."""
