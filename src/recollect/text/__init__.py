"""What text is: words, values, times, tokens. Pure."""
