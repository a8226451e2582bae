"""What comes back: a question understood, records found, ranked and packed."""
