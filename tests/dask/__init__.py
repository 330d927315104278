"""Tests of `clrng.dask`, which are skipped without dask."""

import pytest

pytest.importorskip("dask.array", reason="dask is not installed")
