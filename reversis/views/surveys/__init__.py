"""Pages of surveys: what disagreements cost."""
