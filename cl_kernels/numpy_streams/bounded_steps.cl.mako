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
// refused[tile], 0 before, becomes the number of the tile's parts that are refused.
__kernel void count_refused(${given}, const uint tiles, const ulong range, const ulong limit,
                            __global uint *restrict refused)
{${opening}
    for (uint tile = get_group_id(0); tile < tiles; tile += groups, x = ${s}moved_on(x)) {
        const ulong u = ${s}value(x.s);
        const uint taken = ${" + ".join(f"TAKEN({x})" for x in of_step)};
        if (taken < ${per_step}) atomic_add(refused + tile, ${per_step} - taken);
    }
}

// As place_steps below, where before[tile] is the number of parts refused before a tile. used[0] becomes that of the parts
// up to the last one wanted.
% endif
// The first `wanted` parts${" that are not refused" if refuses else ""} become values from out[offset] on.
__kernel void place_steps(${given}, const uint tiles, const ulong range, const ulong low,
                          const uint wanted, __global ${integer} *restrict out, const ulong offset\
${''', const ulong limit,
                          __global const uint *restrict before, __global uint *restrict used''' if refuses else ""})
{${opening}
    __local ulong made[${2 * group_size}];    // of this turn and of the next one
    uint turn = 0;
% if refuses:
    __local uint of_items[${group_size + min(group_size, 16)}];
% endif
    out += offset;
    for (uint tile = get_group_id(0); tile < tiles; tile += groups, x = ${s}moved_on(x), turn ^= 1) {
        const uint at = tile * ${parts}u${" - before[tile]" if refuses else ""};
        if (at >= wanted) return;
        const ulong u = ${s}value(x.s);
% if refuses:
        if (before[tile + 1] != before[tile]) {
            const uint taken = ${" + ".join(f"TAKEN({x})" for x in of_step)};
            uint all, to = at + sum_before(taken, of_items, &all);
% for k, x in enumerate(of_step):
            if (TAKEN(${x}) && to < wanted) {
                out[to++] = VALUE(${x});
                if (to == wanted) used[0] = tile * ${parts}u + ${per_step} * lane + ${k + 1};
            }
% endfor
            continue;
        }
% endif
        made[turn * ${group_size} + lane] = u;
        barrier(CLK_LOCAL_MEM_FENCE);
        __local const ${part} *const parts = (__local const ${part} *)(made + turn * ${group_size});
        const uint count = CLRNG_MIN(wanted - at, ${parts}u);
% for k in range(per_step):
        if (${k * group_size} + lane < count) out[at + ${k * group_size} + lane] = VALUE(parts[${k * group_size} + lane]);
% endfor
% if refuses:
        if (lane == 0 && at + count == wanted) used[0] = tile * ${parts}u + count;
% endif
    }
}
