// Moves streams of one word of state on by `steps` steps, and writes their states and last values. There are `groups`
// groups of ${width} neighbouring stream(s). Work-item k takes group k * first_group and then every group_stride-th
// group after it, at most groups_each in all.
__kernel void step_streams(__global ${word} *restrict states, __global ${out} *restrict last, const uint groups,
                           const uint first_group, const uint group_stride, const uint groups_each,
                           const uint steps)
{
    uint group = get_global_id(0) * first_group;
    for (uint i = 0; i < groups_each && group < groups; i++, group += group_stride) {
% if width == 1:
        ${v}state x = ${v}load(states[group]);
% else:
        ${v}state x = ${v}load(vload${width}(group, states));
% endif
        for (uint j = 0; j < steps; j++) x = ${v}next(x);
% if width == 1:
        states[group] = ${v}word_0(x);
        last[group] = ${v}convert(${v}value(x));
% else:
        vstore${width}(${v}word_0(x), group, states);
        vstore${width}(${v}convert(${v}value(x)), group, last);
% endif
    }
}
