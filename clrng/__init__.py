"""Exact streams of well-known random number generators, on any OpenCL device.

`Generator` draws one exact stream of a bit generator: a `ParkMiller`, an `LCG` of any modulus, one of the `NAMED` of
libraries and books, a `LaggedFibonacci`, a `LinearRecurrence` or `MRG32k3a`. `MultiDeviceGenerator` draws it
on several devices at once. `Streams` keeps many on the device; `order` sorts, selects and counts there; `device_code`
gives OpenCL C for a kernel of one's own; `list_devices` lists what there is and `ARITHMETICS` the ways to compute. The
command line is ``clrng``.

The names are those of `clrng.frontends.public`, which is imported when one of them is first used: that takes long, and
before it the command line has to see to Ctrl-C.
"""

TYPE_CHECKING = False  # that of typing, whose import takes longer than all else here

if TYPE_CHECKING:
    from clrng.frontends.public import *  # noqa: F403  # its __all__ says which
    from clrng.frontends.public import __all__ as __all__
    from clrng.generators import *  # noqa: F403  # every class
else:

    def __getattr__(name):  # noqa: ANN001, ANN202  # type checkers see the imports above
        """Return a public name; modules are left to the import system, which asks here first."""
        from importlib import import_module  # noqa: PLC0415  # not before it is needed
        from importlib.util import find_spec  # noqa: PLC0415  # likewise

        if name == "order" or find_spec(f"clrng.{name}") is None:
            _import_names()
        elif name == "dask":  # which takes long to import, and is an extra
            return import_module("clrng.dask")
        if name not in globals():
            raise AttributeError(f"module 'clrng' has no attribute {name!r}")
        return globals()[name]

    def __dir__():  # noqa: ANN202
        _import_names()
        return sorted(globals())

    def _import_names():  # noqa: ANN202
        """Take over all public names at once."""
        from clrng.frontends import public  # noqa: PLC0415

        globals().update({name: getattr(public, name) for name in ["__all__", *public.__all__]})
