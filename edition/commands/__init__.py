"""What the commands do; `edition.cli` names them. Each imports only what it needs, so that all start fast."""
