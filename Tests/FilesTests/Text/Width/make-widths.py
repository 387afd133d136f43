#!/usr/bin/env python3
"""Writes widths.txt: the width of each character by PyPI's wcwidth.

Run it with another version of wcwidth to compare DisplayWidth with that:
    pip install wcwidth && python3 make-widths.py > widths.txt
"""

import wcwidth


def runs():
    """Yields (first, last, width) for each run of characters of one width other than 1."""
    first, width = 0, None
    for value in range(0x110000):
        if 0xD800 <= value <= 0xDFFF:
            now = 1
        else:
            now = wcwidth.wcwidth(chr(value))
        if now != width:
            if width not in (None, 1):
                yield first, value - 1, width
            first, width = value, now
    if width not in (None, 1):
        yield first, 0x10FFFF, width


def pictures():
    """Yields the characters that are wide with a variation selector 16, and narrow without."""
    for value in range(0x80, 0x20000):
        character = chr(value)
        if wcwidth.wcwidth(character) == 1 and wcwidth.wcswidth(character + "\ufe0f") == 2:
            yield value


print("# wcwidth", wcwidth.__version__, "with Unicode", wcwidth.list_versions()[-1])
print("# first last width: runs of characters whose width is not 1")
for first, last, width in runs():
    print(f"{first:x} {last:x} {width}")
print("# characters that are wide with a variation selector 16")
for value in pictures():
    print(f"{value:x} {value:x} +")
