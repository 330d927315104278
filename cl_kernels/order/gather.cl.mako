// Puts the values of the given places one after the other: result i is values[places[i]].
__kernel void gather(__global const ${value} *restrict values, const ulong values_offset,
                     __global const uint *restrict places, const ulong places_offset, __global ${value} *restrict found,
                     const uint n)
{
    const size_t i = get_global_id(0);
    if (i < n) found[i] = values[values_offset + places[places_offset + i]];
}
