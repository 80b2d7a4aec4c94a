"""Files of the library that only this game has: deals, results, surveys, advice."""
