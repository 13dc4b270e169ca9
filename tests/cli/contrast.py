#!/usr/bin/env python3
"""Whether the colours of the pages can be read: WCAG 2.1 AA, in light, dark and print.

usage: contrast.py STYLESHEET
"""
import re
import sys

TEXTS = "text dim good problem warning undecided note accent".split()
GROUNDS = "back card".split()
SHAPES = "share0 share1 share2 share3 share4 accent".split()  # 3:1 against what they stand on


def luminance(colour):
    digits = colour.lstrip("#")
    if len(digits) == 3:
        digits = "".join(d * 2 for d in digits)
    parts = [int(digits[i:i + 2], 16) / 255 for i in (0, 2, 4)]
    parts = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def ratio(a, b):
    a, b = sorted((luminance(a), luminance(b)), reverse=True)
    return (a + 0.05) / (b + 0.05)


css = open(sys.argv[1]).read()
themes = [dict(re.findall(r"--(\w+): (#\w+)", block)) for block in re.findall(r":root \{(.*?)\}", css, re.S)]
failed = [] if len(themes) == 3 else [f"{len(themes)} themes, not light, dark and print"]
for number, colours in enumerate(themes):
    colours = {**themes[0], **colours}
    wanted = [(t, g, 4.5) for t in TEXTS for g in GROUNDS] + [("text", "soft", 4.5)] + [(s, "card", 3) for s in SHAPES]
    for text, ground, least in wanted:
        got = ratio(colours[text], colours[ground])
        if got < least:
            failed.append(f"theme {number}: {text} on {ground} is {got:.2f}, not {least}")
print("\n".join(failed) or "every colour can be read")
sys.exit(bool(failed))
