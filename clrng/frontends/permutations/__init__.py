"""Random orders: keys drawn from a stream and sorted on the device, mappings with random keys, and samples."""
