## The parameters of a scatter for what it moves: new_keys where keys_out, new_values where there are values. `alone` says
## whether no other parameter leads to their memory.
<%page args="alone='restrict '"/>\
% if keys_out:
, __global ${word} *${alone}new_keys, const ulong new_offset\
% endif
% if values == "read":
, __global const ${value} *${alone}values, const ulong values_offset\
% endif
% if values:
, __global ${value} *${alone}new_values, const ulong new_values_offset\
% endif
