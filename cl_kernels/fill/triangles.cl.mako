<%! from clrng.distributions.quantiles.closed_forms import SMALL as small, SCALE as up %>\
<%
    d = f"double{w}"
%>\
// Triangular numbers by the operations of triangle.cl.mako, but those whose results are exact. Functions of vectors but the root are slow.
CLRNG_INLINE ${d} ${q}triangle(const ${d} left, const ${d} mode, const ${d} right, const ulong${w} x)
{
#pragma OPENCL FP_CONTRACT OFF
    const ${d} lower = (2.0 * convert_${d}(x) + 1.0) * ${repr(0.5 / numbers)};
    const ${d} upper = (2.0 * convert_${d}(${numbers - 1}UL - x) + 1.0) * ${repr(0.5 / numbers)};
    const long${w} is_lower = lower <= upper;
    const ${d} p = is_lower ? lower : upper, whole = right - left, below = mode - left, above = right - mode;
    const ${d} own = is_lower ? below : above, other = is_lower ? above : below;
    const long${w} is_small = whole < ${repr(small)};
    const ${d} scale = is_small ? ${repr(up)} : 1.0, width = p * (whole * scale), first = own * scale;
    const long${w} is_near = width <= first;
    const ${d} root = sqrt(is_near ? width * first : (1.0 - p) * (other / whole));
    const ${d} distance = is_near ? root * (is_small ? ${repr(1 / up)} : 1.0) : (own + p * other) / (1.0 + root);
    const ${d} y = is_lower ? left + distance : right - distance;
    const double largest = ${"FLT_MAX" if out == "float" else "DBL_MAX"};
    const ${d} least = left < -largest ? -largest : left, most = right > largest ? largest : right, clipped = y < least ? least : y;
    return clipped > most ? most : clipped;
}
