"""Lets tests import the scripts as they import one another: from the folder of the benchmarks."""

import sys

from clrng.measuring.experiments import directory

sys.path.insert(0, str(directory()))
