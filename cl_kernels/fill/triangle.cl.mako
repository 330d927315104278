<%! from clrng.distributions.quantiles.closed_forms import SMALL as small, SCALE as up %>\
// The triangular number of the number x below N, by the operations of `clrng.distributions.quantiles.closed_forms.triangular`, each
// rounded: from the nearer end, whose tail is p. Small distances are scaled up, so that no product is too small.
CLRNG_INLINE double ${q}triangle(const double left, const double mode, const double right, const ulong x)
{
#pragma OPENCL FP_CONTRACT OFF
    const double lower = (2.0 * (double)x + 1.0) * ${repr(0.5 / numbers)};
    const double upper = (2.0 * (double)(${numbers - 1}UL - x) + 1.0) * ${repr(0.5 / numbers)};
    const bool is_lower = lower <= upper;
    const double p = is_lower ? lower : upper, whole = right - left, below = mode - left, above = right - mode;
    const double own = is_lower ? below : above, other = is_lower ? above : below;
    const double scale = whole < ${repr(small)} ? ${repr(up)} : 1.0, width = p * (whole * scale), first = own * scale;
    const double near = sqrt(width * first) / scale;
    const double distance = width <= first ? near : (own + p * other) / (1.0 + sqrt((1.0 - p) * (other / whole)));
    const double largest = ${"FLT_MAX" if out == "float" else "DBL_MAX"};
    return fmin(fmax(is_lower ? left + distance : right - distance, fmax(left, -largest)), fmin(right, largest));
}
