<%page args="kind='uint', begin='begin', wide=1"/>
## Begins a loop, which the kernel that includes this ends: work-items go over n elements, `wide` of them in a turn.
<% times = f" * {wide}" if wide > 1 else "" %>\
    for (${kind} ${begin} = get_global_id(0)${times}; ${begin} < n; ${begin} += get_global_size(0)${times}) {
