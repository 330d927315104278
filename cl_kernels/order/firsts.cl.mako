## An integer is a term of 1 if it is the first of those that are equal, by the words of `put_first`; the terms take the places
## of the words' numbers. The first `wanted` of them are stored, and at[0] is how many there are in all, at[1] the place of the last one stored.
<%inherit file="scan.cl.mako"/>
<%def name="inputs()">__global uint *restrict memory, const ulong memory_offset, </%def>
<%def name="counted()">(memory[memory_offset + i] = memory[memory_offset + n + memory[memory_offset + i]] == (uint)i)</%def>
<%def name="term()">memory[memory_offset + i]</%def>
<%def name="outputs()">, __global const ulong *restrict integers, const ulong integers_offset,
                          __global ${out} *restrict out, const ulong out_offset, __global uint *restrict at,
                          const ulong at_offset, const uint wanted</%def>
<%def name="totals()">1</%def>
<%def name="store()">
            if (term && before < wanted) {
                out[out_offset + before] = (${out})integers[integers_offset + i];
                if (before + 1 == wanted) at[at_offset + 1] = (uint)i;
            }
            if (i == 0) at[at_offset] = all;
</%def>
