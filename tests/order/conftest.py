"""Launches that are refused, for the tests of what is refused before anything is begun."""

import pytest

from clrng.opencl.kernel import Kernel


@pytest.fixture
def no_launches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be launched."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a kernel was launched")

    monkeypatch.setattr(Kernel, "__call__", refuse)
