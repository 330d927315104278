<%
    tile = width * interleaved
    vector = f"{out}{width}"
    starts = [f"start_{i}" for i in range(order)]
    times = "" if steps == 1 else f"{steps} * "
    states = range(interleaved * steps)
    state_of = lambda c: [f"x{c * steps + d}" for d in range(steps)]
%>
<%include file="store.cl.mako"/>
typedef ${vector} values_anywhere __attribute__((aligned(${out_bytes})));

// One exact stream, of which runs of values are stored, as by fill_runs. A work-item makes a column of `column_length`
// values of runs `slots` apart, ${tile} values at a time: `stride` has the words of the stride to the next of its runs, and
// behind them those of the stride by ${tile} values.
__kernel void fill_run_vectors(
<%include file="run_arguments.cl.mako"/>
{
    const ulong lane = get_global_id(0);
<%include file="run_of_item.cl.mako"/>
    if (turns == 0) return;
    const uint begin = column * column_length, n = CLRNG_MIN(length - begin, column_length);
    out += at + begin * spacing;

    ${word} words[${order * tile * steps}];
    ${s}state s = ${s}jump(${s}load(${", ".join(starts)}), ${times}(place + begin) + 1);
    for (int k = 0; k < ${tile * steps}; k++) {
        const int i = k / ${steps};    // the value, of which this is a step
        const int at_word = (i / ${width} * ${steps} + k % ${steps}) * ${width} + i % ${width};
% for j in range(order):
        words[${f"{j * tile * steps} + " if j else ""}at_word] = ${s}word_${j}(s);
% endfor
        s = ${s}jump(s, 1);
    }
% for c in states:
    ${v}state of_run_${c} = ${v}load(${", ".join(f"vload{width}({j * interleaved * steps + c}, words)" for j in range(order))});
% endfor
    const ${v}stride by_run = ${v}stride_from(stride), by_tile = ${v}stride_from(stride + ${stride_words});
% if streaming:
    const bool aligned = (((size_t)out | (size_t)(slots * apart * ${out_bytes})) & ${width * out_bytes - 1}) == 0;
% endif

    for (uint turn = 0; turn < turns; turn++, out += (long)slots * apart) {
% for c in states:
        ${v}state x${c} = of_run_${c};
        of_run_${c} = ${v}apply_stride_unreduced(of_run_${c}, by_run);
% endfor
        for (uint i = 0; i < n; i += ${tile}u) {
% for c in range(interleaved):
            const ${vector} y${c} = ${outputs.of_states(v, state_of(c))};
% endfor
% for c in states:
            x${c} = ${v}apply_stride_unreduced(x${c}, by_tile);
% endfor
% if streaming:
            if (aligned && n - i >= ${tile}u) {
% for c in range(interleaved):
                CLRNG_STORE(y${c}, (__global ${vector} *)(out + i + ${c * width}));
% endfor
                continue;
            }
% endif
            if (${"spacing == 1 && " if single else ""}n - i >= ${tile}u) {
% for c in range(interleaved):
                *(__global values_anywhere *)(out + i + ${c * width}) = y${c};
% endfor
            } else {
                ${out} rest[${tile}];
% for c in range(interleaved):
                vstore${width}(y${c}, ${c}, rest);
% endfor
                const uint some = CLRNG_MIN(n - i, ${tile}u);
                for (uint k = 0; k < some; k++) out[(long)(i + k) * spacing] = rest[k];
            }
        }
    }
}
