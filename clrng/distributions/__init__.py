"""What raw values are turned into before they are stored."""

from clrng.distributions.transforms.floats import UNIFORM, Uniform
from clrng.distributions.transforms.transform import RAW, Table, Transform

__all__ = ["RAW", "UNIFORM", "Table", "Transform", "Uniform"]
