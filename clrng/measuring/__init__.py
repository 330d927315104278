"""How fast is it? Rates beside the fastest stores of a device, and the experiments."""
