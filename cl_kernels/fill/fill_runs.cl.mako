<%
    starts = [f"start_{i}" for i in range(order)]
    times = "" if steps == 1 else f"{steps} * "
    states_of = lambda c: [f"x{c * steps + d}" for d in range(steps)]
    vector = f"{out}{tile}" if tile > 1 else out
%>
// One exact stream, of which runs of `length` values are stored: value i of a run goes to the place of its first value
// plus i * ${"spacing" if single else 1}. A value takes ${steps} step(s).
//
// Runs lie along axes: how many there are, how many values of the stream lie from one to the next, and how many values of
// memory. The first axis has `rows` of them; of the others each is three numbers of `axes`. A run is cut into columns: of
// ${"`tile` values" if single else f"{tile} values that are aligned in memory, the first and the last of fewer"}. Work-items make a column of the runs `slots` apart, and
// so does `stride` take a state from its place in one run to that in the next. There are `items` of them.
__kernel void fill_runs(__global ${out} *restrict out, const ulong offset, ${", ".join(f"const {word} {start}" for start in starts)},
                        const ulong items, const uint columns, const uint length,
                        ${"const uint tile, const long spacing, " if single else ""}const ulong rows, const ulong slots,
                        const ulong pitch, const long apart, __global const ${word} *restrict stride,
                        __global const long *restrict axes, const uint dimensions${parameters})
{
${outputs.opening}    ulong item = get_global_id(0);
    if (item >= items) return;
    const uint column = convert_uint(item % columns);
    item /= columns;
    const ulong row = item % slots;
    item /= slots;
    if (row >= rows) return;
    ulong place = row * pitch;
    long at = (long)row * apart;
    for (uint d = 0; d < dimensions; d++, axes += 3) {
        const ulong count = axes[0], i = item % count;
        item /= count;
        place += i * (ulong)axes[1];
        at += (long)i * axes[2];
    }
    out += (long)offset + at;
% if single:
    const uint begin = column * tile, end = CLRNG_MIN(length - begin, tile) + begin;
    out += begin * spacing;
% else:
    const uint before = convert_uint((size_t)out / sizeof(${out})) & ${tile - 1}u;
    const uint begin = column == 0 ? 0 : column * ${tile}u - before;
    const uint end = CLRNG_MIN(length, column * ${tile}u - before + ${tile}u);
    if (begin >= end) return;
    out += begin;
% endif
    const uint n = end - begin;
    ${s}state x = ${s}jump(${s}load(${", ".join(starts)}), ${times}(place + begin));
    const ${s}stride by = ${s}stride_from(stride);
    const long next_row = (long)slots * apart;

    for (ulong left = (rows - row - 1) / slots + 1; left > 0; left--, out += next_row) {
% if single:
        ${s}state y = x;
        ${outputs.declare(s, "y")}
        __global ${out} *to = out;
        for (uint i = 0; i < n; i++, to += spacing) {
            ${outputs.advance(s, "y", f"y = {s}next(y);")}
            *to = ${outputs.of_advanced(s, "y")};
        }
% else:
% for i in range(tile * steps):
        const ${s}state x${i} = ${s}next(${f"x{i - 1}" if i else "x"});
% endfor
% if outputs.has_hot:
        bool is_cold = false;
% endif
% for c in range(tile):
        ${out} y${c} = ${outputs.hot(s, states_of(c)) if outputs.has_hot else outputs.of_states(s, states_of(c))};
% endfor
% if outputs.has_hot:
        if (is_cold) {
% for c in range(tile):
            y${c} = ${outputs.of_states(s, states_of(c))};
% endfor
        }
% endif
        if (n == ${tile}u) {
            *(__global ${vector} *)out = ${joined(out, [f"y{c}" for c in range(tile)])};
        } else {
% for c in range(tile):
            if (${c}u < n) out[${c}] = y${c};
% endfor
        }
% endif
        x = ${s}apply_stride(x, by);
    }
}
