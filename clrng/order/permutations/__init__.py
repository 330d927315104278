"""Random orders: keys drawn from a stream, and their sorting on a device."""
