"""How each family of recurrences is written for a device."""

from clrng.generators.code.base import GeneratorCode

__all__ = ["GeneratorCode"]
