"""Play: a deal gone through trick by trick, with what was done against the rules."""
