"""How fast is it? Rates beside the most that a device can write, and the experiments."""
