"""What readings mean to the engine: one function or table for each answer that a clause may give."""
