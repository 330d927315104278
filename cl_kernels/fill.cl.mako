<%
    tile = width * run * chains
    group = width if width > 1 else 4
    vector = f"{out}{group}"
%>
<%include file="store.cl.mako"/>
// One exact stream: out[offset + i] becomes the value i + 1 steps after the state `start`, for 0 <= i < n.
//
// The range is cut into tiles of ${tile} values that begin where a whole vector is aligned; the values before the
// first tile and after the last are made one at a time. A work-item starts at tile first_tile * its number, moves on
// by tile_step tiles and makes at most tiles_each of them. `stride` takes a chain from the last value of its run in
// one tile to where its run in the next one begins.
__kernel void fill(__global ${out} *restrict out, const ulong offset, const uint n, const uint start,
                   const uint first_tile, const uint tile_step, const uint tiles_each, const uint stride)
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
        out[i] = ${s}emit(${s}value(${s}jump(origin, (ulong)i + 1)));
    }

    uint tile = item * first_tile;
    if (tile >= tiles) return;
    const uint left = (tiles - tile - 1) / tile_step + 1;
    ${s}state s = ${s}jump(origin, (ulong)head + (ulong)tile * ${tile}u + ${1 if run == 1 else 0});
% if width == 1:
% for c in range(chains):
% if c > 0:
    s = ${s}jump(s, ${run});
% endif
    ${v}state x${c} = s;
% endfor
% else:
    uint lanes[${width * chains}];
    for (int lane = 0; lane < ${width * chains}; lane++) {
        lanes[lane] = ${s}value(s);
        s = ${s}jump(s, 1);
    }
% for c in range(chains):
    ${v}state x${c} = ${v}load(vload${width}(${c}, lanes));
% endfor
% endif
    const ${v}stride onward = ${v}stride_of(stride);
    __global ${vector} *at = (__global ${vector} *)(out + head) + (size_t)tile * ${tile // group};
    const size_t at_step = (size_t)tile_step * ${tile // group};

    for (uint t = CLRNG_MIN(left, tiles_each); t > 0; t--, at += at_step) {
% for c in range(chains):
% if run == 1:
        CLRNG_STORE(${v}emit(${v}value(x${c})), at + ${c});
        x${c} = ${v}bound(x${c}, onward);
% else:
% for r in range(run):
        x${c} = ${v}next(x${c});
        const ${out} y${c}_${r} = ${v}emit(${v}value(x${c}));
% endfor
        x${c} = ${v}skip(x${c}, onward);
% for r in range(0, run, 4):
        CLRNG_STORE(((${vector})((${out}2)(y${c}_${r}, y${c}_${r + 1}), (${out}2)(y${c}_${r + 2}, y${c}_${r + 3}))),
                    at + ${(c * run + r) // 4});
% endfor
% endif
% endfor
    }
}
