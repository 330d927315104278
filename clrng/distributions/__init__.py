"""What raw values are turned into before they are stored."""

from clrng.distributions.raw import RAW
from clrng.distributions.transform import Table, Transform
from clrng.distributions.uniform import UNIFORM, Uniform

__all__ = ["RAW", "UNIFORM", "Table", "Transform", "Uniform"]
