"""Witnesses of a text: read, aligned word by word, and every variant with its kind.

A witness is another copy or print of a text that the edition transcribes. It moves no answer by itself and is no
source: a variant that would is an interpretation like any other.
"""
