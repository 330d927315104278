"""clrng beside what one would use instead."""
