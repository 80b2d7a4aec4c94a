"""What playing the library shows: costs, causes, effects, separations."""
