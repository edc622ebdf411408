"""What people read: errors, and the sentences that they are made of."""
