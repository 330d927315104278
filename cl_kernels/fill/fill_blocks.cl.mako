<%
    vector = lambda length: out if length == 1 else f"{out}{length}"
    group = per_store
    rows = chunk // group
    # Raw values that together are no longer than the value made of them are transposed first: the states then have the
    # registers while they take steps, and conversions that do not wait for one another have them afterwards.
    value_bytes = 8 if value == "ulong" else 4
    raw_first = steps * value_bytes <= out_bytes
    digits = steps if raw_first else 1    # vectors that are transposed for a value
    kind, kind_bytes = (value, value_bytes) if raw_first else (out, out_bytes)
    block, rounds = min(width, 16 // kind_bytes), width.bit_length() - 1
    # Of step d of value j, where it is transposed; those of a digit are together.
    place = lambda j, d: d * chunk + j
    raw_names = [f"y0_{place(j, d)}_0" if raw_first else f"raw_{j}_{d}" for j in range(chunk) for d in range(steps)]

    in_places, parts = raw_first and outputs.has_places, chunk // width    # vectors that are stored together

    def transposed(first, lane):
        """Return the vectors of the values of a lane from number `first` on, or of the raw values of each digit."""
        return [f"y{rounds}_{place(first, d)}_{lane}" for d in range(digits)]

    def stored(first, lane):
        return outputs.convert(v, *transposed(first, lane)) if raw_first else transposed(first, lane)[0]

    starts = [f"start_{i}" for i in range(order)]
    given = ["__global const %s *restrict states" % word, "const uint first_row", "__global %s *restrict after" % word] if resident else [
        f"const {word} {start}" for start in starts] + [f"__global const {word} *restrict tables"] * by_tables

    times = "" if steps == 1 else f"{steps} * "

    def jumped(n):
        return f"{s}jump_by_tables(origin, {n}, tables)" if by_tables else f"{s}jump(origin, {n})"

    def loaded(prefix, words):
        return f"{prefix}load({', '.join(words)})"
%>
<%def name="with_hot(j)">\
            ${s}state again = x;
            ${outputs.declare(s, "again")}
            bool is_cold = false;
% for i in range(group):
            ${outputs.advance(s, "x", f"x = {s}next(x);")}
            ${out} y${i} = ${outputs.of_advanced(s, "x", hot=True)};
% endfor
            if (is_cold) {
% for i in range(group):
                ${outputs.advance(s, "again", f"again = {s}next(again);")}
                y${i} = ${outputs.of_advanced(s, "again")};
% endfor
            }
            given[${j}] = ${joined(out, [f"y{i}" for i in range(group)])};
</%def>\
<%include file="store.cl.mako"/>
% if resident:
// One exact stream: out[offset + i] becomes value i of those that follow the state in row first_row of `states`, for
// 0 <= i < n.
//
// The range, which begins aligned, is cut into chunks of ${chunk} values. Lane l makes the chunks from l * chunks_each
// to (l + 1) * chunks_each - 1, and begins with the state in row first_row + l of `states`; a row has ${state_words}
// words. The state after the last chunk is written to `after`.
% else:
// One exact stream: out[offset + i] becomes value i of those that follow the state `start_0`, ..., for 0 <= i < n. A
// value takes ${steps} step(s).
//
// The range is cut into chunks of ${chunk} values. The first chunk begins where a whole chunk is aligned; the values
// before it and those after the last whole chunk are made one at a time. Lane l makes the chunks from l * chunks_each
// to (l + 1) * chunks_each - 1.
% endif
% if width == 1:
// The ${group_size} work-items of a work-group, a lane each, put a chunk each into local memory. Then they store the
// chunks together: neighbouring work-items store neighbouring ${per_store} values.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
% else:

// Vectors of one step of all lanes are transposed to the steps of one lane.
<%include file="/zip.cl.mako" args="prefix=v, kind=kind, length=width, block=block, rounds=rounds"/>
% endif
__kernel void fill_blocks(__global ${out} *restrict out, const ulong offset, const uint n,
                          ${", ".join(given)}, const uint chunks_each${parameters})
{
${outputs.opening}    const uint item = get_global_id(0);
    out += offset;
% if resident:
    const uint head = 0, chunks = n / ${chunk}u;
% else:
    const uint before = convert_uint(-(size_t)out / sizeof(${out})) & ${chunk - 1}u;
    const uint head = CLRNG_MIN(before, n);
    const uint chunks = (n - head) / ${chunk}u;
    const uint edges = n - chunks * ${chunk}u;
    const ${s}state origin = ${loaded(s, starts)};

    for (uint edge = item; edge < edges; edge += get_global_size(0)) {
        const uint i = edge < head ? edge : edge + chunks * ${chunk}u;
        out[i] = ${outputs.of_first(s, jumped(f"{times}(ulong)i + 1"))};
    }
% endif

    const ulong first = (ulong)${"(item - get_local_id(0))" if width == 1 else f"item * {width}u"} * chunks_each;
    if (first >= chunks) return;
    const bool whole = first + (ulong)chunks_each * ${group_size if width == 1 else width}u <= chunks;
    const uint most = CLRNG_MIN(chunks_each, chunks - convert_uint(first));
% if width == 1:
    const ulong mine = CLRNG_MIN(first + (ulong)get_local_id(0) * chunks_each, (ulong)chunks);
    __local ${vector(group)} rows[${group_size * (rows + 1)}];
    const uint lane = get_local_id(0), column = lane % ${rows}u, row = lane / ${rows}u;
    __local ${vector(group)} *given = rows + lane * ${rows + 1}u, *taken = rows + row * ${rows + 1}u + column;
    const size_t apart = (size_t)chunks_each * ${rows};
    __global ${vector(group)} *at = (__global ${vector(group)} *)(out + head) + (size_t)first * ${rows} + row * apart + column;
% if resident:
    __global const ${word} *state = states + (first_row + (mine < chunks ? item : 0)) * (size_t)${state_words};
    ${s}state x = ${loaded(s, [f"state[{j}]" for j in range(order)])};
% elif by_groups:
    const ${s}state begin = ${jumped(f"{times}(head + {chunk} * first)")};    // the same for the whole group
    ${s}state x = ${s}jump_by_tables(begin, ${times}${chunk} * (mine - first), tables);
% else:
    ${s}state x = ${jumped(f"{times}(head + (ulong){chunk} * mine)" if times else f"head + (ulong){chunk} * mine")};
% endif

    ${outputs.declare(s, "x")}
    for (uint t = 0; t < most; t++, at += ${rows}) {
% if unrolled:
% for j in range(rows):
% if outputs.has_hot:
        {
${with_hot(j)}        }
% else:
% for i in range(group):
        ${outputs.advance(s, "x", f"x = {s}next(x);")}
        const ${out} y${j}_${i} = ${outputs.of_advanced(s, "x")};
% endfor
        given[${j}] = ${joined(out, [f"y{j}_{i}" for i in range(group)])};
% endif
% endfor
% else:
        for (uint j = 0; j < ${rows}; j++) {
% if outputs.has_hot:
${with_hot("j")}\
% else:
% for i in range(group):
            ${outputs.advance(s, "x", f"x = {s}next(x);")}
            const ${out} y${i} = ${outputs.of_advanced(s, "x")};
% endfor
            given[j] = ${joined(out, [f"y{i}" for i in range(group)])};
% endif
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
            CLRNG_STORE(taken[${k * group_size // rows * (rows + 1)}], at + ${k * group_size // rows} * apart);
% endfor
        } else {
% for k in range(rows):
            if (first + (ulong)(row + ${k * group_size // rows}u) * chunks_each + t < chunks)
                CLRNG_STORE(taken[${k * group_size // rows * (rows + 1)}], at + ${k * group_size // rows} * apart);
% endfor
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
% else:
    ${word} words[${order * width}];
    for (int lane = 0; lane < ${width}; lane++) {
        const ulong first_chunk = CLRNG_MIN(first + (ulong)lane * chunks_each, (ulong)chunks);
% if resident:
        __global const ${word} *state = states + (first_row + (first_chunk < chunks ? item * ${width}u + lane : 0)) * (size_t)${state_words};
        for (int j = 0; j < ${order}; j++) words[j * ${width} + lane] = state[j];
% else:
        const ${s}state x = ${jumped(f"{times}(head + (ulong){chunk} * first_chunk)" if times else f"head + (ulong){chunk} * first_chunk")};
% for j in range(order):
        words[${j * width} + lane] = ${s}word_${j}(x);
% endfor
% endif
    }
    ${v}state x = ${loaded(v, [f"vload{width}({j}, words)" for j in range(order)])};
    __global ${vector(chunk)} *at = (__global ${vector(chunk)} *)(out + head) + first;

    for (uint t = 0; t < most; t++, at++) {
% for name in raw_names:
        x = ${v}next(x);
        const ${value}${w} ${name} = ${outputs.value(v, "x")};
% endfor
% if not raw_first:
% for j in range(chunk):
        const ${out}${w} y0_${j}_0 = ${outputs.convert(v, *raw_names[j * steps : (j + 1) * steps])};
% endfor
% endif
% for first in range(0, chunk * digits, width):
<%include file="/transpose.cl.mako" args="prefix=v, vector=kind + w, block=block, rounds=rounds, first=first"/>
% endfor
% if resident:
        const ulong back = chunks - 1 - t - first;    // chunks from the first lane's chunk to the last of all
        if (back % chunks_each == 0 && back / chunks_each < ${width}) {
% for j in range(order):
            vstore${width}(${v}word_${j}(x), ${j}, words);
% endfor
            for (int j = 0; j < ${order}; j++) after[j] = words[j * ${width} + back / chunks_each];
        }
% endif
% if in_places:
        ${v}place places[${width * parts}];
% for i in range(width * parts):
        places[${i}] = ${outputs.place(v, *transposed(i % parts * width, i // parts))};
% endfor
#pragma unroll 1
        for (uint lane = 0; lane < ${width}; lane++)
            if (whole || first + (ulong)lane * chunks_each + t < chunks)
                CLRNG_STORE(((${vector(chunk)})(${", ".join(outputs.of_place(v, f"&places[{parts} * lane + {i}]") for i in range(parts))})),
                            at + (size_t)lane * chunks_each);
% else:
% for lane in range(width):
        if (whole || first + (ulong)${lane} * chunks_each + t < chunks)
            CLRNG_STORE(((${vector(chunk)})(${", ".join(stored(first, lane) for first in range(0, chunk, width))})),
                        at + (size_t)${lane} * chunks_each);
% endfor
% endif
    }
% endif
}
