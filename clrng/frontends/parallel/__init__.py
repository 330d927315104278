"""One stream on several devices at once."""
