"""Forms of an answer; standard library only.

A closed question is answered by the slug of a reading; every other by a measure: a number, a list, a
small table. Answers read here can be compared, hashed and kept; the same answer always looks the same.
"""
