"""What raw values are turned into before they are stored."""

from clrng.distributions.transforms.transform import RAW, Table, Transform
from clrng.distributions.transforms.uniform import UNIFORM, Uniform

__all__ = ["RAW", "UNIFORM", "Table", "Transform", "Uniform"]
