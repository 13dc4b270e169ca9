"""src/explain/belief.c once more, fast enough to try numbers on: crossval.py holds the two together.

Takes the records of `rocsteady-kb score --json`, whose lines carry the weights before any
fitted number was applied to them.
"""
import math

SYMPTOMS = {"memory-access-fault", "gpu-hang-reset", "rccl-failure", "gfx-override-needed"}
RELEASE = {"driver-defect", "rocm-regression", "framework-bug", "other"}


def joined(cause):
    return "mixed-rocm-libs" if cause == "framework-runtime-mismatch" else cause


def truths(record):
    return {joined(c) for c in [record["cause"], *record["cause2"]]} - SYMPTOMS


def lines_of(cause, numbers):
    """The sum of a cause's lines, and whether the log or a stated fault speaks for it."""
    total, factor, groups, shown, spoken = 0, 1.0, set(), False, False
    for line in sorted(cause["by"], key=lambda b: (-b["weight"], b["id"])):
        group = (line["group"], line["weight"] > 0)
        if line["group"] and group in groups:
            continue
        groups.add(group)
        counted = line["weight"]
        if line["weight"] > 0:
            counted = math.floor(line["weight"] * factor + 0.5)
            factor *= numbers["echo"] / 100
        total += counted
        spoken = spoken or counted > 0
        shown = shown or (counted > 0 and (not line["describes"] or line["weight"] >= numbers["bare"]))
    return total, spoken, shown


def beliefs(record, numbers, shares):
    """[(belief, cause)] of those that something speaks for, the greatest first."""
    sums = {}
    parts = {c["cause"]: lines_of(c, numbers) for c in record["named"]}
    heard = any(shown for _, _, shown in parts.values())
    for cause, (total, spoken, shown) in parts.items():
        if spoken and (shown or not heard):
            sums[cause] = shares[cause] + total
    rest = {c: s + parts.get(c, (0,))[0] + (0 if heard else numbers.get("unheard-" + c, 0))
            for c, s in shares.items() if c not in sums}
    sharpness = numbers["sharpness"] / 1000
    odds = {c: 10 ** (sharpness * s) for c, s in sums.items()}
    total = sum(odds.values()) + 10 ** (sharpness * numbers["unknown"])
    if not heard:
        total += sum(10 ** (sharpness * s) for s in rest.values())
    ranked = sorted(sums, key=lambda c: (-sums[c], c))
    guesses = {c: 0.0 if heard else 10 ** (sharpness * s) / total for c, s in rest.items()}
    rest = sorted(rest, key=lambda c: (-rest[c], c))
    return [(odds[c] / total, c) for c in ranked] + [(guesses[c], c) for c in rest]


def judge(record, numbers, shares):
    ranked = beliefs(record, numbers, shares)
    right = truths(record)
    hits = [joined(c) in right for _, c in ranked[:3]]
    decided = record["answer"] != "nothing" and ranked[0][0] >= numbers["decided"] / 100
    if decided:
        gain = 1 if hits[0] else -1
    elif record["cause"] == "other":
        gain = 1
    else:
        gain = 0.5 if hits[0] else 0.25 if any(hits) else 0
    return {"belief": ranked[0][0], "hit": hits[0], "hit3": any(hits), "gain": gain, "decided": decided}


def log_loss(record, numbers, shares):
    j = judge(record, numbers, shares)
    return -math.log(max(1e-4, j["belief"] if j["hit"] else 1 - j["belief"]))
