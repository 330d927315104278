<%
    whole = f"{s}whole_"
    lanes = width_of_whole
    tile = 2 * lanes * interleaved
    loaded = lambda c: ", ".join(f"vload{lanes}({j * interleaved + c}, words)" for j in range(order))
    group = gathered or min(per_store, tile)
    applied = lambda x: f"{whole}moved_on({x})" if moving else f"{whole}apply_fixed({x}, stride)"
    held = lambda x: f"{x}.s" if moving else x
%>
<%include file="store.cl.mako"/>
// One exact stream of halves: out[offset + i] becomes half i of those that follow the state `start`, for 0 <= i < n.
//
// The range is cut into tiles of ${tile} halves. The first tile begins at the first aligned vector after the half that may
// wait; what is before it and behind the last whole tile is made one at a time. Work-item k makes tile k * first_tile and
// then every tile_stride-th tile after it, at most tiles_each in all. It holds neighbouring states, which `stride` takes to
// their places in the next tile: ${lanes * interleaved} of them, and one more where a tile begins with the second half of a value.
__kernel void fill_halves(__global ${out} *restrict out, const ulong offset, const uint n,
                          ${", ".join(f"const {word} start_{i}" for i in range(order))},
                          const uint first_tile, const uint tile_stride, const uint tiles_each,
                          ${", ".join(f"const {word} stride_{i}" for i in range(stride_words))}${parameters})
{
${outputs.opening}    const uint item = get_global_id(0);
    out += offset;
    const ${s}state origin = ${s}load(${", ".join(f"start_{i}" for i in range(order))});
    const uint waiting = ${s}waits(origin) ? 1u : 0u;
    const uint before = convert_uint(-(size_t)out / sizeof(${out})) & ${group - 1}u;
    const uint head = CLRNG_MIN(before < waiting ? ${group}u : before, n);
    const uint tiles = (n - head) / ${tile}u;
    const uint edges = n - tiles * ${tile}u;

    for (uint edge = item; edge < edges; edge += get_global_size(0)) {
        const uint i = edge < head ? edge : edge + tiles * ${tile}u;
        out[i] = ${outputs.of_first(s, f"{s}jump(origin, (ulong)i + 1)")};
    }

    uint tile = item * first_tile;
    if (tile >= tiles) return;
    const uint left = (tiles - tile - 1) / tile_stride + 1;
    const ulong taken = (ulong)(head - waiting) + (ulong)tile * ${tile}u;
    const ${whole}state x0 = ${whole}jump(origin, (taken >> 1) + 1);
    const ${whole}stride stride = ${whole}fixed(${whole}stride_of(${", ".join(f"stride_{i}" for i in range(stride_words))}), x0);
    __global ${out}${group} *at = (__global ${out}${group} *)(out + head) + (size_t)tile * ${tile // group};
    const size_t at_step = (size_t)tile_stride * ${tile // group};
% if lanes > 1:
    ${word} words[${order * lanes * interleaved}];
    ${whole}state s = x0;
    for (int lane = 0; lane < ${lanes * interleaved}; lane++) {
% for j in range(order):
        words[${f"{j * lanes * interleaved} + " if j else ""}lane] = ${whole}word_${j}(s);
% endfor
        s = ${whole}next(s);
    }
% for c in range(interleaved):
    ${of_whole}state x_${c} = ${of_whole}load(${loaded(c)});
% endfor
    const ${of_whole}stride by = ${of_whole}fixed(${of_whole}stride_of(${", ".join(f"stride_{i}" for i in range(stride_words))}), x_0);
    const bool odd = (taken & 1) != 0;

    for (uint t = CLRNG_MIN(left, tiles_each); t > 0; t--, at += at_step) {
% for c in range(interleaved):
        ulong${lanes} u${c} = ${of_whole}value(x_${c});
        x_${c} = ${of_whole}apply_fixed(x_${c}, by);
% endfor
        if (odd) {
            const ulong behind = ${whole}value(s);
            s = ${whole}apply_fixed(s, stride);
% for c in range(interleaved):
            u${c} = u${c} >> 32 | (ulong${lanes})(${", ".join([f"u{c}.s{i}" for i in range(1, lanes)] + [f"u{c + 1}.s0" if c + 1 < interleaved else "behind"])}) << 32;
% endfor
        }
% if outputs.has_places:
        ${of_gathered}place places[${interleaved}];
% for c in range(interleaved):
        places[${c}] = ${outputs.place(of_gathered, f"as_uint{2 * lanes}(u{c})")};
% endfor
#pragma unroll 1
        for (uint i = 0; i < ${interleaved}; i++) CLRNG_STORE(${outputs.of_place(of_gathered, "&places[i]")}, at + i);
% else:
% for c in range(interleaved):
        CLRNG_STORE(${outputs.convert(of_gathered, f"as_uint{2 * lanes}(u{c})")}, at + ${c});
% endfor
% endif
    }
% else:
% for odd in (0, 1):
<%
    states = range(interleaved + odd)
    halves = [half for c in states for half in (f"(uint)u{c}", f"(uint)(u{c} >> 32)")][odd:odd + tile]
%>
    ${"if ((taken & 1) == 0)" if odd == 0 else "else"} {
% for c in states:
        const ${whole}state start_${c} = ${"x0" if c == 0 else f"{whole}next(start_{c - 1})"};
% endfor
% for c in states:
% if moving:
        ${whole}moving x_${c} = ${whole}moving_by(start_${c}, stride);
% else:
        ${whole}state x_${c} = start_${c};
% endif
% endfor
        for (uint t = CLRNG_MIN(left, tiles_each); t > 0; t--, at += at_step) {
% for c in states:
            const ulong u${c} = ${whole}value(${held(f"x_{c}")});
            x_${c} = ${applied(f"x_{c}")};
% endfor
% if gathered:
<% pairs = [f"u{c}" if odd == 0 else f"upsample((uint)u{c + 1}, (uint)(u{c} >> 32))" for c in range(interleaved)] %>
            CLRNG_STORE(${outputs.convert(of_gathered, f"as_uint{tile}((ulong{interleaved})({', '.join(pairs)}))")}, at);
% else:
% if outputs.has_hot:
            bool is_cold = false;
% endif
% for c, half in enumerate(halves):
            ${out} y${c} = ${outputs.convert(s, half, hot=outputs.has_hot)};
% endfor
% if outputs.has_hot:
            if (is_cold) {
% for c, half in enumerate(halves):
                y${c} = ${outputs.convert(s, half)};
% endfor
            }
% endif
% for c in range(0, tile, group):
            CLRNG_STORE((${joined(out, [f"y{c + i}" for i in range(group)])}), at + ${c // group});
% endfor
% endif
        }
    }
% endfor
% endif
}
