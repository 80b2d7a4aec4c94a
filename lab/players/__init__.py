"""Players who look ahead, and nets: trained, measured and compared."""
