"""Raw values as they are."""

from clrng.distributions.distribution import Distribution

RAW = Distribution("raw", None)
