// Each work-group goes `rows` times ${turn} words forward in one of `streams` streams of MTGP32. Row r of all streams, ${turn} words
// of each, becomes row first + r of what begins at words[offset], unless that is below 0. The state behind kept[stream] of the
// rows goes to `after`.
__kernel void mtgp32(__global uint *restrict words, const ulong offset, const long first, __global uint *restrict after,
                     __global const uint *restrict before, __global const uint *restrict sets, const uint streams,
                     const uint rows, __global const uint *restrict kept)
{
    // A ring: ${turn} new words replace older ones than the ${order} from which they are made.
    __local uint x[1024];
    const uint stream = get_group_id(0), lane = get_local_id(0), lanes = get_local_size(0);
    __global const uint *restrict set = sets + stream * ${numbers};
    const uint pick = set[0], left = set[1], right = set[2], way = kept[stream];
    for (uint i = lane; i < ${order}; i += lanes) x[i] = before[stream * ${order} + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint row = 0;; row++) {
        const uint oldest = row * ${turn};
        if (row == way)
            for (uint i = lane; i < ${order}; i += lanes) after[stream * ${order} + i] = x[(oldest + i) & 1023u];
        if (row == rows) break;
        for (uint i = lane; i < ${turn}; i += lanes) {
            const uint at = oldest + i;
            uint y = (x[at & 1023u] & ${mask}u) ^ x[(at + 1) & 1023u];
            y = y ^ y << left ^ x[(at + pick) & 1023u] >> right;
            uint z = x[(at + pick - 1) & 1023u];
            z ^= z >> 16;
            z ^= z >> 8;
            uint made = y, shown = 0;
% for bit in range(4):
            made ^= set[${3 + bit}] & (0u - (y >> ${bit} & 1u));
            shown ^= set[${7 + bit}] & (0u - (z >> ${bit} & 1u));
% endfor
            x[(at + ${order}) & 1023u] = made;
            if (first + row >= 0) words[offset + ((first + row) * streams + stream) * ${turn} + i] = made ^ shown;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
