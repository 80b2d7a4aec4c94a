"""One module for each kind of page: its record, and its layout."""
