"""The front ends: what draws from bit generators, on one device, several, or the host."""
