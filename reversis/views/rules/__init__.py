"""Pages that tell how a source plays."""
