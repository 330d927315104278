"""The exceptions of clrng, beside ``ValueError`` and ``TypeError`` for bad arguments."""

from typing import Any


class ClrngError(Exception):
    """Base of clrng's own exceptions."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self.args), vars(self)


def _unpickled(kind: type[ClrngError], arguments: tuple[Any, ...]) -> ClrngError:
    """Return an error as it is made without `__init__`, which may take other arguments."""
    return kind.__new__(kind, *arguments)


class NoDeviceError(ClrngError):
    """No OpenCL device, or none that matches what was asked for."""


class UnsupportedError(ClrngError, ValueError):
    """The device cannot do exactly what was asked for; the message says why and what can be done instead."""


class BuildError(ClrngError):
    """The device's compiler refused a program.

    Attributes
    ----------
    source : str
        The rendered OpenCL C, as given to the compiler.
    log : str
        What the compiler printed.
    """

    def __init__(self, message: str, source: str, log: str) -> None:
        super().__init__(message)
        self.source, self.log = source, log


class ForkError(ClrngError, RuntimeError):
    """OpenCL is used in a process that was forked from one that used it before; the message says what to do instead."""


class WrongNumbersError(ClrngError):
    """A kernel does not make the numbers on its device that it should; the stream has not moved.

    The message names the device, its driver, the kernel, the place and both numbers, and says what to do.

    Attributes
    ----------
    device : str
        The name of the device.
    kernel : str
        What was being proved.
    """

    def __init__(self, message: str, device: str, kernel: str) -> None:
        super().__init__(message)
        self.device, self.kernel = device, kernel
