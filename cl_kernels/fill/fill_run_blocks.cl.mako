<%
    group = per_store
    stores = chunk // group
    vector = out if group == 1 else f"{out}{group}"
    starts = [f"start_{i}" for i in range(order)]
    times = "" if steps == 1 else f"{steps} * "
    owners = group_size // stores
    advanced = outputs.advance(s, "x", f"x = {s}next(x);")
    unless_before = lambda i: f"if ({i} >= missing) {{ {advanced} }}" if i < group - 1 else advanced
%>
// One exact stream, of which runs of `length` neighbouring values are stored as fill_runs
// stores them. A column of a run is made in chunks of ${chunk} values that are aligned in memory; the first and the last chunk
// of a run may be shorter.
//
// The ${group_size} work-items of a work-group put a chunk each into local memory. Then they store the chunks together:
// neighbouring work-items store neighbouring ${group} values.
__attribute__((reqd_work_group_size(${group_size}, 1, 1)))
__kernel void fill_run_blocks(
<%include file="run_arguments.cl.mako"/>
{
${outputs.opening}    const ulong lane = get_global_id(0);
<%include file="run_of_item.cl.mako"/>
    __local ${vector} made[${group_size * (stores + 1)}];
    __local long places[${group_size}];
    __local int lows[${group_size}], highs[${group_size}];
    const uint item = get_local_id(0), store = item % ${stores}u, first_owner = item / ${stores}u;
    __local ${vector} *given = made + item * ${stores + 1}u;

    const int before = convert_int(convert_uint((size_t)(out + at) / sizeof(${out})) & ${group - 1}u);
    const int begin = convert_int(column * column_length) - before;    // below 0 for the first column: a chunk begins aligned
    ${s}state x_of_run = ${s}load(${", ".join(starts)});
    if (turns != 0 && begin < convert_int(length)) x_of_run = ${s}jump(x_of_run, ${times}(place + convert_ulong(max(begin, 0))));
    const ${s}stride by = ${s}stride_from(stride);

    const uint most = convert_uint((rows - 1) / slots + 1);    // the most turns of a work-item, as all pass the barriers
    for (uint turn = 0; turn < most; turn++, at += (long)slots * apart) {
        ${s}state x = x_of_run;
        ${outputs.declare(s, "x")}
% if steps > 1:
        ${" ".join(f"x_raw{d} = {s}value(x);" for d in range(steps))}    // legal raw values for the places before a run
% endif
        for (uint made_before = 0; made_before < column_length; made_before += ${chunk}u) {
            const int from = begin + convert_int(made_before), missing = from < 0 ? -from : 0;
            places[item] = at + from;
            lows[item] = missing;
            highs[item] = turn < turns ? convert_int(length) - from : 0;
% if unrolled:
% for j in range(stores):
% for i in range(group):
            ${unless_before(i) if j == 0 else advanced}
            const ${out} y${j}_${i} = ${outputs.of_advanced(s, "x")};
% endfor
            given[${j}] = ${joined(out, [f"y{j}_{i}" for i in range(group)])};
% endfor
% else:
            for (uint j = 0; j < ${stores}; j++) {
% for i in range(group):
                if (j != 0 || ${i} >= missing) { ${advanced} }
                const ${out} y${i} = ${outputs.of_advanced(s, "x")};
% endfor
                given[j] = ${joined(out, [f"y{i}" for i in range(group)])};
            }
% endif
            barrier(CLK_LOCAL_MEM_FENCE);
% for k in range(stores):
            {
                const uint owner = first_owner + ${k * owners}u;
                const int low_i = lows[owner], high_i = highs[owner], i = convert_int(store * ${group}u);
                __local const ${vector} *taken = made + owner * ${stores + 1}u + store;
                __global ${out} *to = out + places[owner] + i;
                if (i >= low_i && i + ${group} <= high_i) *(__global ${vector} *)to = *taken;
                else
                    for (int v = 0; v < ${group}; v++)
                        if (i + v >= low_i && i + v < high_i) to[v] = ((__local const ${out} *)taken)[v];
            }
% endfor
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        x_of_run = ${s}apply_stride(x_of_run, by);
    }
}
