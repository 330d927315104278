"""Arrays of dask whose values are one exact stream, whatever their chunks and whichever workers compute them.

This needs dask: ``pip install 'clrng[dask]'``.
"""

try:
    import dask.array  # noqa: F401  # what follows needs it
except ImportError as error:
    raise ImportError(f"clrng.dask needs dask.array: pip install 'clrng[dask]' ({error})", name="dask") from error

from clrng.dask.generator import Generator, default_rng

__all__ = ["Generator", "default_rng"]
