"""What is true: attributes, trust, and drafts against known facts. Pure."""
