"""Programs that prove things about the edition, and the receipts they leave."""
