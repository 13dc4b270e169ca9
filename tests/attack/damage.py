"""Sound bytes made hostile, by a seeded die: the same seed gives the same bytes."""
ABSURD = (0, 1, 0x7F, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0xFFFFFFFF, 1 << 62, (1 << 63) - 1, 1 << 63, (1 << 64) - 1)
WORDS = (b"\x1b[31mowned", b"\x1b]0;x\x07", b"\xe2\x80\xae", b"\xc2\x9b2J", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\x08\x7f", b"\xc0\xaf",
         b"../../../../etc/passwd", b"/dev/zero", b"/proc/self/mem", b"%s%n%9999d", b"$(id)", b"`id`", b"'; DROP TABLE gpu; --", b"\\x0a", b"\\",
         b"\"", b"{", b"[" * 300, b"9" * 400, b"-9223372036854775809", b"18446744073709551616", b"1e999", b"NaN", b"0x", b"a" * 70000, b"\n" * 500,
         b" " * 3000, b"<script>alert(1)</script>", b"](javascript:x)", b"| a | b |\n|---|", b"```\n", b"\t", b"=", b"::", b"gfx" + b"9" * 60)


def cut(data, die):
    return data[:die.randrange(len(data) + 1)]


def flip(data, die):
    out = bytearray(data)
    for _ in range(die.choice((1, 1, 2, 8, 64))):
        if out:
            out[die.randrange(len(out))] ^= 1 << die.randrange(8)
    return bytes(out)


def absurd(data, die):
    width = die.choice((1, 2, 4, 8))
    at = die.randrange(max(1, len(data) - width))
    number = die.choice(ABSURD) % (1 << 8 * width)
    return data[:at] + number.to_bytes(width, die.choice(("little", "big"))) + data[at + width:]


def insert(data, die):
    at = die.randrange(len(data) + 1)
    return data[:at] + die.choice(WORDS) + data[at:]


def replace(data, die):
    """Something of ours in the place of a word of theirs."""
    at = die.randrange(len(data) + 1)
    ends = [e for e in (data.find(b, at) for b in (b" ", b"\n", b"\t", b",", b"\"")) if e >= 0]
    return data[:at] + die.choice(WORDS) + data[min(ends, default=len(data)):]


def remove(data, die):
    at = die.randrange(len(data) + 1)
    return data[:at] + data[at + die.choice((1, 2, 16, 500, 20000)):]


def twice(data, die):
    at = die.randrange(len(data) + 1)
    part = data[at:at + die.choice((1, 30, 400, 8000))]
    return data[:at] + part * die.choice((2, 3, 50)) + data[at:]


def lines(data, die):
    """Lines in another order, or gone."""
    parts = data.split(b"\n")
    for _ in range(die.choice((1, 3, 20))):
        a, b = die.randrange(len(parts)), die.randrange(len(parts))
        parts[a], parts[b] = parts[b], parts[a] if die.random() < 0.6 else b""
    return b"\n".join(parts)


def noise(data, die):
    at = die.randrange(len(data) + 1)
    return data[:at] + die.randbytes(die.choice((1, 9, 100, 3000))) + data[at + 64:]


WAYS = (cut, flip, absurd, insert, replace, remove, twice, lines, noise)


def damage(data, die, most=4 << 20):
    """By one to four of the ways."""
    for _ in range(die.choice((1, 1, 1, 2, 4))):
        data = die.choice(WAYS)(data, die)
    return data[:most]


def foreign(raw):
    """What no line of ours has: bytes that act on a terminal, and bytes that are no UTF-8."""
    text = raw.decode("utf-8", "surrogateescape")
    return [repr(c) for c in text if (ord(c) < 32 and c not in "\n\t") or 0x7F <= ord(c) < 0xA0 or 0xDC80 <= ord(c) < 0xDD00
            or c in "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"]
