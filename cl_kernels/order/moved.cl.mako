## The parameters of a scatter for what it moves: new_keys where keys_out, new_values where there are values. `restrict`
## says that no other parameter leads to their memory, or nothing.
<%page args="restrict='restrict '"/>\
% if keys_out:
, __global ${word} *${restrict}new_keys, const ulong new_keys_offset\
% endif
% if values == "read":
, __global const ${value} *${restrict}values, const ulong values_offset\
% endif
% if values:
, __global ${value} *${restrict}new_values, const ulong new_values_offset\
% endif
