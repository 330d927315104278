## What the kernels that count values in bins have in common; others inherit from it and define
##   parameters()  parameters of the kernel that bins are found with, each preceded by a comma
##   find()        statements that set bin, an uint, to the bin of value x, or leave it at NONE where it is not counted
##   find_all()    with vectors, statements that set bins, an int${vector}, to the bins of the values of vector x, and simple to 0 where
##                 one of them needs find()
#define NONE 0xffffffffu
<%
    turn = group_size * each * width * vector
%>\
% if local_words:
<%include file="local_counters.cl.mako"/>
% endif

__kernel void clear_counts(__global uint *counts, const ulong offset, const ulong words)
{
    if (get_global_id(0) < words) counts[offset + get_global_id(0)] = 0;
}

// Counts in counts how many of the n values of a are of each bin, on top of what is there. The values are cut into parts
// of part_length, a multiple of ${turn}, the last one shorter, and each part is gone through by a work-group.
% if not local_words and group_size == 1:
// Each work-group, which is one work-item, has counts of its own.
% endif
__kernel void count_values(__global const ${value} *restrict a, const ulong a_offset, const ulong n, const ulong part_length,
                           __global uint *counts, const ulong offset, const uint bins, const uint log_copies${self.parameters()})
{
<%def name="add(bin, number)">\
% if local_words:
count(counters, ${bin}, ${f"{number} & copies" if group_size == 1 else "copy"}, log_copies);\
% elif group_size > 1:
atomic_inc(counts + ${bin});\
% else:
counts[${bin}]++;\
% endif
</%def>
<%def name="one(number, value_text)">
        {
            uint bin = NONE;
            const ${value} x = ${value_text};
            ${self.find()}
            if (bin != NONE) ${add("bin", number)}
        }
</%def>\
    const ulong begin = get_group_id(0) * part_length, end = min(begin + part_length, n);
    a += a_offset;
    counts += offset;
% if local_words:
    __local uint counters[${local_words}];
    clear_counters(counters, bins, log_copies);
    const uint copies = (1 << log_copies) - 1;
    % if group_size > 1:
    const uint copy = get_local_id(0) & copies;
    % endif
% elif group_size == 1:
    counts += get_global_id(0) * (ulong)bins;
% endif
    ulong first = begin;
    for (; first + ${turn} <= end; first += ${turn}) {
% if self.attr.vectors and vector > 1:
    % for j in range(each):
        {
            const ${value}${vector} x = vload${vector}(${j}, a + first);
            int${vector} bins_found;
            int simple = 1;
            ${self.find_all()}
            if (simple) {
        % for k in range(vector):
                ${add(f"(uint)bins_found.s{k:x}", k)}
        % endfor
            } else {
                for (uint k = 0; k < ${vector}; k++) ${one("k", f"a[first + {j * vector} + k]")}
            }
        }
    % endfor
% elif width > 1:
        __global const ${value}${width} *from = (__global const ${value}${width} *)(a + first) + get_local_id(0);
    % for j in range(each):
        const ${value}${width} taken${j} = from[${j * group_size}];
    % endfor
    % for j in range(each):
        % for k in range(width):
        ${one(k, f"taken{j}.s{k:x}")}
        % endfor
    % endfor
% else:
    % for j in range(each * vector):
        const ${value} taken${j} = a[first + ${j * group_size} + get_local_id(0)];
    % endfor
    % for j in range(each * vector):
        ${one(j, f"taken{j}")}
    % endfor
% endif
    }
    for (first += get_local_id(0); first < end; first += ${group_size}) ${one(0, "a[first]")}
% if local_words:
    add_counters(counters, bins, log_copies, counts);
% endif
}

% if not local_words and group_size == 1:
// Adds up the tables of all work-items.
__kernel void add_tables(__global uint *restrict counts, const ulong offset, const ulong bins,
                         __global const uint *restrict tables, const uint number)
{
    const ulong bin = get_global_id(0);
    if (bin >= bins) return;
    uint sum = 0;
    for (uint k = 0; k < number; k++) sum += tables[k * bins + bin];
    counts[offset + bin] = sum;
}
% endif
