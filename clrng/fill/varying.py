"""What makes values whose parameters differ from element to element, of the raw values of a stream or of many."""

from collections.abc import Mapping
from typing import Any

import pyopencl as cl

from clrng.distributions import Transform
from clrng.distributions.on_host import OnHost
from clrng.distributions.transforms.beta_near import BetaByElement
from clrng.distributions.transforms.binomial_near import BinomialByElement
from clrng.distributions.transforms.by_element import ByElement, InParts
from clrng.distributions.transforms.geometric_near import GeometricByElement
from clrng.distributions.transforms.hypergeometric import HypergeometricByElement
from clrng.distributions.transforms.in_ranges import InRanges
from clrng.distributions.transforms.negative_binomial_near import NegativeBinomialByElement
from clrng.distributions.transforms.noncentral import NoncentralByElement
from clrng.distributions.transforms.poisson_near import PoissonByElement
from clrng.distributions.transforms.surface import BySurface
from clrng.distributions.transforms.triangular import TriangularByElement
from clrng.distributions.vectors import OfCategories
from clrng.fill.beta import BetaFiller
from clrng.fill.by_element import ByElementFiller, PartsFiller
from clrng.fill.categories import CategoriesFiller
from clrng.fill.convert import Converter
from clrng.fill.hypergeometric import HypergeometricFiller
from clrng.fill.near import NearFiller
from clrng.fill.noncentral import NoncentralFiller
from clrng.fill.on_host import HostFiller
from clrng.fill.ranges import RangeFiller
from clrng.fill.surface import SurfaceFiller
from clrng.fill.triangular import TriangularFiller
from clrng.generators.generator_code import GeneratorCode
from clrng.opencl.devices import DeviceInfo

NEAR = (PoissonByElement, BinomialByElement, GeometricByElement, NegativeBinomialByElement)


def fillers(
    queue: cl.CommandQueue, device: DeviceInfo, code: GeneratorCode, converter: Converter
) -> Mapping[type[Transform], Any]:
    """Return what fills arrays on `queue` with values of raw values of `code`, by the class of their transform."""
    by_element = ByElementFiller(queue, code, converter)
    near, host = NearFiller(queue, device, code, converter), HostFiller(queue, code, converter)
    surfaces = SurfaceFiller(queue, device, code, converter)
    return {
        ByElement: by_element,
        InParts: PartsFiller(queue, by_element),
        **dict.fromkeys(NEAR, near),
        BetaByElement: BetaFiller(queue, device, code, converter),
        BySurface: surfaces,
        NoncentralByElement: NoncentralFiller(queue, device, code, converter, near, surfaces),
        InRanges: RangeFiller(queue, code, converter),
        HypergeometricByElement: HypergeometricFiller(queue, device, code, converter, host),
        TriangularByElement: TriangularFiller(queue, device, code, converter, host),
        OnHost: host,
        OfCategories: CategoriesFiller(queue, device, code, converter, near, host),
    }
