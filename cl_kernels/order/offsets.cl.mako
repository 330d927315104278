## What a scatter moves, from where it begins in memory; keys and values that are read, from number `begin` on.
<%page args="begin=''"/>\
    keys += offset${begin};
% if keys_out:
    new_keys += new_keys_offset;
% endif
% if values == "read":
    values += values_offset${begin};
% endif
% if values:
    new_values += new_values_offset;
% endif
