"""Interrupts from a timer of the system, which come anywhere, as Ctrl-C does."""

import gc
import signal
from collections.abc import Callable
from types import FrameType
from typing import Any

from typing_extensions import Self


class Timer:
    """Raises KeyboardInterrupt in a call after some seconds, and again after some more if that is still in the call."""

    def __init__(self) -> None:
        self._delays: list[float] = []
        self._code: Any = None
        self._handler: Any = None
        self.raised = 0

    def __enter__(self) -> Self:
        self._handler = signal.signal(signal.SIGALRM, self._ring)
        gc.disable()  # what libraries have called then could not raise
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, self._handler)
        gc.enable()

    def _ring(self, _: int, frame: FrameType | None) -> None:
        if self._delays:
            signal.setitimer(signal.ITIMER_REAL, self._delays.pop())
        while frame is not None and frame.f_code is not self._code:
            frame = frame.f_back
        if frame is not None:
            self.raised += 1
            raise KeyboardInterrupt

    def interrupt(self, call: Callable[[], object], *delays: float) -> int:
        """Make calls until one is interrupted; return how many came to their end before."""
        self._code, self._delays, calls = call.__code__, list(delays[:0:-1]), 0  # type: ignore[attr-defined]
        before, delay = self.raised, delays[0]
        signal.setitimer(signal.ITIMER_REAL, delay)
        while self.raised == before:
            if not any(signal.getitimer(signal.ITIMER_REAL)):
                delay *= 1.1  # the last one came between two calls, or Python has overlooked it
                signal.setitimer(signal.ITIMER_REAL, delay)
            try:
                call()
            except KeyboardInterrupt:
                break
            calls += 1
        self._delays.clear()
        signal.setitimer(signal.ITIMER_REAL, 0)
        return calls
