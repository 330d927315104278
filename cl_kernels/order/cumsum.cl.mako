<%inherit file="scan.cl.mako"/>
<%def name="inputs()">__global const ${value} *a, const ulong a_offset, </%def>
<%def name="term()">(${total})a[a_offset + i]</%def>
<%def name="outputs()">, __global ${total} *out, const ulong out_offset</%def>
<%def name="store()">out[out_offset + i] = before${"" if exclusive else " + term"};</%def>
