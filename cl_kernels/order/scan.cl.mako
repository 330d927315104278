## What the kernels of this room that put values at places have in common; others inherit from it and define
##   functions() definitions that the others use; none if it is left out
##   inputs()   parameters of kernels that terms are read from, each followed by a comma
##   term()     the expression of term i, a ${total}
##   counted()  the same, where the parts are added up: it may leave behind what term() then reads; term() if it is left out
##   outputs()  parameters of kernels for what is written, each preceded by a comma
##   store()    what is done with term i, named term, and with the sum of all terms before it, named before
##   totals()   "1" where store() uses the sum of all terms, named all; sums[parts] is then it, too
##   selects()  "1" where terms are 0 or 1 and store() only writes to place `before` of the result. Where one work-item
##              goes through a part, store() is then done for all terms without a branch to predict: a place that is
##              written for a term of 0 is written again for the next term of 1.
<%def name="functions()"></%def>\
<%def name="selects()"></%def>\
<%def name="totals()"></%def>\
<%def name="counted()">${self.term()}</%def>\
<%
    selecting = bool(capture(self.selects).strip())
    totals = bool(capture(self.totals).strip())
%>\
${self.functions()}
// Sums of the terms before each place of an array: reduce, scan and scatter.
//
// The n terms are cut into parts of part_length, the last one shorter. sum_parts adds up each part. place_terms adds up
// the sums of the parts before, and goes through each part again. No work-group waits for another, as OpenCL does not
// promise that they run at the same time; terms are read twice for it.
% if group_size == 1:
//
// A part is gone through by one work-item, which does ${each} terms a turn.
% else:
//
// A part is gone through by a work-group of ${group_size}, in tiles of ${each} terms a work-item. Terms are read, and places
// written to, by neighbouring work-items side by side. In between each work-item has ${each} neighbouring terms in local
// memory, and a word is left out after every 32, so that work-items do not meet at the same bank.
#define PADDED(k) ((k) + ((k) >> 5))
% endif

% if group_size == 1:
__kernel void sum_parts(${self.inputs()}const ulong n, const ulong part_length, __global ${total} *restrict sums)
{
    const ulong begin = get_global_id(0) * part_length, end = min(begin + part_length, n);
    ${total} ${", ".join(f"sum{j} = 0" for j in range(each))};
    ulong first = begin;
    for (; first + ${each} <= end; first += ${each}) {
    % for j in range(each):
        { const ulong i = first + ${j}; sum${j} += ${self.counted()}; }
    % endfor
    }
    for (ulong i = first; i < end; i++) sum0 += ${self.counted()};
    sums[get_global_id(0)] = ${" + ".join(f"sum{j}" for j in range(each))};
}

__kernel void place_terms(${self.inputs()}const ulong n, const ulong part_length,
                          __global ${total} *restrict sums, const uint parts${self.outputs()})
{
    const uint part = get_global_id(0);
    const ulong begin = part * part_length, end = min(begin + part_length, n);
    ${total} before = 0;
    for (uint k = 0; k < part; k++) before += sums[k];
% if totals:
    ${total} all = before;
    for (uint k = part; k < parts; k++) all += sums[k];
    if (part == 0) sums[parts] = all;
% endif
% if selecting:
    const ${total} places_end = before + sums[part];
% endif
    ulong first = begin;
    for (; first + ${each} <= end${f" && places_end - before >= {each}" if selecting else ""}; first += ${each}) {
    % for j in range(each):
        {
            const ulong i = first + ${j};
            const ${total} term = ${self.term()};
            ${self.store()}
            before += term;
        }
    % endfor
    }
    for (ulong i = first; ${"before < places_end" if selecting else "i < end"}; i++) {
        const ${total} term = ${self.term()};
        ${self.store()}
        before += term;
    }
}
% else:
<%include file="scan_in_group.cl.mako" args="sum_type=total"/>
__kernel void sum_parts(${self.inputs()}const ulong n, const ulong part_length, __global ${total} *restrict sums)
{
    __local ${total} of_items[${group_size + min(group_size, 16)}];
    const ulong begin = get_group_id(0) * part_length, end = min(begin + part_length, n);
    ${total} sum = 0, all;
    for (ulong tile = begin; tile < end; tile += ${group_size * each}) {
    % for j in range(each):
        { const ulong i = tile + ${j * group_size} + get_local_id(0); if (i < end) sum += ${self.counted()}; }
    % endfor
    }
    sum_before(sum, of_items, &all);
    if (get_local_id(0) == 0) sums[get_group_id(0)] = all;
}

__kernel void place_terms(${self.inputs()}const ulong n, const ulong part_length,
                          __global ${total} *restrict sums, const uint parts${self.outputs()})
{
    __local ${total} tile_sums[${group_size * each + group_size * each // 32}], of_items[${group_size + min(group_size, 16)}];
    const uint lane = get_local_id(0), part = get_group_id(0);
    const ulong begin = part * part_length, end = min(begin + part_length, n);
    ${total} before_part = 0, before_tile;
    for (uint k = lane; k < part; k += ${group_size}) before_part += sums[k];
    sum_before(before_part, of_items, &before_tile);
% if totals:
    ${total} behind = 0, all;
    for (uint k = part + lane; k < parts; k += ${group_size}) behind += sums[k];
    sum_before(behind, of_items, &all);
    all += before_tile;
    if (part == 0 && lane == 0) sums[parts] = all;
% endif
    for (ulong tile = begin; tile < end; tile += ${group_size * each}) {
    % for j in range(each):
        ${total} term${j} = 0;
        { const ulong i = tile + ${j * group_size} + lane; if (i < end) term${j} = ${self.term()}; }
        tile_sums[PADDED(${j * group_size} + lane)] = term${j};
    % endfor
        barrier(CLK_LOCAL_MEM_FENCE);
    % for j in range(each):
        const ${total} own${j} = tile_sums[PADDED(${each} * lane + ${j})];
    % endfor
        ${total} of_tile, sum = before_tile + sum_before(${" + ".join(f"own{j}" for j in range(each))}, of_items, &of_tile);
        before_tile += of_tile;
    % for j in range(each):
        tile_sums[PADDED(${each} * lane + ${j})] = sum;
        sum += own${j};
    % endfor
        barrier(CLK_LOCAL_MEM_FENCE);
    % for j in range(each):
        {
            const ulong i = tile + ${j * group_size} + lane;
            if (i < end) {
                const ${total} term = term${j}, before = tile_sums[PADDED(${j * group_size} + lane)];
                ${self.store()}
            }
        }
    % endfor
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
% endif
