<%
    axes = range(axes_count)
    arguments = "".join(f", const {index} size_{d}, const long from_{d}, const long to_{d}, const long pick_{d}" for d in axes)
%>
// Copies the elements of an array, or those that `picks` says. The place i counts along the axes of the result; along axis d
// there are size_d, which are to_d elements of `to` apart, from_d of `from` and pick_d of `picks`.
% if pick:
// An element may be stored where its own pick is.
% endif
__kernel void move(__global const ${element} *restrict from, const ulong from_offset, __global ${element} *to,
                   const ulong to_offset, const ulong n${f", __global const {pick} *picks, const ulong pick_offset, const long pick_step" if pick else ""}${arguments})
{
    const ulong item = get_global_id(0);
    if (item >= n) return;
    ${index} left = (${index})item;
    long source = (long)from_offset, target = (long)to_offset;
% if pick:
    long choice = (long)pick_offset;
% endif
% for d in reversed(axes):
    {
% if d:
        const ${index} before = left / size_${d}, place = left - before * size_${d};
        left = before;
% else:
        const ${index} place = left;
% endif
        source += (long)place * from_${d};
        target += (long)place * to_${d};
% if pick:
        choice += (long)place * pick_${d};
% endif
    }
% endfor
% if pick:
    source += (long)picks[choice] * pick_step;
% endif
    to[target] = from[source];
}
