<%
    vector = word if width == 1 else f"{word}{width}"
    parts = chunk // width
    pieces = -(-degree // 32)
    ring_words = 1 << (order + min(lags) - 1).bit_length()
    chunks = padded // chunk
%>
// Each row of memory has a state of ${order} words and the words of the stream that follow it, ${stream_words} in all. So it
// has the states 0 to ${degree - 1} steps on too, of which a jump is a sum modulo 2.
% if source_words > stream_words:
// Behind them are ${source_words - stream_words} zeros.
% endif

// Makes the words `begin` to `end` - 1 of every row from those before them; a work-group has a row, whose last words it keeps
// in a ring.
__kernel void continue_states(__global ${word} *restrict rows, const uint raw, const uint begin, const uint end)
{
    __local ${word} ring[${ring_words}];
    __global ${word} *row = rows + get_group_id(0) * (size_t)${source_words};
    const uint lane = get_local_id(0), lanes = get_local_size(0), first = begin < ${order}u ? ${order}u : begin;
    for (uint i = lane; i < ${order}u; i += lanes) {
        const uint at = first - ${order}u + i;
        ring[at % ${ring_words}u] = row[at];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint at = first; at < end; at += ${min(lags)}) {
        const uint some = CLRNG_MIN(${min(lags)}u, end - at);
        for (uint i = lane; i < some; i += lanes) {
            const uint place = at + i;
            const ${word} x = ${s}combine(${", ".join(f"ring[(place - {lag}u) % {ring_words}u]" for lag in lags)});
            row[place] = ring[place % ${ring_words}u] = ${f"place < {stream_words}u ? x : 0" if source_words > stream_words else "x"};
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

% if width == 1:
<%include file="jump_states_by_bytes.cl.mako"/>
% else:
// Makes `wanted` targets from `count` sources. Target d * count + r is source r itself for d = 0, else source r moved
// on by the jump whose weights are row d - 1 of `weights`: the sum of the states i steps on for which bit i is 1.
// A work-item makes ${chunk} words of a target. A row of the targets has `target_words` words.
__kernel void jump_states(__global const ${word} *restrict sources, const uint count,
                          __global ${word} *restrict targets, const uint wanted, const uint target_words,
                          __global const uint *restrict weights, const uint last)
{
    const uint item = get_global_id(0), target = item / ${chunks}u, first = (item - target * ${chunks}u) * ${chunk}u;
    if (target >= wanted) return;
    const uint d = target / count;
    __global const ${word} *x = sources + (target - d * count) * (size_t)${source_words} + first;
    targets += target * (size_t)target_words + first;
    if (d == 0) {
        for (uint i = 0; i < ${chunk}; i++) targets[i] = x[i];
        return;
    }
    weights += (d - 1) * (size_t)${pieces};
% for j in range(parts):
    ${vector} sum${j} = (${vector})(0);
% endfor
    for (uint i = 0; i < ${pieces}; i++, x += 32) {
        const uint left = weights[i];
        for (uint j = 0; j < 32; j++) {
            const ${vector} taken = (${vector})((${word})0 - (${word})((left >> j) & 1u));
% for j in range(parts):
            sum${j} ^= taken & vload${width}(0, x + j + ${j * width});
% endfor
        }
    }
% for j in range(parts):
    vstore${width}(sum${j}, 0, targets + ${j * width});
% endfor
}
% endif

<%include file="states_in_columns.cl.mako"/>
