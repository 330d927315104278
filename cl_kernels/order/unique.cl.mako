## A sorted key that differs from the key before it begins a group of equal keys. For group k, found[k] is its first key,
## index[k] the place of this before it was sorted, and starts[k] its place in the sorted keys. inverse has for every key,
## at its place before it was sorted, the number of its group.
<%inherit file="scan.cl.mako"/>
<%def name="functions()"><%include file="keys.cl.mako"/></%def>
<%def name="inputs()">__global const ${word} *restrict keys, const ulong keys_offset, </%def>
<%def name="term()">(i == 0 || ordered(keys[keys_offset + i]) != ordered(keys[keys_offset + i - 1]))</%def>
<%def name="outputs()">\
% if index or inverse:
, __global const uint *restrict places, const ulong places_offset\
% endif
, __global ${word} *restrict found, const ulong found_offset\
% if index:
, __global uint *restrict index, const ulong index_offset\
% endif
% if inverse:
, __global uint *restrict inverse, const ulong inverse_offset\
% endif
% if starts:
, __global uint *restrict starts, const ulong starts_offset\
% endif
</%def>
<%def name="selects()">${"" if inverse else 1}</%def>
<%def name="store()">
% if inverse or group_size > 1:
            if (term)
% endif
            {
                found[found_offset + before] = keys[keys_offset + i];
% if index:
                index[index_offset + before] = places[places_offset + i];
% endif
% if starts:
                starts[starts_offset + before] = (uint)i;
% endif
            }
% if inverse:
            inverse[inverse_offset + places[places_offset + i]] = before + term - 1;
% endif
</%def>
