"""Play: a deal gone through trick by trick, with what was done against the rules.

`trick` holds for any trick-taking game; `table`, `irregularities` and `replay` know Reversis.
"""
