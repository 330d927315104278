"""The tests of clrng."""
