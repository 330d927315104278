"""Number theory for the jumps and the periods of bit generators."""
