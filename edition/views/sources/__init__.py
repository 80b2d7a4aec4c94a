"""Pages of sources, their texts and indexes."""
