"""The dtypes that float32 numbers are rounded to, for tests; bfloat16 only where ml_dtypes is installed."""

from importlib.util import find_spec

import pytest

from clrng.distributions.transforms.rounded import ROUNDED

NEEDS = pytest.mark.skipif(find_spec("ml_dtypes") is None, reason="ml_dtypes is not installed")
DTYPES = [pytest.param(name, marks=NEEDS if name == "bfloat16" else ()) for name in ROUNDED]
