<%
    parts = run // width

    def weight(i):
        return ", ".join(f"weights[{weight_words} * (i + {i}) + {j}]" for j in range(weight_words))
%>
// States in rows of memory. A state of ${order} words is followed in its row by the words after them, ${2 * padded} in all, so that
// the state n steps on, n from 1 to ${padded}, can be read off; that is what a jump sums up.

// Continue every row, one a work-group. Where the rows are of words still, take their logarithms first.
__kernel void continue_states(__global ${word} *restrict rows, const uint raw)
{
    __global ${word} *row = rows + get_group_id(0) * (size_t)${2 * padded};
    const uint lane = get_local_id(0), lanes = get_local_size(0);
    if (raw) {
        for (uint i = lane; i < ${order}u; i += lanes) row[i] = ${s}logarithm(row[i]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    for (uint at = ${order}; at < ${2 * padded}u; at += ${min(lags)}) {
        const uint some = CLRNG_MIN(${min(lags)}u, ${2 * padded}u - at);
        for (uint i = lane; i < some; i += lanes)
            row[at + i] = ${s}total(${s}after(${s}one(row[at + i - ${lags[0]}]), ${s}one(row[at + i - ${lags[1]}])));
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

// Target d * count + r becomes the state of source r some steps on, whose weights are row d - 1 of `weights`, or the
// same state for d = 0. A work-item makes ${run} words. Targets that are not jumped from again are words, in rows of
// `target_words`.
__kernel void jump_states(__global const ${word} *restrict sources, const uint count,
                          __global ${word} *restrict targets, const uint wanted, const uint target_words,
                          __global const ${word} *restrict weights, const uint last)
{
    const uint item = get_global_id(0), target = item / ${padded // run}u, first = item % ${padded // run}u * ${run}u;
    if (target >= wanted) return;
    const uint d = target / count;
    __global const ${word} *x = sources + target % count * (size_t)${2 * padded} + first;
    targets += target * (size_t)target_words + first;
    if (d == 0) {
        for (uint i = 0; i < ${run}; i++) targets[i] = last ? ${s}antilogarithm(x[i]) : x[i];
        return;
    }
    weights += (d - 1) * (size_t)${padded * weight_words};
% for j in range(parts):
    ${v}sum y${j} = ${v}nothing();
% endfor
% if width == 1:
% for j in range(run):
    ${word} x${j} = x[${j}];
% endfor
    for (uint i = 0; i < ${padded}; i += ${run}) {
% for j in range(0, run, group):
        const ${word}${group} next_${j} = *(__global const ${word}${group} *)(x + i + ${run + j});
% endfor
% for j in range(run):
        const ${word} x${run + j} = next_${j - j % group}.s${j % group};
% endfor
% for i in range(run):
% for j in range(run):
        y${j} = ${v}plus(y${j}, ${v}scaled(x${i + j}, ${weight(i)}));
% endfor
% endfor
% for j in range(run):
        x${j} = x${run + j};
% endfor
    }
% for j in range(run):
    const ${word} z${j} = ${s}total(y${j});
    targets[${j}] = last ? ${s}antilogarithm(z${j}) : z${j};
% endfor
% else:
    for (uint i = 0; i < ${padded}; i += 4) {
% for i in range(4):
% for j in range(parts):
        y${j} = ${v}plus(y${j}, ${v}scaled(vload${width}(0, x + i + ${i + j * width}), ${weight(i)}));
% endfor
% endfor
    }
% for j in range(parts):
    const ${word}${width} z${j} = ${v}total(y${j});
    vstore${width}(last ? ${v}antilogarithm(z${j}) : z${j}, 0, targets + ${j * width});
% endfor
% endif
}
