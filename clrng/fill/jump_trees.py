"""Which tree makes the states of a recurrence."""

import pyopencl as cl

from clrng.fill.binary_jump_tree import BinaryJumpTree
from clrng.fill.jump_tree import JumpTree
from clrng.generators.lagged import LaggedCode
from clrng.generators.mersenne_twister import MersenneTwisterCode
from clrng.opencl.devices import DeviceInfo


def jump_tree_for(queue: cl.CommandQueue, device: DeviceInfo, code: LaggedCode) -> JumpTree:
    """Return what makes states of the recurrence of `code` on a queue."""
    if isinstance(code, MersenneTwisterCode):
        return BinaryJumpTree(queue, device, code)
    return JumpTree(queue, device, code)
