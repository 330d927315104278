<%include file="place_of.cl.mako"/>
<%include file="hypergeometric_settle.cl.mako"/>
<%namespace name="several" file="several.cl.mako"/>
// Makes the values of all elements of raw values. Those that are not sure are put in a list, behind their number: the index and X, the
// lower words first.
__kernel void hypergeometric_by_element(__global const ${value} *restrict raw, __global ${out} *restrict out, const ulong offset,
                                        const ulong first, const uint n, const ulong inner, const uint out_axes, ${several.arguments(types)}, __global uint *restrict unsure, const uint capacity)
{
<%include file="numbers.cl.mako"/>
${several.elements(types)}\
    long k;
    if (!${q}settle(good, bad, sample, (double)number * ${1.0 / numbers}, &k)) {
        const uint found = atomic_inc(unsure);
        if (found < capacity) {
            unsure += 1 + 3 * found;
            unsure[0] = begin;
            unsure[1] = (uint)number;
            unsure[2] = (uint)(number >> 32);
        }
    }
<%include file="placed.cl.mako" args="name='k', axis='good'"/>}

// Puts the values of a list in their places.
__kernel void put_listed(__global ${out} *restrict out, const ulong offset, __global const uint *restrict unsure,
                         __global const ${out} *restrict values, const uint n)
{
    const uint i = get_global_id(0);
    if (i < n) out[offset + unsure[1 + 3 * i]] = values[i];
}
