"""Corrections: printed statements that fall, each with its counterexample and what is true.

One file for each correction, under the number that it has in the list of corrections; 23 and up
were found while the library was written.  Every file has the exact data of a counterexample, a
function ``fails…`` that evaluates it from these data alone, an entry ``not_…`` for the printed
statement, and entries for what holds instead.  What the source says is given in the words of this
project; the text that was read is a scan, so a wrong symbol may be the scanner's and not the
authors'.  Where that is likely, the entry says so.
"""
