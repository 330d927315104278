#pragma OPENCL FP_CONTRACT OFF
<%include file="place_of.cl.mako"/>
<%namespace name="several" file="several.cl.mako"/>
// Makes triangular numbers of raw values by the operations of `clrng.distributions.quantiles.closed_forms.triangular`, each rounded: from
// the nearer end, whose tail is p.
__kernel void triangular_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                    const ulong first, const uint n, const ulong inner, const uint out_axes, ${several.arguments(types)})
{
<%include file="numbers.cl.mako"/>
${several.elements(types)}\
    const double lower = (2.0 * (double)number + 1.0) * ${repr(0.5 / numbers)};
    const double upper = (2.0 * (double)(${numbers - 1}UL - number) + 1.0) * ${repr(0.5 / numbers)};
    const bool is_lower = lower <= upper;
    const double p = is_lower ? lower : upper, whole = right - left, below = mode - left, above = right - mode;
    const double own = is_lower ? below : above, other = is_lower ? above : below, width = p * whole;
    const double distance = width <= own ? sqrt(width * own) : (own + p * other) / (1.0 + sqrt((1.0 - p) * (other / whole)));
    const double largest = ${"FLT_MAX" if out == "float" else "DBL_MAX"};
    const double found = is_lower ? left + distance : right - distance, y = fmin(fmax(found, fmax(left, -largest)), fmin(right, largest));
<%include file="placed.cl.mako" args="name='y', axis='left'"/>
}
