## Takes the values of `bounded_value`. Work-groups have `group_size` work-items, each of which has `each` neighbouring parts of a tile; one alone goes through a block.
<%
    index = "get_global_id(0)" if group_size == 1 else "get_group_id(0)"
%>
% if group_size > 1:
<%include file="/order/scan_in_group.cl.mako" args="sum_type='uint'"/>
% endif
<%include file="bounded_value.cl.mako"/>
// out[offset + i] becomes the value of part i, for all i < n: where none is refused.
__kernel void place_all(__global const ${part} *restrict parts, const ulong n, const ulong block, const ulong range,
                        const ulong low, __global ${integer} *restrict out, const ulong offset)
{
    const ulong begin = ${index} * block, end = CLRNG_MIN(begin + block, n);
    out += offset;
    for (ulong i = begin${" + get_local_id(0)" if group_size > 1 else ""}; i < end; i += ${group_size}) out[i] = VALUE(parts[i]);
}

// Of n parts, cut into blocks, the first `wanted` that are not refused become values. count_taken counts those of each
// block; scan_taken, in one work-group, replaces the counts by those of all blocks before, and counts[blocks] becomes
// that of all. place_taken stores values, and counts[blocks + 1] becomes the number of parts up to the last one wanted.
__kernel void count_taken(__global const ${part} *restrict parts, const ulong n, const ulong block, const ulong range,
                          const ulong limit, __global uint *restrict counts)
{
    const ulong begin = ${index} * block, end = CLRNG_MIN(begin + block, n);
    uint taken = 0;
    for (ulong i = begin${" + get_local_id(0)" if group_size > 1 else ""}; i < end; i += ${group_size}) taken += TAKEN(parts[i]);
% if group_size == 1:
    counts[${index}] = taken;
% else:
    __local uint of_items[${group_size + min(group_size, 16)}];
    uint all;
    sum_before(taken, of_items, &all);
    if (get_local_id(0) == 0) counts[${index}] = all;
% endif
}

__kernel void scan_taken(__global uint *restrict counts, const uint blocks)
{
    uint before = 0;
% if group_size == 1:
    for (uint k = 0; k < blocks; k++) {
        const uint count = counts[k];
        counts[k] = before;
        before += count;
    }
    counts[blocks] = before;
% else:
    __local uint of_items[${group_size + min(group_size, 16)}];
    for (uint first = 0; first < blocks; first += ${group_size}) {
        const uint k = first + get_local_id(0);
        uint all;
        const uint place = before + sum_before(k < blocks ? counts[k] : 0, of_items, &all);
        if (k < blocks) counts[k] = place;
        before += all;
    }
    if (get_local_id(0) == 0) counts[blocks] = before;
% endif
}

__kernel void place_taken(__global const ${part} *restrict parts, const ulong n, const ulong block, const ulong range,
                          const ulong limit, const ulong low, __global uint *restrict counts, const uint blocks,
                          const uint wanted, __global ${integer} *restrict out, const ulong offset)
{
    const ulong begin = ${index} * block, end = CLRNG_MIN(begin + block, n);
    const uint first = counts[${index}], behind = counts[${index} + 1], stop = CLRNG_MIN(behind, wanted);
    if (first >= stop) return;
    out += offset;
    if (behind - first == end - begin) {    // none is refused
        for (ulong i = ${"0" if group_size == 1 else "get_local_id(0)"}; i < stop - first; i += ${group_size})
            out[first + i] = VALUE(parts[begin + i]);
        if (wanted <= behind${" && get_local_id(0) == 0" if group_size > 1 else ""}) counts[blocks + 1] = begin + wanted - first;
        return;
    }
% if group_size == 1:
    ulong i = begin;
    for (uint at = first; at < stop; i++) {    // a refused value is overwritten by the next one
        const ${part} x = parts[i];
        out[at] = VALUE(x);
        at += TAKEN(x);
    }
    if (wanted <= behind) counts[blocks + 1] = i;
% else:
    __local ${integer} kept[${group_size * each}];
    __local uint of_items[${group_size + min(group_size, 16)}];
    uint before_tile = first;
    for (ulong tile = begin; tile < end && before_tile < stop; tile += ${group_size * each}) {
        const ulong mine = tile + ${each} * get_local_id(0);
        ${part} ${", ".join(f"x{j} = 0" for j in range(each))};
        uint taken = 0;
    % for j in range(each):
        if (mine + ${j} < end) { x${j} = parts[mine + ${j}]; taken |= (uint)TAKEN(x${j}) << ${j}; }
    % endfor
        uint all, at = sum_before(popcount(taken), of_items, &all);
    % for j in range(each):
        if (taken >> ${j} & 1) {
            kept[at++] = VALUE(x${j});
            if (before_tile + at == wanted) counts[blocks + 1] = mine + ${j + 1};
        }
    % endfor
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = get_local_id(0); i < all && before_tile + i < stop; i += ${group_size}) out[before_tile + i] = kept[i];
        before_tile += all;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
% endif
}
