"""Arrays of dask whose values are one exact stream, whatever their chunks and whichever workers compute them.

This needs dask, which the extra ``dask`` brings: from a copy of the repository ``pip install '.[dask]'``.
"""

try:
    import dask.array  # noqa: F401  # what follows needs it
except ImportError as error:
    raise ImportError(f"clrng.dask needs dask.array: pip install 'dask[array]' ({error})", name="dask") from error

from clrng.dask.generator import Generator, default_rng

__all__ = ["Generator", "default_rng"]
