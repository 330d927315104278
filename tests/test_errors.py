"""clrng's exceptions travel between processes, as a worker of dask sends them."""

import pickle

import pytest

import clrng


@pytest.mark.parametrize("kind", [clrng.ClrngError, clrng.NoDeviceError, clrng.UnsupportedError, clrng.ForkError])
def test_errors_can_be_pickled(kind: type[clrng.ClrngError]) -> None:
    again = pickle.loads(pickle.dumps(kind("what happened")))
    assert (type(again), str(again)) == (kind, "what happened")


def test_an_error_keeps_all_that_it_has_when_pickled() -> None:
    error = clrng.BuildError("what happened", "the source", "the log")
    error.__notes__ = ["what was being done"]
    again = pickle.loads(pickle.dumps(error))
    assert (again.args, vars(again)) == (error.args, vars(error))


def test_a_build_error_keeps_its_source_and_log_when_pickled() -> None:
    again = pickle.loads(pickle.dumps(clrng.BuildError("what happened", "the source", "the log")))
    assert (type(again), str(again)) == (clrng.BuildError, "what happened")
    assert (again.source, again.log) == ("the source", "the log")
