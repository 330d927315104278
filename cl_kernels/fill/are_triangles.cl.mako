<%include file="place_of.cl.mako"/>
<%namespace name="several" file="several.cl.mako"/>
// Sets *out where one of n elements has a left end, a mode and a right end that are not legal.
__kernel void find_no_triangles(__global uint *restrict out, const ulong offset, const ulong first, const ulong n, const uint out_axes,
                                ${several.arguments(types)})
{
<%include file="turns.cl.mako" args="kind='ulong', wide=width"/>\
% if width > 1:
    const bool is_whole = begin + ${width} <= n;
% endif
${several.elements(types)}\
    const long${w} is_one = (left >= -${most.hex()}) & (left <= mode) & (mode <= right) & (left < right) & (right <= ${most.hex()});
    if (!${"all(is_one)" if width > 1 else "is_one"}) atomic_or(out, 1u);
    }
}
