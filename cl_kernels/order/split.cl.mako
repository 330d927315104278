<%inherit file="scan.cl.mako"/>
<%def name="inputs()">__global const ${flag} *restrict condition, const ulong condition_offset, </%def>
<%def name="term()">(condition[condition_offset + i] != 0)</%def>
<%def name="outputs()">, __global const ${value} *restrict a, const ulong a_offset, __global ${value} *restrict out,
                          const ulong out_offset</%def>
<%def name="totals()">1</%def>
<%def name="store()">
            const ulong other = all + (i - before);
            out[out_offset + (other ^ ((other ^ before) & -(ulong)term))] = a[a_offset + i];
</%def>
