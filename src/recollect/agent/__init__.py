"""A model with memory and tools in one conversation."""
