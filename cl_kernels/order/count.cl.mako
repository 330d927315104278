## What the kernels that count values in bins have in common; others inherit from it and define
##   parameters()  parameters of the kernel that bins are found with, each preceded by a comma
##   find()        statements that set bin to the bin of value x, or leave it at NONE where it is not counted
#define NONE 0xffffffffu
% if local_words:
<%include file="local_counters.cl.mako"/>
% endif

__kernel void clear_counts(__global uint *counts, const ulong offset, const uint bins)
{
    if (get_global_id(0) < bins) counts[offset + get_global_id(0)] = 0;
}

// Adds to counts how many of the n values of a are of each bin. They are cut into parts of part_length, a multiple of
// ${lanes * each * width}, the last one shorter. Each part is gone through by a work-group, whose work-items have ${each}
// times ${width} values a turn.
__kernel void count_values(__global const ${value} *restrict a, const ulong a_offset, const ulong n, const ulong part_length,
                           __global uint *counts, const ulong offset, const uint bins, const uint log_copies${self.parameters()})
{
<%def name="one(number, x, condition)">
        {
            uint bin = NONE;
            if (${condition}) {
                const ${value} x = ${x};
                ${self.find()}
            }
    % if not local_words:
            if (bin != NONE) atomic_inc(counts + bin);
    % elif lanes == 1:
            if (bin != NONE) count(counters, bin, ${number} & copies, log_copies);
    % else:
            if (bin != NONE) count(counters, bin, copy, log_copies);
    % endif
        }
</%def>\
    const ulong begin = get_group_id(0) * part_length, end = min(begin + part_length, n);
    a += a_offset;
    counts += offset;
% if local_words:
    __local uint counters[${local_words}];
    clear_counters(counters, bins, log_copies);
    const uint copies = (1 << log_copies) - 1;
    % if lanes > 1:
    const uint copy = get_local_id(0) & copies;
    % endif
% endif
    ulong first = begin;
    for (; first + ${lanes * each * width} <= end; first += ${lanes * each * width}) {
% if width > 1:
        __global const ${value}${width} *from = (__global const ${value}${width} *)(a + first) + get_local_id(0);
    % for j in range(each):
        const ${value}${width} taken${j} = from[${j * lanes}];
    % endfor
    % for j in range(each):
        % for k in range(width):
        ${one(k, f"taken{j}.s{k:x}", 1)}
        % endfor
    % endfor
% else:
    % for j in range(each):
        const ${value} taken${j} = a[first + ${j * lanes} + get_local_id(0)];
    % endfor
    % for j in range(each):
        ${one(j, f"taken{j}", 1)}
    % endfor
% endif
    }
    for (; first < end; first += ${lanes}) {
        ${one(0, "a[first + get_local_id(0)]", "first + get_local_id(0) < end")}
    }
% if local_words:
    add_counters(counters, bins, log_copies, counts);
% endif
}
