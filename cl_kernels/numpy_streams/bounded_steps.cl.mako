## Takes the values of `bounded_value` too, for parts of 32 or 64 bits. A tile has `group_size` * `each` steps. `refuses` is
## whether parts may be refused.
<%
    per_step = {"uint": 2, "ulong": 1}[part]
    tile = group_size * each
    parts = tile * per_step
    names = [f"start_{i}" for i in range(order)]
    strides = [f"stride_{i}" for i in range(stride_words)]
    given = ", ".join(f"const ulong {name}" for name in names + strides)
    fixed = f"{s}stride_of({', '.join(strides)})"
    if fixes_strides:
        fixed = f"{s}fixed({fixed}, x)"
    moved = f"{s}{'apply_fixed' if fixes_strides else 'apply_stride'}(x, stride)"
    opening = f"""
    const uint first = get_group_id(0) * tiles_each, end = CLRNG_MIN(first + tiles_each, tiles), lane = get_local_id(0);
    {s}state x = {s}jump({s}load({", ".join(names)}), (ulong)first * {tile}UL + lane + 1);
    const {s}stride stride = {fixed};"""
%>
<%include file="bounded_value.cl.mako"/>
// The steps that follow a state are cut into tiles of ${parts} parts, the low half of a step first. A work-group makes one
// tile after another, and a work-item every step that is a stride of ${group_size} behind its last one.
% if refuses:
<%include file="/order/scan_in_group.cl.mako" args="sum_type='uint'"/>
// refused[tile], 0 before, becomes the number of the tile's parts that are refused.
__kernel void count_refused(${given}, const uint tiles, const uint tiles_each, const ulong range, const ulong limit,
                            __global uint *restrict refused)
{${opening}
    for (uint tile = first; tile < end; tile++) {
        uint taken = 0;
% for j in range(each):
        {
            const ulong u = ${s}value(x);
            taken += ${" + ".join(f"TAKEN(({part})(u >> {32 * k}))" for k in range(per_step))};
            x = ${moved};
        }
% endfor
        if (taken < ${each * per_step}) atomic_add(refused + tile, ${each * per_step} - taken);
    }
}

// As place_steps below, where before[tile] is the number of parts refused before a tile. used[0] becomes that of the parts
// up to the last one wanted.
% endif
// The first `wanted` parts${" that are not refused" if refuses else ""} become values from out[offset] on.
__kernel void place_steps(${given}, const uint tiles, const uint tiles_each, const ulong range, const ulong low,
                          const uint wanted, __global ${integer} *restrict out, const ulong offset\
${''', const ulong limit,
                          __global const uint *restrict before, __global uint *restrict used''' if refuses else ""})
{${opening}
    __local ulong made[${tile}];
    __local const ${part} *const parts = (__local const ${part} *)made;
% if refuses:
    __local uint of_items[${group_size + min(group_size, 16)}];
% endif
    out += offset;
    for (uint tile = first; tile < end; tile++) {
        const uint at = tile * ${parts}u${" - before[tile]" if refuses else ""};
        if (at >= wanted) return;
% for j in range(each):
        made[${j * group_size} + lane] = ${s}value(x);
        x = ${moved};
% endfor
        barrier(CLK_LOCAL_MEM_FENCE);
% if refuses:
        if (before[tile + 1] != before[tile]) {
            const uint mine = ${each * per_step} * lane;
            uint taken = 0, all;
% for j in range(each * per_step):
            taken |= (uint)TAKEN(parts[mine + ${j}]) << ${j};
% endfor
            uint to = at + sum_before(popcount(taken), of_items, &all);
            for (uint j = 0; j < ${each * per_step}; j++)
                if ((taken >> j & 1) && to < wanted) {
                    out[to++] = VALUE(parts[mine + j]);
                    if (to == wanted) used[0] = tile * ${parts}u + mine + j + 1;
                }
        } else
% endif
        {
            const uint count = CLRNG_MIN(wanted - at, ${parts}u);
            if (count == ${parts}) {
% for j in range(each * per_step):
                out[at + ${j * group_size} + lane] = VALUE(parts[${j * group_size} + lane]);
% endfor
            } else {
                for (uint i = lane; i < count; i += ${group_size}) out[at + i] = VALUE(parts[i]);
            }
% if refuses:
            if (lane == 0 && at + count == wanted) used[0] = tile * ${parts}u + count;
% endif
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
