"""What a raw value is turned into before it is stored."""

from clrng.distributions.distribution import RAW, UNIFORM, Distribution

__all__ = ["RAW", "UNIFORM", "Distribution"]
