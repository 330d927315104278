<%include file="wide_product.cl.mako"/>
// Makes state i as start * coarse[i / fine_count] * fine[i % fine_count] mod m, for i from 0 to count - 1. Limb k of number
// i of an array of some numbers is at k * some + i, so that neighbouring work-items read and write neighbouring limbs.
__kernel void wide_states(__global const uint *restrict start, __global const uint *restrict coarse, const uint coarse_count,
                          __global const uint *restrict fine, const uint fine_count,
                          __global uint *restrict states, const uint count)
{
    const uint i = get_global_id(0);
    if (i >= count) return;
    uint x[${limbs}], a[${limbs}];
    for (uint k = 0; k < ${limbs}u; k++) x[k] = start[k];
    for (uint factor = 0; factor < 2; factor++) {
        __global const uint *powers = factor ? fine + i % fine_count : coarse + i / fine_count;
        const uint some = factor ? fine_count : coarse_count;
        for (uint k = 0; k < ${limbs}u; k++) a[k] = powers[k * some];
        ${p}multiply(x, a);
    }
    for (uint k = 0; k < ${limbs}u; k++) states[k * (size_t)count + i] = x[k];
}
