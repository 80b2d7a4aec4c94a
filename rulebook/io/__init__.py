"""Files read strictly and written safely: YAML, JSON, locks, whole-folder transactions."""
