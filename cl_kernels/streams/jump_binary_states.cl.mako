<%
    vector = word if width == 1 else f"{word}{width}"
    parts = chunk // width
    pieces = -(-degree // 32)
%>
// Each row of memory has a state of ${order} words and the words of the stream that follow it, ${source_words} in all. So it
// has the states 0 to ${32 * pieces - 1} steps on too, of which a jump is a sum modulo 2.

// Makes the words `begin` to `end` - 1 of every row, from those before them; a work-group has a row.
__kernel void continue_states(__global ${word} *restrict rows, const uint raw, const uint begin, const uint end)
{
    __global ${word} *row = rows + get_group_id(0) * (size_t)${source_words};
    const uint lane = get_local_id(0), lanes = get_local_size(0);
    for (uint at = begin < ${order}u ? ${order}u : begin; at < end; at += ${min(lags)}) {
        const uint some = CLRNG_MIN(${min(lags)}u, end - at);
        for (uint i = lane; i < some; i += lanes)
            row[at + i] = ${s}combine(${", ".join(f"row[at + i - {lag}]" for lag in lags)});
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

// Makes `wanted` targets from `count` sources. Target d * count + r is source r itself for d = 0, else source r moved
// on by the jump whose weights are row d - 1 of `weights`: the sum of the states i steps on for which bit i is 1. A
// work-item makes ${chunk} words of a target. A row of the targets has `target_words` words.
__kernel void jump_states(__global const ${word} *restrict sources, const uint count,
                          __global ${word} *restrict targets, const uint wanted, const uint target_words,
                          __global const uint *restrict weights, const uint last)
{
    const uint item = get_global_id(0), target = item / ${padded // chunk}u, first = (item - target * ${padded // chunk}u) * ${chunk}u;
    if (target >= wanted) return;
    const uint d = target / count;
    __global const ${word} *x = sources + (target - d * count) * (size_t)${source_words} + first;
    targets += target * (size_t)target_words + first;
    if (d == 0) {
        for (uint i = 0; i < ${chunk}; i++) targets[i] = x[i];
        return;
    }
    weights += (d - 1) * (size_t)${pieces};
% if width == 1:
    ${word} ${", ".join(f"sum{j} = 0" for j in range(chunk))};
    ${word} ${", ".join(f"x{j} = x[{j}]" for j in range(chunk))};
    for (uint i = 0; i < ${pieces}; i++) {
        const uint left = weights[i];
        x += ${chunk};
% for begin in range(0, 32, chunk):
        {
% for j in range(0, chunk, per_store):
            const ${word}${per_store} next${j} = *(__global const ${word}${per_store} *)(x + ${begin + j});
% endfor
% for j in range(chunk):
            const ${word} x${chunk + j} = next${j - j % per_store}.s${j % per_store};
% endfor
% for bit in range(chunk):
            {
                const ${word} taken = (${word})0 - (${word})((left >> ${begin + bit}) & 1u);
% for j in range(chunk):
                sum${j} ^= taken & x${bit + j};
% endfor
            }
% endfor
% for j in range(chunk):
            x${j} = x${chunk + j};
% endfor
        }
% endfor
        x += ${32 - chunk};
    }
% for j in range(chunk):
    targets[${j}] = sum${j};
% endfor
% else:
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
% endif
}

<%include file="states_in_columns.cl.mako"/>
