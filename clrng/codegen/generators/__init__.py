"""How each family of recurrences is written for a device."""

from clrng.codegen.generators.base import GeneratorCode

__all__ = ["GeneratorCode"]
