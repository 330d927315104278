<%inherit file="count.cl.mako"/>
<%def name="parameters()"></%def>
<%def name="find()">bin = (uint)x;</%def>
