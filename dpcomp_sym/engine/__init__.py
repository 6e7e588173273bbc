"""Questions and verdicts: conditions, distances, profiles."""
