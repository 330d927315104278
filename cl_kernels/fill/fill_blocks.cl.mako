<%
    vector = lambda length: out if length == 1 else f"{out}{length}"
    group = per_store
    rows = run // group
    starts = [f"start_{i}" for i in range(order)]
    given = ["__global const %s *restrict states" % word, "__global %s *restrict after" % word] if resident else [
        f"const {word} {start}" for start in starts]

    def loaded(prefix, words):
        return f"{prefix}load({', '.join(words)})"
%>
<%include file="store.cl.mako"/>
% if resident:
// One exact stream: out[offset + i] becomes the value i + 1 steps after the state in row 0 of `states`, for 0 <= i < n.
//
// The range, which is aligned, is cut into chunks of ${run} values. Lane l makes `chunks_each` chunks in a row, from number
// l * chunks_each on and from the state in row l, of ${state_words} words, on. The state after the last chunk goes to `after`.
% else:
// One exact stream: out[offset + i] becomes the value i + 1 steps after the state `start_0`, ..., for 0 <= i < n.
//
// The range is cut into chunks of ${run} values that begin where a whole chunk is aligned; the values before the first
// chunk and after the last are made one at a time. Lane l makes `chunks_each` chunks in a row, from number
// l * chunks_each on.
% endif
% if width == 1:
// The ${group_items} work-items of a work-group put their chunks into local memory and store them together, row by row.
__attribute__((reqd_work_group_size(${group_items}, 1, 1)))
% else:

// The lower halves of two vectors zipped, and the upper ones: log2 ${width} rounds of both turn ${width} vectors, a step each,
// into ${width} vectors, a lane each.
CLRNG_INLINE ${out}${w} ${v}zip_low(const ${out}${w} a, const ${out}${w} b)
{
    ${out}${w} r;
    r.even = a.lo;
    r.odd = b.lo;
    return r;
}

CLRNG_INLINE ${out}${w} ${v}zip_high(const ${out}${w} a, const ${out}${w} b)
{
    ${out}${w} r;
    r.even = a.hi;
    r.odd = b.hi;
    return r;
}

