"""NumPy's own numbers on a device: the streams of its generators, drawn on exactly as NumPy would draw on."""
