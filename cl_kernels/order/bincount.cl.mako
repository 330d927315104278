<%inherit file="count.cl.mako"/>
<%! vectors = False %>\
<%def name="parameters()"></%def>
<%def name="find()">bin = (uint)x;</%def>
