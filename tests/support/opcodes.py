"""Interrupts before every bytecode."""

from collections.abc import Callable
from types import FrameType
from typing import Any


def opcodes(files: set[str], number: int, reached: list[int]) -> Callable[..., Any]:
    """Return a trace function that interrupts before the `number`-th bytecode in `files`."""

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in files:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            reached[0] += 1
            if reached[0] == number:
                raise KeyboardInterrupt
        return trace

    return trace
