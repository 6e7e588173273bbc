"""What people read: results as text."""
