"""Raw values as they are."""

from clrng.distributions.transform import Transform

RAW = Transform("raw", None)
