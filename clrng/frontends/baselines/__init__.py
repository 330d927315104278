"""The algorithms published from 2008 to 2012, for comparison."""
