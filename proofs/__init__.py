"""Programs that prove something about the engine, and store what they found as receipts in `sources/receipts/`."""
