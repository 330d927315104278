<%
    tile = width * consecutive * interleaved
    # vectors stored together: outputs may be shorter than words, and a store should fill a line of the caches
    joint = (8 if word == "ulong" else 4) // out_bytes if width > 1 else 1
    joint = joint if joint > 1 and interleaved % joint == 0 else 1
    group = width * joint if width > 1 else per_store
    vector = f"{out}{group}"
    stride_names = [f"stride_{i}" for i in range(stride_words)]
%>
<%include file="store.cl.mako"/>
// One exact stream: out[offset + i] becomes the value i + 1 steps after the state `start`, for 0 <= i < n.
//
// The range is cut into tiles of ${tile} values. The first tile begins at the first aligned vector; the values before
// it and those after the last whole tile are made one at a time. Work-item k makes tile k * first_tile and then every
// tile_stride-th tile after it, at most tiles_each in all. It holds ${interleaved} independent states; each makes
// ${consecutive} consecutive value(s) of a tile, and `stride` then takes it to its place in the next tile.
__kernel void fill(__global ${out} *restrict out, const ulong offset, const uint n, const ${word} start,
                   const uint first_tile, const uint tile_stride, const uint tiles_each,
                   ${", ".join(f"const {word} {name}" for name in stride_names)})
{
    const uint item = get_global_id(0);
    out += offset;
    const uint before = convert_uint(-(size_t)out / sizeof(${out})) & ${group - 1}u;
    const uint head = CLRNG_MIN(before, n);
    const uint tiles = (n - head) / ${tile}u;
    const uint edges = n - tiles * ${tile}u;
    const ${s}state origin = ${s}load(start);

    for (uint edge = item; edge < edges; edge += get_global_size(0)) {
        const uint i = edge < head ? edge : edge + tiles * ${tile}u;
        out[i] = ${s}convert(${s}value(${s}jump(origin, (ulong)i + 1)));
    }

    uint tile = item * first_tile;
    if (tile >= tiles) return;
    const uint left = (tiles - tile - 1) / tile_stride + 1;
    ${s}state s = ${s}jump(origin, (ulong)head + (ulong)tile * ${tile}u + ${1 if consecutive == 1 else 0});
% if width == 1:
% for c in range(interleaved):
% if c > 0:
    s = ${s}jump(s, ${consecutive});
% endif
    ${v}state x${c} = s;
% endfor
% else:
    ${word} lanes[${width * interleaved}];
    for (int lane = 0; lane < ${width * interleaved}; lane++) {
        lanes[lane] = ${s}word_0(s);
        s = ${s}jump(s, 1);
    }
% for c in range(interleaved):
    ${v}state x${c} = ${v}load(vload${width}(${c}, lanes));
% endfor
% endif
    const ${v}stride stride = ${v}stride_of(${", ".join(stride_names)});
    __global ${vector} *at = (__global ${vector} *)(out + head) + (size_t)tile * ${tile // group};
    const size_t at_step = (size_t)tile_stride * ${tile // group};

    for (uint t = CLRNG_MIN(left, tiles_each); t > 0; t--, at += at_step) {
% if width > 1:
% for c in range(0, interleaved, joint):
        CLRNG_STORE(((${vector})(${", ".join(f"{v}convert({v}value(x{c + i}))" for i in range(joint))})), at + ${c // joint});
% for i in range(joint):
        x${c + i} = ${v}apply_stride_unreduced(x${c + i}, stride);
% endfor
% endfor
% elif consecutive == 1:
% for c in range(interleaved):
        const ${out} y${c} = ${v}convert(${v}value(x${c}));
        x${c} = ${v}apply_stride_unreduced(x${c}, stride);
% endfor
% for c in range(0, interleaved, group):
        CLRNG_STORE((${joined(out, [f"y{c + i}" for i in range(group)])}), at + ${c // group});
% endfor
% else:
% for c in range(interleaved):
% for r in range(consecutive):
        x${c} = ${v}next(x${c});
        const ${out} y${c}_${r} = ${v}convert(${v}value(x${c}));
% endfor
        x${c} = ${v}apply_stride(x${c}, stride);
% for r in range(0, consecutive, group):
        CLRNG_STORE((${joined(out, [f"y{c}_{r + i}" for i in range(group)])}), at + ${(c * consecutive + r) // group});
% endfor
% endfor
% endif
    }
}
