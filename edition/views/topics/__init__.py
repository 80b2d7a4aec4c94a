"""Topic pages: what the books agree on, who pays whom in each of them, and the questions of one group."""
