<%
    vector = out if width == 1 else f"{out}{width}"
    words = word if width == 1 else f"{word}{width}"
    word_bytes = 4 if word == "uint" else 8
    load = "*(__global words_anywhere *)({0})"
    moved = 64 // word_bytes
    move = "*(__global words_moved *)({0}) = *(__global words_moved *)({1});"
    whole_line = order + tile + spare
    trim = str.strip
    every = range(interleaved)
%>
<%include file="store.cl.mako"/>
typedef ${words} words_anywhere __attribute__((aligned(${word_bytes})));
typedef ${word}${moved} words_moved __attribute__((aligned(${word_bytes})));
typedef ${vector} values_anywhere __attribute__((aligned(${out_bytes})));

// Makes the next words of a line, writes them at `to` and returns them.
CLRNG_INLINE ${words} next_words(__global ${word} *to)
{
    const ${words} x = ${v}combine(${", ".join(load.format("to - %d" % lag) for lag in lags)});
    ${load.format("to")} = x;
    return x;
}

// Moves the last ${order} words of a line to its beginning, after `some` new words were made.
CLRNG_INLINE void begin_again(__global ${word} *line, const uint some)
{
    for (uint i = 0; i < ${order}u; i += ${moved}u) ${move.format("line + i", "line + some + i")}
}

// One exact stream, cut into blocks of `each` values; a work-item makes ${interleaved} block(s). Block b is
// out[offset + b*each + i] for 0 <= i < each and b*each + i < n, and follows from the state in row first_row + b of
// `states`; a row has `state_words` words. A launch makes at most `most` values of each block, from value `done` of the
// block on, and writes the state after them back to the row.
//
// Each block has a line of memory with room for the state and ${tile} new words. When the line is full, its last
// ${order} words move to its beginning. Blocks of one work-item take turns, so that none waits for the words it has
// just stored.
__kernel void fill_lines(__global ${word} *restrict states, const uint first_row, const uint state_words,
                        __global ${out} *restrict out, const ulong offset, const uint n, const uint each,
                        const uint done, const uint most, __global ${word} *restrict lines${parameters})
{
    const ulong block = get_global_id(0) * (ulong)${interleaved};
    out += offset + block * each + done;
    states += (first_row + block) * state_words;
    lines += block * ${whole_line};
    uint left[${interleaved}];
    for (uint c = 0; c < ${interleaved}; c++) {
        const ulong first = (block + c) * each + done;
        left[c] = first < n ? CLRNG_MIN(CLRNG_MIN(most, each - done), n - convert_uint(first)) : 0;
        if (left[c] != 0)
            for (uint i = 0; i < ${order}u; i += ${moved}u)
                ${move.format("lines + c * %d + i" % whole_line, "states + c * (size_t)state_words + i")}
    }
    const bool aligned = ((size_t)out & ${width * out_bytes - 1}) == 0;
    const uint common = aligned && each % ${width} == 0 ? left[${interleaved - 1}] - left[${interleaved - 1}] % ${tile}u : 0;
% for c in every:
    __global ${word} *line${c} = lines + ${c * whole_line};
    __global ${out} *out${c} = out + ${c} * (size_t)each;
% endfor

    for (uint made = 0; made < common; made += ${tile}u) {
        for (uint i = 0; i < ${tile}u; i += ${width}u) {
% for c in every:
            const ${words} x${c} = next_words(line${c} + ${order} + i);
% endfor
% for c in every:
            CLRNG_STORE(${outputs.convert(v, f"{v}output_bits(x{c})")}, (__global ${vector} *)(out${c} + made + i));
% endfor
        }
% for c in every:
        begin_again(line${c}, ${tile}u);
% endfor
    }

    for (uint c = 0; c < ${interleaved}; c++, lines += ${whole_line}, out += each, states += state_words) {
        for (uint made = common; made < left[c]; made += ${tile}u) {
            const uint some = CLRNG_MIN(${tile}u, left[c] - made), whole = some - some % ${width}u;
            for (uint i = 0; i < whole; i += ${width}u)
                *(__global values_anywhere *)(out + made + i) = ${outputs.convert(v, f"{v}output_bits(next_words(lines + {order} + i))")};
            if (whole < some) next_words(lines + ${order} + whole);
            for (uint i = whole; i < some; i++) out[made + i] = ${outputs.convert(s, f"{s}output_bits(lines[{order} + i])")};
            begin_again(lines, some);
        }
        if (left[c] != 0)
            for (uint i = 0; i < ${order}u; i += ${moved}u) ${move.format("states + i", "lines + i")}
    }
}
