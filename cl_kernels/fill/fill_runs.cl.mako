<%
    starts = [f"start_{i}" for i in range(order)]
    times = "" if steps == 1 else f"{steps} * "
    states_of = lambda c: [f"x{c * steps + d}" for d in range(steps)]
%>
// One exact stream, of which runs of `length` values are stored: value i of a run goes to the place of its first value
// plus i * spacing${"" if single else ", where spacing is 1"}. A value takes ${steps} step(s).
//
// Runs lie along axes. An axis has three numbers: how many runs, and how far it is from one to the next in values of the
// stream and in values of memory. They are `rows`, `pitch` and `apart` for the first axis, and in `axes` for the others. A run
// is cut into columns of `column_length` values${"" if single else ", aligned in memory; its first and last column may be shorter"}. A
// work-item makes one column of runs that are `slots` apart, and `stride` takes its state from one of them to the next.
__kernel void fill_runs(
<%include file="run_arguments.cl.mako"/>
{
${outputs.opening}    const ulong lane = get_global_id(0);
<%include file="run_of_item.cl.mako"/>
    out += at;
% if single:
    const uint begin = column * column_length, end = CLRNG_MIN(length - begin, column_length) + begin;
    out += begin * spacing;
% else:
    const uint before = convert_uint((size_t)out / sizeof(${out})) & ${per_store - 1}u;
    const uint begin = column == 0 ? 0 : column * ${per_store}u - before;
    const uint end = CLRNG_MIN(length, column * ${per_store}u - before + ${per_store}u);
    out += begin;
% endif
    if (turns == 0 || begin >= end) return;
    const uint n = end - begin;
    ${s}state x = ${s}jump(${s}load(${", ".join(starts)}), ${times}(place + begin));
    const ${s}stride by = ${s}stride_from(stride);

    for (uint turn = 0; turn < turns; turn++, out += (long)slots * apart) {
% if single:
        ${s}state y = x;
        ${outputs.declare(s, "y")}
        __global ${out} *to = out;
        for (uint i = 0; i < n; i++, to += spacing) {
            ${outputs.advance(s, "y", f"y = {s}next(y);")}
            *to = ${outputs.of_advanced(s, "y")};
        }
% else:
% for i in range(per_store * steps):
        const ${s}state x${i} = ${s}next(${f"x{i - 1}" if i else "x"});
% endfor
% if outputs.has_hot:
        bool is_cold = false;
% endif
% for c in range(per_store):
        ${out} y${c} = ${outputs.of_states(s, states_of(c), hot=outputs.has_hot)};
% endfor
% if outputs.has_hot:
        if (is_cold) {
% for c in range(per_store):
            y${c} = ${outputs.of_states(s, states_of(c))};
% endfor
        }
% endif
        if (n == ${per_store}u) {
            *(__global ${out}${per_store} *)out = ${joined(out, [f"y{c}" for c in range(per_store)])};
        } else {
% for c in range(per_store):
            if (${c}u < n) out[${c}] = y${c};
% endfor
        }
% endif
        x = ${s}apply_stride(x, by);
    }
}
