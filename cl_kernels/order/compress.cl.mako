<%inherit file="scan.cl.mako"/>
<%def name="inputs()">__global const ${flag} *restrict condition, const ulong condition_offset, </%def>
<%def name="term()">(condition[condition_offset + i] != 0)</%def>
<%def name="outputs()">, __global const ${value} *restrict a, const ulong a_offset, __global ${value} *restrict out,
                          const ulong out_offset</%def>
<%def name="selects()">1</%def>
<%def name="store()">${"if (term) " if group_size > 1 else ""}out[out_offset + before] = a[a_offset + i];</%def>
