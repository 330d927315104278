<%
    vector = lambda size: f"{out}{size}"
    starts = [f"start_{i}" for i in range(order)]
    times = "" if steps == 1 else f"{steps} * "
    block, rounds = min(width, 16 // out_bytes), width.bit_length() - 1
%>
// Vectors of one step of all lanes are transposed to the steps of one lane.
<%include file="/zip.cl.mako" args="prefix=v, kind=out, length=width, block=block, rounds=rounds"/>
typedef ${vector(chunk)} values_anywhere __attribute__((aligned(${out_bytes})));

// One exact stream, of which runs of values are stored, as by fill_runs. A lane makes a column of `column_length` values
// of runs `slots` apart; a work-item has ${width} lanes, which make ${chunk} values each at a time.
__kernel void fill_run_lanes(
<%include file="run_arguments.cl.mako"/>
{
    long places[${width}];
    uint counts[${width}], turns_of[${width}];
    ${word} words[${order * width}];
    for (uint l = 0; l < ${width}; l++) {
        __global const long *all_axes = axes;
        const ulong lane = get_global_id(0) * (ulong)${width} + l;
<%include file="run_of_item.cl.mako"/>
        axes = all_axes;
        const uint begin = column * column_length;
        places[l] = at + begin * spacing;
        counts[l] = CLRNG_MIN(length - begin, column_length);
        turns_of[l] = turns;
        ${s}state s = ${s}load(${", ".join(starts)});
        if (turns != 0) s = ${s}jump(s, ${times}(place + begin));
% for j in range(order):
        words[${j * width} + l] = ${s}word_${j}(s);
% endfor
    }
    ${v}state of_run = ${v}load(${", ".join(f"vload{width}({j}, words)" for j in range(order))});
    const ${v}stride by = ${v}stride_from(stride);

    const uint most = convert_uint((rows - 1) / slots + 1), longest = CLRNG_MIN(length, column_length);
    for (uint turn = 0; turn < most; turn++) {
        ${v}state x = of_run;
        ${outputs.declare(v, "x")}
        for (uint i = 0; i < longest; i += ${chunk}u) {
% for j in range(chunk):
            ${outputs.advance(v, "x", f"x = {v}next(x);")}
            const ${out}${w} y0_${j}_0 = ${outputs.of_advanced(v, "x")};
% endfor
% for first in range(0, chunk, width):
<%include file="/transpose.cl.mako" args="prefix=v, vector=out + w, block=block, rounds=rounds, first=first"/>
% endfor
% for l in range(width):
            if (turn < turns_of[${l}] && i < counts[${l}]) {
                const ${vector(chunk)} made = (${vector(chunk)})(${", ".join(f"y{rounds}_{first}_{l}" for first in range(0, chunk, width))});
                __global ${out} *to = out + places[${l}] + (long)i * spacing;
                if (${"spacing == 1 && " if single else ""}counts[${l}] - i >= ${chunk}u) *(__global values_anywhere *)to = made;
                else {
                    ${out} rest[${chunk}];
                    vstore${chunk}(made, 0, rest);
                    const uint some = CLRNG_MIN(counts[${l}] - i, ${chunk}u);
                    for (uint k = 0; k < some; k++) to[k * spacing] = rest[k];
                }
            }
% endfor
        }
        of_run = ${v}apply_stride(of_run, by);
        for (uint l = 0; l < ${width}; l++) places[l] += (long)slots * apart;
    }
}
