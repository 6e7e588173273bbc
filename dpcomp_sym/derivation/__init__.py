"""From a problem to its bounds: which theorem gives the best one, proved, step by step."""
