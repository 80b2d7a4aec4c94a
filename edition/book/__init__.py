"""The edition as a book: one tree of nodes, which a typesetter sets on pages and a packer puts into an EPUB."""