% endif
__kernel void fill_blocks(__global ${out} *restrict out, const ulong offset, const uint n,
                          ${", ".join(given)}, const uint chunks_each)
{
    const uint item = get_global_id(0);
    out += offset;
% if resident:
    const uint head = 0, chunks = n / ${run}u;
% else:
    const uint before = convert_uint(-(size_t)out / sizeof(${out})) & ${run - 1}u;
    const uint head = CLRNG_MIN(before, n);
    const uint chunks = (n - head) / ${run}u;
    const uint edges = n - chunks * ${run}u;
    const ${s}state origin = ${loaded(s, starts)};

    for (uint edge = item; edge < edges; edge += get_global_size(0)) {
        const uint i = edge < head ? edge : edge + chunks * ${run}u;
        out[i] = ${s}convert(${s}value(${s}jump(origin, (ulong)i + 1)));
    }
% endif

    const ulong first = (ulong)${"(item - get_local_id(0))" if width == 1 else f"item * {width}u"} * chunks_each;
    if (first >= chunks) return;
    const bool whole = first + (ulong)chunks_each * ${group_items if width == 1 else width}u <= chunks;
    const uint most = CLRNG_MIN(chunks_each, chunks - convert_uint(first));
% if width == 1:
    const ulong mine = CLRNG_MIN(first + (ulong)get_local_id(0) * chunks_each, (ulong)chunks);
    __local ${vector(group)} rows[${group_items * (rows + 1)}];
    const uint lane = get_local_id(0), column = lane % ${rows}u, row = lane / ${rows}u;
    __local ${vector(group)} *given = rows + lane * ${rows + 1}u, *taken = rows + row * ${rows + 1}u + column;
    const size_t apart = (size_t)chunks_each * ${rows};
    __global ${vector(group)} *at = (__global ${vector(group)} *)(out + head) + (size_t)first * ${rows} + row * apart + column;
% if resident:
    __global const ${word} *state = states + (mine < chunks ? item : 0) * (size_t)${state_words};
    ${s}state x = ${loaded(s, [f"state[{j}]" for j in range(order)])};
% else:
    ${s}state x = ${s}jump(origin, head + (ulong)${run} * mine);
% endif

    for (uint t = 0; t < most; t++, at += ${rows}) {
% if unrolled:
% for j in range(rows):
% for i in range(group):
        x = ${s}next(x);
        const ${out} y${j}_${i} = ${s}convert(${s}value(x));
% endfor
        given[${j}] = ${joined(out, [f"y{j}_{i}" for i in range(group)])};
% endfor
% else:
        for (uint j = 0; j < ${rows}; j++) {
% for i in range(group):
            x = ${s}next(x);
            const ${out} y${i} = ${s}convert(${s}value(x));
% endfor
            given[j] = ${joined(out, [f"y{i}" for i in range(group)])};
        }
% endif
% if resident:
        if (mine + t + 1 == chunks) {
% for j in range(order):
            after[${j}] = ${s}word_${j}(x);
% endfor
        }
% endif
        barrier(CLK_LOCAL_MEM_FENCE);
        if (whole) {
% for k in range(rows):
            CLRNG_STORE(taken[${k * group_items // rows * (rows + 1)}], at + ${k * group_items // rows} * apart);
% endfor
        } else {
% for k in range(rows):
            if (first + (ulong)(row + ${k * group_items // rows}u) * chunks_each + t < chunks)
                CLRNG_STORE(taken[${k * group_items // rows * (rows + 1)}], at + ${k * group_items // rows} * apart);
% endfor
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
% else:
    ${word} words[${order * width}];
    for (int lane = 0; lane < ${width}; lane++) {
        const ulong chunk = CLRNG_MIN(first + (ulong)lane * chunks_each, (ulong)chunks);
% if resident:
        __global const ${word} *state = states + (chunk < chunks ? item * ${width}u + lane : 0) * (size_t)${state_words};
        for (int j = 0; j < ${order}; j++) words[j * ${width} + lane] = state[j];
% else:
        const ${s}state x = ${s}jump(origin, head + (ulong)${run} * chunk);
% for j in range(order):
        words[${j * width} + lane] = ${s}word_${j}(x);
% endfor
% endif
    }
    ${v}state x = ${loaded(v, [f"vload{width}({j}, words)" for j in range(order)])};
    __global ${vector(run)} *at = (__global ${vector(run)} *)(out + head) + first;

    for (uint t = 0; t < most; t++, at++) {
<%
    names = [f"y{j}_0" for j in range(run)]
    rounds = width.bit_length() - 1
    squares = run // width
%>
% for j in range(run):
        x = ${v}next(x);
        const ${out}${w} y${j}_0 = ${v}convert(${v}value(x));
% endfor
% for r in range(rounds):
% for square in range(squares):
% for i in range(width // 2):
<% a, b = f"y{square * width + i}_{r}", f"y{square * width + i + width // 2}_{r}" %>
        const ${out}${w} y${square * width + 2 * i}_${r + 1} = ${v}zip_low(${a}, ${b});
        const ${out}${w} y${square * width + 2 * i + 1}_${r + 1} = ${v}zip_high(${a}, ${b});
% endfor
% endfor
% endfor
% if resident:
        const ulong back = chunks - 1 - t - first;    // where the last chunk is now, if it is one of these
        if (back % chunks_each == 0 && back / chunks_each < ${width}) {
% for j in range(order):
            vstore${width}(${v}word_${j}(x), ${j}, words);
% endfor
            for (int j = 0; j < ${order}; j++) after[j] = words[j * ${width} + back / chunks_each];
        }
% endif
% for lane in range(width):
        if (whole || first + (ulong)${lane} * chunks_each + t < chunks)
            CLRNG_STORE(((${vector(run)})(${", ".join(f"y{square * width + lane}_{rounds}" for square in range(squares))})),
                        at + (size_t)${lane} * chunks_each);
% endfor
    }
% endif
}
