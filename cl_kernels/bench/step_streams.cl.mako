// The states of `groups` times ${width} neighbouring streams, a word each, moved on by `steps` steps and written back
// with the last values, by however many work-items there are: work-item i begins at group i*first, goes on by
// `onward`, and takes at most `each` of them.
__kernel void step_streams(__global ${word} *restrict states, __global ${out} *restrict last, const uint groups,
                           const uint first, const uint onward, const uint each, const uint steps)
{
    uint group = get_global_id(0) * first;
    for (uint i = 0; i < each && group < groups; i++, group += onward) {
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
