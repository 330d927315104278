<%
    tile = width * consecutive * interleaved
    # vectors stored together: outputs may be shorter than words, and a store should fill a line of the caches
    joint = (8 if word == "ulong" else 4) // out_bytes if width > 1 else 1
    joint = min(joint, 16 // width)
    joint = joint if joint > 1 and interleaved % joint == 0 else 1
    group = width * joint if width > 1 else gathered or per_store
    vector = f"{out}{group}"
    stride_names = [f"stride_{i}" for i in range(stride_words)]
    apply = "apply_fixed" if fixes_strides else "apply_stride_unreduced"
    applied = lambda x: f"{v}moved_on({x})" if moving else f"{v}{apply}({x}, stride)"
    held = lambda x: f"{x}.s" if moving else x
    times = "" if steps == 1 else f"{steps} * "
    state_of = lambda c: [f"x{c * steps + d}" for d in range(steps)]
%>
<%include file="store.cl.mako"/>
// One exact stream: out[offset + i] becomes value i of those that follow the state `start`, for 0 <= i < n. A value takes
// ${steps} step(s).
//
// The range is cut into tiles of ${tile} values. The first tile begins at the first aligned vector; the values before
// it and those after the last whole tile are made one at a time. Work-item k makes tile k * first_tile and then every
// tile_stride-th tile after it, at most tiles_each in all. It holds ${interleaved} independent states; each makes
// ${consecutive} consecutive value(s) of a tile, and `stride` then takes it to its place in the next tile. Where a value
// takes several steps and a stride follows every value, there is a state for each of the steps.
__kernel void fill(__global ${out} *restrict out, const ulong offset, const uint n,
                   ${", ".join(f"const {word} start_{i}" for i in range(order))},
                   const uint first_tile, const uint tile_stride, const uint tiles_each,
                   ${", ".join(f"const {word} {name}" for name in stride_names)}${parameters})
{
${outputs.opening}    const uint item = get_global_id(0);
    out += offset;
    const uint before = convert_uint(-(size_t)out / sizeof(${out})) & ${group - 1}u;
    const uint head = CLRNG_MIN(before, n);
    const uint tiles = (n - head) / ${tile}u;
    const uint edges = n - tiles * ${tile}u;
    const ${s}state origin = ${s}load(${", ".join(f"start_{i}" for i in range(order))});

    for (uint edge = item; edge < edges; edge += get_global_size(0)) {
        const uint i = edge < head ? edge : edge + tiles * ${tile}u;
        out[i] = ${outputs.of_first(s, f"{s}jump(origin, {times}(ulong)i + 1)")};
    }

    uint tile = item * first_tile;
    if (tile >= tiles) return;
    const uint left = (tiles - tile - 1) / tile_stride + 1;
    ${s}state s = ${s}jump(origin, ${f"{times}((ulong)head + (ulong)tile * {tile}u)" if times else f"(ulong)head + (ulong)tile * {tile}u"} + ${1 if consecutive == 1 else 0});
% if width == 1:
% if moving:
    const ${s}stride by = ${s}fixed(${s}stride_of(${", ".join(stride_names)}), s);
% endif
% for c in range(interleaved * (steps if consecutive == 1 else 1)):
% if c > 0:
    s = ${s}jump(s, ${1 if consecutive == 1 else consecutive * steps});
% endif
% if moving:
    ${s}moving x${c} = ${s}moving_by(s, by);
% else:
    ${v}state x${c} = s;
% endif
% endfor
% else:
    ${word} lanes[${order * width * interleaved * steps}];
    for (int lane = 0; lane < ${width * interleaved * steps}; lane++) {
% if steps == 1:
        const int place = lane;
% else:
        const int i = lane / ${steps};    // the value, of which this is a step
        const int place = (i / ${width} * ${steps} + lane % ${steps}) * ${width} + i % ${width};
% endif
% for j in range(order):
        lanes[${f"{j * width * interleaved * steps} + " if j else ""}place] = ${s}word_${j}(s);
% endfor
        s = ${s}jump(s, 1);
    }
% for c in range(interleaved * steps):
    ${v}state x${c} = ${v}load(${", ".join(f"vload{width}({j * interleaved * steps + c}, lanes)" for j in range(order))});
% endfor
% endif
% if not moving:
    const ${v}stride stride = ${f"{v}fixed({v}stride_of({', '.join(stride_names)}), x0)" if fixes_strides else f"{v}stride_of({', '.join(stride_names)})"};
% endif
    __global ${vector} *at = (__global ${vector} *)(out + head) + (size_t)tile * ${tile // group};
    const size_t at_step = (size_t)tile_stride * ${tile // group};

    for (uint t = CLRNG_MIN(left, tiles_each); t > 0; t--, at += at_step) {
% if width > 1 and outputs.has_places:
        ${v}place places[${interleaved}];
% for c in range(interleaved):
        places[${c}] = ${outputs.place(v, *(outputs.value(v, x) for x in state_of(c)))};
% for x in state_of(c):
        ${x} = ${v}${apply}(${x}, stride);
% endfor
% endfor
#pragma unroll 1
        for (uint i = 0; i < ${interleaved // joint}; i++)
            CLRNG_STORE(((${vector})(${", ".join(outputs.of_place(v, f"&places[{f'{joint} * i + {k}' if joint > 1 else 'i'}]") for k in range(joint))})), at + i);
% elif width > 1:
% for c in range(0, interleaved, joint):
        CLRNG_STORE(((${vector})(${", ".join(outputs.of_states(v, state_of(c + i)) for i in range(joint))})), at + ${c // joint});
% for x in (x for i in range(joint) for x in state_of(c + i)):
        ${x} = ${v}${apply}(${x}, stride);
% endfor
% endfor
% elif gathered:
<% states = [x for c in range(interleaved) for x in state_of(c)] %>
% for c, x in enumerate(states):
        const ${value} u${c} = ${outputs.value(v, x)};
        ${x} = ${applied(x)};
% endfor
        CLRNG_STORE(${outputs.convert(of_gathered, *(f"({value}{gathered})({', '.join(f'u{i * steps + d}' for i in range(gathered))})" for d in range(steps)))}, at);
% elif consecutive == 1:
% if outputs.has_hot:
        bool is_cold = false;
% endif
% for c in range(interleaved):
% if outputs.has_hot:
        const ${v}state ${", ".join(f"{x}_now = {held(x)}" for x in state_of(c))};
        ${out} y${c} = ${outputs.of_states(v, [f"{x}_now" for x in state_of(c)], hot=True)};
% else:
        const ${out} y${c} = ${outputs.of_states(v, [held(x) for x in state_of(c)])};
% endif
% for x in state_of(c):
        ${x} = ${applied(x)};
% endfor
% endfor
% if outputs.has_hot:
        if (is_cold) {
% for c in range(interleaved):
            y${c} = ${outputs.of_states(v, [f"{x}_now" for x in state_of(c)])};
% endfor
        }
% endif
% for c in range(0, interleaved, group):
        CLRNG_STORE((${joined(out, [f"y{c + i}" for i in range(group)])}), at + ${c // group});
% endfor
% else:
% for c in range(interleaved):
        ${outputs.declare(v, f"x{c}")}
% for r in range(consecutive):
        ${outputs.advance(v, f"x{c}", f"x{c} = {v}next(x{c});")}
        const ${out} y${c}_${r} = ${outputs.of_advanced(v, f"x{c}")};
% endfor
        x${c} = ${v}${"apply_fixed" if fixes_strides else "apply_stride"}(x${c}, stride);
% for r in range(0, consecutive, group):
        CLRNG_STORE((${joined(out, [f"y{c}_{r + i}" for i in range(group)])}), at + ${(c * consecutive + r) // group});
% endfor
% endfor
% endif
    }
}
