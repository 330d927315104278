"""The experiments of the papers of 2008, 2009 and 2012."""
