<%include file="rank_in_group.cl.mako"/>
// Sorts n keys in one work-group by the `bits` bits from `shift` on, and moves the values with them. All keys are read before
// one is written, as they may be in the same memory.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void sort_in_group(__global const ${word} *keys, const ulong offset, const uint n, const uint shift, const uint bits,
                            const uint descending<%include file="moved.cl.mako" args="restrict=''"/>)
{
    __local ulong exchange[EXCHANGE];
    __local uint sums[${group_size + min(16, group_size)}];
    __local uint *const counters = (__local uint *)exchange;
    __local ${word} *const tile_keys = (__local ${word} *)exchange;
% if values:
    __local ${value} *const tile_values = (__local ${value} *)exchange;
% endif
    const uint item = get_local_id(0), first = 0, valid = n;
<%include file="offsets.cl.mako"/>\
<%include file="sort_tile.cl.mako"/>
% if keys_out:
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint i = j * ${group_size} + item;
        if (i < valid) new_keys[i] = tile_keys[PLACE(i)];
    }
% endif
% if values:
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) tile_values[PLACE(rank[j])] = content[j];
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (uint j = 0; j < ${keys_each}; j++) {
        const uint i = j * ${group_size} + item;
        if (i < valid) new_values[i] = tile_values[PLACE(i)];
    }
% endif
}
