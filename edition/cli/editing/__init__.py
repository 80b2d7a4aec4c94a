"""Commands for editors of the sources: new folders, transcriptions, citations."""
