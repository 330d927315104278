## Takes the values of `bounded_value` too, for parts of 32 or 64 bits. A tile has `group_size` steps. `refuses` is whether
## parts may be refused.
<%
    per_step = {"uint": 2, "ulong": 1}[part]
    parts = group_size * per_step
    names = [f"start_{i}" for i in range(order)]
    strides = [f"stride_{i}" for i in range(stride_words)]
    given = ", ".join(f"const ulong {name}" for name in names + strides)
    of_step = [f"({part})(u >> {32 * k})" for k in range(per_step)]
    opening = f"""
    const uint lane = get_local_id(0), groups = get_num_groups(0);
    const {s}state first = {s}jump({s}load({", ".join(names)}), get_global_id(0) + 1);
    {s}moving x = {s}moving_by(first, {s}fixed({s}stride_of({", ".join(strides)}), first));"""
%>
<%include file="bounded_value.cl.mako"/>
// The steps that follow a state are cut into tiles of ${parts} parts, the low half of a step first. A work-group makes one
// tile of each of its turns, a work-item one step of it, which the given stride takes to its place in the next turn.
% if refuses:
<%include file="/order/scan_in_group.cl.mako" args="sum_type='uint'"/>
// counts[tile], 0 before, becomes the number of the tile's parts that are refused, and counts[tiles + 2 + turn] that of a
// turn.
__kernel void count_refused(${given}, const uint tiles, const ulong range, const ulong limit,
                            __global uint *restrict counts)
{${opening}
    for (uint tile = get_group_id(0), turn = 0; tile < tiles; tile += groups, turn++, x = ${s}moved_on(x)) {
        const ulong u = ${s}value(x.s);
        const uint refused = ${per_step} - (${" + ".join(f"TAKEN({x})" for x in of_step)});
        if (refused != 0) {
            atomic_add(counts + tile, refused);
            atomic_add(counts + tiles + 2 + turn, refused);
        }
    }
}

// Replaces counts by those of all tiles before; counts[tiles] becomes that of all. Work-group k has turn k, of so many tiles.
__kernel void count_before(const uint tiles, const uint tiles_each, __global uint *restrict counts)
{
    __local uint of_items[${group_size + min(group_size, 16)}];
    const uint turn = get_group_id(0), lane = get_local_id(0), each = (tiles_each + ${group_size - 1}u) / ${group_size}u;
    const uint end = CLRNG_MIN((turn + 1) * tiles_each, tiles), mine = CLRNG_MIN(turn * tiles_each + lane * each, end);
    const uint behind = CLRNG_MIN(mine + each, end);
    uint earlier = 0, own = 0, all_earlier, all;
    for (uint k = lane; k < turn; k += ${group_size}) earlier += counts[tiles + 2 + k];
    sum_before(earlier, of_items, &all_earlier);
    for (uint tile = mine; tile < behind; tile++) own += counts[tile];
    uint before = all_earlier + sum_before(own, of_items, &all);
    for (uint tile = mine; tile < behind; tile++) {
        const uint refused = counts[tile];
        counts[tile] = before;
        before += refused;
    }
    if (end == tiles && lane == 0) counts[tiles] = all_earlier + all;
}

// As place_steps below, where counts[tile] is the number of parts refused before a tile. counts[tiles + 1] becomes that of
// the parts up to the last one wanted.
% endif
// The first `wanted` parts${" that are not refused" if refuses else ""} become values from out[offset] on.
__kernel void place_steps(${given}, const uint tiles, const ulong range, const ulong low,
                          const uint wanted, __global ${integer} *restrict out, const ulong offset\
${''', const ulong limit,
                          __global uint *restrict counts''' if refuses else ""})
{${opening}
% if per_step == 2:
    __local uint lows[${2 * group_size}];    // of a turn and of the next one
    uint turn = 0;
% endif
% if refuses:
    __local uint of_items[${group_size + min(group_size, 16)}];
% endif
    out += offset;
% if refuses:
    // Counts are read a turn before they are needed.
    uint next_earlier = counts[CLRNG_MIN(get_group_id(0), tiles)], next_later = counts[CLRNG_MIN(get_group_id(0) + 1, tiles)];
% endif
    for (uint tile = get_group_id(0); tile < tiles; tile += groups, x = ${s}moved_on(x)${", turn ^= 1" if per_step == 2 else ""}) {
% if refuses:
        const uint earlier = next_earlier, later = next_later;
        next_earlier = counts[CLRNG_MIN(tile + groups, tiles)];
        next_later = counts[CLRNG_MIN(tile + groups + 1, tiles)];
% endif
        const uint at = tile * ${parts}u${" - earlier" if refuses else ""};
        if (at >= wanted) return;
        const ulong u = ${s}value(x.s);
% if refuses:
        if (later != earlier) {
            const uint taken = ${" + ".join(f"TAKEN({x})" for x in of_step)};
            uint all, to = at + sum_before(taken, of_items, &all);
% for k, x in enumerate(of_step):
            if (TAKEN(${x}) && to < wanted) {
                out[to++] = VALUE(${x});
                if (to == wanted) counts[tiles + 1] = tile * ${parts}u + ${per_step} * lane + ${k + 1};
            }
% endfor
            continue;
        }
% endif
        const uint count = CLRNG_MIN(wanted - at, ${parts}u);
        __global ${integer} *const to = out + at;
% if per_step == 1:
        barrier(CLK_LOCAL_MEM_FENCE);    // without which PoCL makes wrong numbers, as the other branch has some
        if (lane < count) to[lane] = VALUE(u);
% else:
        const uint low_half = (uint)u, high_half = (uint)(u >> 32);
        const uint is_odd = (size_t)to / sizeof(${integer}) & 1;    // a pair is then a high half and the low one behind it
        __global ${integer}2 *const pairs = (__global ${integer}2 *)(to + is_odd);
        lows[turn * ${group_size} + lane] = low_half;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (count < ${parts}u) {
            if (2 * lane < count) to[2 * lane] = VALUE(low_half);
            if (2 * lane + 1 < count) to[2 * lane + 1] = VALUE(high_half);
        } else if (!is_odd) {
            pairs[lane] = (${integer}2)(VALUE(low_half), VALUE(high_half));
        } else {
            if (lane == 0) to[0] = VALUE(low_half);
            if (lane == ${group_size - 1})
                to[${parts - 1}] = VALUE(high_half);
            else
                pairs[lane] = (${integer}2)(VALUE(high_half), VALUE(lows[turn * ${group_size} + lane + 1]));
        }
% endif
% if refuses:
        if (lane == 0 && at + count == wanted) counts[tiles + 1] = tile * ${parts}u + count;
% endif
    }
}
