<%page args="kind='uint', begin='begin', wide=1"/>
## Begins a loop over the places of n elements from which on work-items make `wide` in a turn; the kernel that includes this ends it.
<% times = f" * {wide}" if wide > 1 else "" %>\
    for (${kind} ${begin} = get_global_id(0)${times}; ${begin} < n; ${begin} += get_global_size(0)${times}) {
