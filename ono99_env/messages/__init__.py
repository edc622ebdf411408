"""What people read: errors, and texts of others shown as the text that they are."""
