#!/usr/bin/env python3
"""Which GPUs a file holds code for: a second reader, to hold `rocsteady targets` against.

usage: oracle.py [--ranges] [--whole] PATH...

It shares no code with rocsteady and goes other ways where there are some: it maps
files, searches whole sections for magics, finds targets in ids by their name and not
by counting dashes, and with --whole unpacks compressed bundles to the end and checks
their digest. JSON: by path what a file, the members of a container or a directory of
kernels hold. --ranges adds the bytes that nobody can do without: headers, tables.
"""
import collections
import ctypes
import ctypes.util
import fnmatch
import hashlib
import io
import json
import lzma
import mmap
import os
import re
import struct
import subprocess
import sys
import tarfile
import zipfile
import zlib

BUNDLE = b"__CLANG_OFFLOAD_BUNDLE__"
OFFLOAD = b"\x10\xff\x10\xad"
HEAD = 1 << 16  # of an unpacked bundle: far beyond any table seen

# llvm/include/llvm/BinaryFormat/ELF.h, EF_AMDGPU_MACH_AMDGCN_*
MACHINES = {0x20 + n: name for n, name in enumerate(
    "600 601 700 701 702 703 704 - 801 802 803 810 900 902 904 906 908 909 90c 1010 1011 1012 1030 1031 1032 1033 602 "
    "705 805 1035 1034 90a 940 1100 1013 1150 1103 1036 1101 1102 1200 1250 1151 941 942 - 1201 950 1310 9-generic "
    "10-1-generic 10-3-generic 11-generic 1152 - - 1153 12-generic 1251 12-5-generic 1172 1170 1171 9-4-generic - - "
    "11-7-generic 13-generic".split()) if name != "-"}


class Broken(Exception):
    """What was found cannot be what it says it is."""


class Zstd:
    """The streaming half of libzstd: a prefix of a frame, without the rest."""

    class Buffer(ctypes.Structure):
        _fields_ = [("at", ctypes.c_void_p), ("size", ctypes.c_size_t), ("pos", ctypes.c_size_t)]

    def __init__(self):
        lib = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
        lib.ZSTD_createDStream.restype = ctypes.c_void_p
        lib.ZSTD_freeDStream.argtypes = [ctypes.c_void_p]
        lib.ZSTD_DCtx_setParameter.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_int]
        lib.ZSTD_decompressStream.restype = ctypes.c_size_t
        lib.ZSTD_decompressStream.argtypes = [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p]
        lib.ZSTD_isError.argtypes = [ctypes.c_size_t]
        lib.ZSTD_findFrameCompressedSize.restype = ctypes.c_size_t
        lib.ZSTD_findFrameCompressedSize.argtypes = [ctypes.c_char_p, ctypes.c_size_t]
        self.lib = lib

    def frame_size(self, data):
        size = self.lib.ZSTD_findFrameCompressedSize(data, len(data))
        if self.lib.ZSTD_isError(size):
            raise Broken("no whole zstd frame")
        return size

    def unpack(self, data, most):
        """Up to `most` bytes, and how many were read for them."""
        stream = self.lib.ZSTD_createDStream()
        self.lib.ZSTD_DCtx_setParameter(stream, 100, 31)  # window up to 2 GiB
        source = ctypes.create_string_buffer(data, len(data))
        target = ctypes.create_string_buffer(most)
        inp = Zstd.Buffer(ctypes.addressof(source), 0, 0)
        out = Zstd.Buffer(ctypes.addressof(target), most, 0)
        try:
            while out.pos < most and inp.pos < len(data):
                inp.size = min(len(data), inp.pos + 4096)
                left = self.lib.ZSTD_decompressStream(stream, ctypes.byref(out), ctypes.byref(inp))
                if self.lib.ZSTD_isError(left):
                    raise Broken("bad zstd frame")
                if left == 0:
                    break
            return target.raw[:out.pos], inp.pos
        finally:
            self.lib.ZSTD_freeDStream(stream)


ZSTD = Zstd()


def at(data, form, offset):
    try:
        return struct.unpack_from("<" + form, data, offset)
    except struct.error:
        raise Broken(f"ends before {offset:#x}") from None


class Found:
    def __init__(self, ranges=False, whole=False):
        self.bundles = 0
        self.forms = collections.Counter()
        self.targets = collections.Counter()
        self.versions = set()
        self.problems = []
        self.ranges = [] if ranges else None
        self.whole = whole
        self.base = 0

    def bundle(self, form, targets):
        self.bundles += 1
        self.forms[form] += 1
        self.targets.update(set(targets))

    def need(self, offset, size):
        if self.ranges is not None:
            self.ranges.append((self.base + offset, size))

    def result(self, kind):
        answer = dict(kind=kind, bundles=self.bundles, forms=dict(self.forms),
                      targets=dict(sorted(self.targets.items())), versions=sorted(self.versions),
                      problems=self.problems)
        if self.ranges is not None:
            answer["ranges"] = self.ranges
        return answer


# ---- code objects ----

def code_object(data, offset=0):
    """(target id, code object version) by an ELF header, or None."""
    if data[offset:offset + 4] != b"\x7fELF" or len(data) - offset < 64:
        return None
    machine, = at(data, "H", offset + 18)
    if machine != 224:
        return None
    flags, = at(data, "I", offset + 48)
    version = data[offset + 8] + 2 if data[offset + 7] == 64 else None
    number = flags & 0xFF
    name = "gfx" + MACHINES[number] if number in MACHINES else f"mach {number:#x}"
    marks = ""
    if version == 3:
        marks = (":sramecc+" if flags & 0x200 else "") + (":xnack+" if flags & 0x100 else "")
    elif version and version >= 4:
        sign = ["", "", "-", "+"]
        for word, shift in ("sramecc", 10), ("xnack", 8):
            mark = sign[flags >> shift & 3]
            marks += f":{word}{mark}" if mark else ""
    return name + marks, version


# ---- bundles ----

def target_of(entry_id):
    """What an entry is for; None for the host's and for GPUs of other makers."""
    if not re.match(r"(hip|hipv4|hcc|openmp)-(amdgcn|spirv)", entry_id):
        return None
    found = re.search(r"-((?:gfx|amdgcnspirv).*)$", entry_id)
    return found.group(1) if found else entry_id


def bundle_table(data, offset, end):
    """(targets, end of the bundle, end of its table)."""
    count, = at(data, "Q", offset + 24)
    if count > 1 << 16:
        raise Broken(f"{count} entries")
    place, last, targets, entries = offset + 32, 0, [], []
    for _ in range(count):
        start, size, length = at(data, "QQQ", place)
        place += 24
        if length > 4096 or place + length > len(data):
            raise Broken(f"an id of {length} bytes")
        target = target_of(bytes(data[place:place + length]).decode("latin-1"))
        place += length
        if end is not None and offset + start + size > end:
            raise Broken(f"the code for {target} ends behind its section")
        last = max(last, start + size)
        if target is not None:
            targets.append(target)
            entries.append((start, size))
    return targets, offset + max(last, place - offset), place, entries


def unpacked(data, offset, end, found):
    """(form, unpacked head, end of the compressed bundle)."""
    version, method = at(data, "HH", offset + 4)
    if version == 1:
        size, digest = at(data, "IQ", offset + 8)
        head, total = 20, None
    elif version == 2:
        total, size, digest = at(data, "IIQ", offset + 8)
        head = 24
    elif version == 3:
        total, size, digest = at(data, "QQQ", offset + 8)
        head = 32
    else:
        raise Broken(f"compressed bundle of version {version}")
    if total is not None and (total < head or offset + total > end):
        raise Broken("a compressed bundle ends behind its section")
    start = offset + head
    packed = bytes(data[start:end if total is None else offset + total])
    most = size if found.whole else min(size, HEAD if found.ranges is None else 8192)
    if method == 0:
        stream = zlib.decompressobj()
        try:
            out = stream.decompress(packed, most or 1)
            if total is None:
                rest = stream
                while not rest.eof:
                    if not rest.decompress(rest.unconsumed_tail, 1 << 20) and not rest.unconsumed_tail:
                        break
                total = head + len(packed) - len(rest.unused_data)
        except zlib.error as error:
            raise Broken(f"zlib: {error}") from None
        used = HEAD
    elif method == 1:
        out, used = ZSTD.unpack(packed, most)
        if total is None:
            total = head + ZSTD.frame_size(packed)
    else:
        raise Broken(f"compression method {method}")
    if found.whole and (len(out) != size or struct.unpack("<Q", hashlib.md5(out).digest()[:8])[0] != digest):
        raise Broken("the digest of the unpacked bundle is another")
    found.need(offset, min(head + used, total))
    return f"ccob{version}", out, offset + total


def plausible(data, offset):
    if data[offset:offset + len(BUNDLE)] == BUNDLE:
        return True
    if data[offset:offset + 4] != b"CCOB" or len(data) - offset < 20:
        return False
    version, method = at(data, "HH", offset + 4)
    return 1 <= version <= 3 and method <= 1


def next_bundle(data, offset, end):
    """The next place where one begins, or None."""
    nearest = data.find(BUNDLE, offset, end)
    place = offset
    while True:
        place = data.find(b"CCOB", place, nearest if nearest >= 0 else end)
        if place < 0:
            return nearest if nearest >= 0 else None
        if plausible(data, place):
            return place
        place += 1


def bundles(data, start, end, found, searching=True):
    place = start
    while place < end:
        if not plausible(data, place):
            aligned = start + -(-(place - start) // 4096) * 4096
            if aligned < end and plausible(data, aligned):
                place = aligned
            else:
                place = next_bundle(data, place, end) if searching else None
                if place is None:
                    return
        try:
            if data[place:place + 4] == b"CCOB":
                form, head, after = unpacked(data, place, end, found)
                if head[:len(BUNDLE)] != BUNDLE:
                    raise Broken("what was unpacked is no bundle")
                targets, _, _, entries = bundle_table(head, 0, None)
                base, inside = 0, head
            else:
                form, (targets, after, table_end, entries) = "plain", bundle_table(data, place, end)
                found.need(place, table_end - place)
                for offset, size in [entry for entry in entries if entry[1] >= 64][:1]:
                    found.need(place + offset, 64)  # the version of the code object
                base, inside = place, data
        except Broken as broken:
            found.problems.append(f"bundle at {place:#x}: {broken}")
            return
        for offset, size in entries:
            code = code_object(inside, base + offset) if size >= 64 and base + offset + 64 <= len(inside) else None
            if code and code[1]:
                found.versions.add(code[1])
        found.bundle(form, targets)
        place = max(after, place + 1)


def offload_binaries(data, start, end, found):
    place = start
    while place + 32 <= end:
        if data[place:place + 4] != OFFLOAD:
            place += 8
            continue
        size, entry, _ = at(data, "QQQ", place + 8)
        _, _, _, strings, count, _, _ = at(data, "HHIQQQQ", place + entry)
        words = {}
        for n in range(min(count, 64)):
            pair = at(data, "QQ", place + strings + 16 * n)
            key, value = (bytes(data[place + o:data.find(b"\0", place + o)]).decode("latin-1") for o in pair)
            words[key] = value
        found.bundle("offload", [words.get("arch", "?")])
        place += max(-(-size // 8) * 8, 8)


# ---- ELF ----

def sections(data, found):
    table, = at(data, "Q", 40)
    size, count, names = at(data, "HHH", 58)
    if table == 0 or size < 64:
        return []
    first = at(data, "IIQQQQIIQQ", table)
    count = count or first[5]
    names = first[6] if names == 0xFFFF else names
    if table + count * size > len(data):
        raise Broken("the section table ends behind the file")
    rows = [at(data, "IIQQQQIIQQ", table + n * size) for n in range(count)]
    if names >= count:
        raise Broken("no section names")
    start, length = rows[names][4], rows[names][5]
    found.need(0, 64)
    found.need(table, count * size)
    found.need(start, length)
    text = bytes(data[start:start + length])
    out = []
    for row in rows:
        name = text[row[0]:text.find(b"\0", row[0])].decode("latin-1")
        out.append((name, row[1], row[4], row[5]))
    return out


def segments(data, found):
    place, = at(data, "Q", 32)
    size, count = at(data, "HH", 54)
    rows = [at(data, "IIQQQQ", place + n * size) for n in range(count)] if place and size >= 56 else []
    found.need(place, count * size)
    for row in rows:
        if row[0] == 2:
            found.need(row[2], row[5])  # names for the loader
    return [row[0] for row in rows]


def elf(data, found, beside):
    code = code_object(data)
    if code:
        found.need(0, 64)
        found.bundle("elf", [code[0]])
        if code[1]:
            found.versions.add(code[1])
        return "code-object"
    kind = {1: "object", 2: "executable", 3: "shared-library"}.get(at(data, "H", 16)[0], "nothing")
    if 3 in segments(data, found) and kind == "shared-library":
        kind = "executable"
    rows = sections(data, found)
    fat = [(start, size) for name, form, start, size in rows if name == ".hip_fatbin" and form != 8]
    for start, size in fat:
        if start + size > len(data):
            found.problems.append(".hip_fatbin ends behind the file")
        bundles(data, start, min(start + size, len(data)), found)
    rdc = [target_of(name[len(BUNDLE):]) for name, _, _, _ in rows if name.startswith(BUNDLE.decode())]
    if any(rdc):
        found.bundle("rdc", [target for target in rdc if target])
    for name, _, start, size in rows:
        if name == ".llvm.offloading":
            offload_binaries(data, start, min(start + size, len(data)), found)
        if name == ".rocm_kpack_ref":
            kpack_library(bytes(data[start:start + size]), found, beside)
    if not rows:
        bundles(data, 0, len(data), found)
    return kind


# ---- PE ----

def pe(data, found, beside):
    header, = at(data, "I", 60)
    if bytes(data[header:header + 4]) != b"PE\0\0":
        return None
    count, _, symbols, number, optional, flags = at(data, "HIIIHH", header + 6)
    strings = symbols + 18 * number if symbols else 0
    rows = []
    for n in range(count):
        place = header + 24 + optional + 40 * n
        name = bytes(data[place:place + 8]).rstrip(b"\0")
        if name.startswith(b"/") and strings:
            start = strings + int(name[1:])
            name = bytes(data[start:data.find(b"\0", start)])
        memory, _, size, start = at(data, "IIII", place + 8)
        rows.append((name.decode("latin-1"), start, min(memory or size, size)))
    found.need(0, header + 24 + optional + 40 * count)
    for name, start, size in rows:
        if name in (".hip_fat", ".hip_fatbin"):
            if start + size > len(data):
                found.problems.append(f"{name} ends behind the file")
            bundles(data, start, min(start + size, len(data)), found)
        if name in (".kpackrf", ".rocm_kpack_ref"):
            kpack_library(bytes(data[start:start + size]), found, beside)
    return "shared-library" if flags & 0x2000 else "executable"


# ---- kpack ----

class Msgpack:
    """Values one by one; enough for what is met here."""

    def __init__(self, data):
        self.data, self.place = data, 0

    def take(self, size):
        self.place += size
        if self.place > len(self.data):
            raise Broken("msgpack ends early")
        return self.data[self.place - size:self.place]

    def number(self, size, signed=False):
        return int.from_bytes(self.take(size), "big", signed=signed)

    def value(self, depth=0):
        if depth > 200:
            raise Broken("msgpack too deep")
        kind = self.take(1)[0]
        if kind < 0x80:
            return kind
        if kind >= 0xE0:
            return kind - 256
        if kind < 0x90:
            return self.map(kind & 15, depth)
        if kind < 0xA0:
            return [self.value(depth + 1) for _ in range(kind & 15)]
        if kind < 0xC0:
            return self.take(kind & 31).decode("utf-8", "replace")
        if kind in (0xC0, 0xC2, 0xC3):
            return {0xC0: None, 0xC2: False, 0xC3: True}[kind]
        if 0xC4 <= kind <= 0xC6:
            return self.take(self.number(1 << kind - 0xC4))
        if 0xD9 <= kind <= 0xDB:
            return self.take(self.number(1 << kind - 0xD9)).decode("utf-8", "replace")
        if kind in (0xCA, 0xCB):
            return struct.unpack(">f" if kind == 0xCA else ">d", self.take(4 if kind == 0xCA else 8))[0]
        if 0xCC <= kind <= 0xCF:
            return self.number(1 << kind - 0xCC)
        if 0xD0 <= kind <= 0xD3:
            return self.number(1 << kind - 0xD0, signed=True)
        if kind in (0xDC, 0xDD):
            return [self.value(depth + 1) for _ in range(self.number(2 if kind == 0xDC else 4))]
        if kind in (0xDE, 0xDF):
            return self.map(self.number(2 if kind == 0xDE else 4), depth)
        raise Broken(f"msgpack byte {kind:#x}")

    def map(self, count, depth):
        out = {}
        for _ in range(count):
            key = self.value(depth + 1)
            out[key if isinstance(key, (str, int)) else repr(key)] = self.value(depth + 1)
        return out


def kpack_contents(data):
    """{(library, index): [targets]} of an archive."""
    if data[:4] != b"KPAK":
        raise Broken("no kpack archive")
    place, = at(data, "Q", 8)
    if not 16 <= place < len(data):
        raise Broken("the contents are not in the file")
    table = Msgpack(bytes(data[place:])).value()
    out = {}
    for name, by_target in table.get("toc", {}).items():
        library, _, index = name.rpartition("#")
        out[library, index] = list(by_target)
    return out


def kpack_library(reference, found, beside):
    ref = Msgpack(reference).value()
    held = {}
    for pattern in ref.get("kpack_search_paths", []):
        for data in beside(pattern):
            try:
                contents = kpack_contents(data)
            except Broken as broken:
                found.problems.append(f"{pattern}: {broken}")
                continue
            of_us = {index: targets for (library, index), targets in contents.items() if library == ref["kernel_name"]}
            if not of_us:
                found.problems.append(f"{pattern}: an archive without kernels of this library")
            for index, targets in of_us.items():
                held.setdefault(index, set()).update(targets)
    if not held:
        found.problems.append("no archive holds kernels of this library")
    for targets in held.values():
        found.bundle("kpack", targets)


def beside_file(path):
    def look(pattern):
        folder = os.path.dirname(os.path.abspath(path))
        where, name = os.path.split(os.path.normpath(os.path.join(folder, pattern)))
        wanted = re.compile(".*".join(re.escape(part) for part in name.split("@GFXARCH@")))
        for other in sorted(os.listdir(where)) if os.path.isdir(where) else []:
            if wanted.fullmatch(other):
                with open(os.path.join(where, other), "rb") as file:
                    yield file.read()
    return look


# ---- files ----

def static_archive(data, found, beside):
    place = 8
    while place + 60 <= len(data):
        size = int(bytes(data[place + 48:place + 58]))
        member = bytes(data[place + 60:place + 60 + size])
        if member[:4] == b"\x7fELF":
            elf(member, found, beside)
        place += 60 + size + (size & 1)
    return "archive"


def read_bytes(data, found, beside=lambda pattern: []):
    """The kind, or None if there is nothing of ours in it."""
    magic = bytes(data[:24])
    if magic[:4] == b"\x7fELF":
        if len(data) < 64 or data[4] != 2 or data[5] != 1:
            return "nothing"
        return elf(data, found, beside)
    if magic[:2] == b"MZ":
        return pe(data, found, beside)
    if magic == BUNDLE or magic[:4] == b"CCOB":
        bundles(data, 0, len(data), found)
        return "bundle"
    if magic[:4] == OFFLOAD:
        offload_binaries(data, 0, len(data), found)
        return "bundle"
    if magic[:4] == b"KPAK":
        for targets in kpack_contents(data).values():
            found.bundle("kpack", targets)
        return "kpack"
    if magic[:8] == b"!<arch>\n":
        return static_archive(data, found, beside)
    return None


def read_file(path, ranges=False, whole=False):
    found = Found(ranges, whole)
    with open(path, "rb") as file:
        if os.fstat(file.fileno()).st_size == 0:
            return None
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            try:
                kind = read_bytes(data, found, beside_file(path))
            except (Broken, IndexError, ValueError) as broken:
                kind = "broken"
                found.problems.append(str(broken))
    return found.result(kind) if kind else None


# ---- containers ----

def worth(head):
    return head[:4] in (b"\x7fELF", b"CCOB", b"KPAK", OFFLOAD) or head == BUNDLE or head[:2] == b"MZ"


def tar_members(data):
    """(name, bytes) of what may hold code; a symlink is None."""
    if data[:4] == b"\x28\xb5\x2f\xfd":
        data = subprocess.run(["zstd", "-dcq", "--long=31"], input=data, capture_output=True, check=True).stdout
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:*") as archive:
        for info in archive:
            name = os.path.normpath(info.name)
            if info.isfile():
                file = archive.extractfile(info)
                head = file.read(24)
                keep = worth(head) or name.endswith((".json", ".tar")) or "blobs/" in name
                yield name, head + file.read() if keep else b""


def zip_members(data):
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        for info in archive.infolist():
            with archive.open(info) as file:
                head = file.read(24)
                yield info.filename, head + file.read() if worth(head) else b""


def deb_members(data):
    place = 8
    while place + 60 <= len(data):
        name = data[place:place + 16].rstrip(b" /").decode()
        size = int(data[place + 48:place + 58])
        if name.startswith("data.tar"):
            return tar_members(data[place + 60:place + 60 + size])
        place += 60 + size + (size & 1)
    raise Broken("a .deb without data")


def rpm_members(data):
    place = 96
    for _ in range(2):
        entries, store = struct.unpack_from(">II", data, place + 8)
        place += 16 + 16 * entries + store
        place += -(place - 96) % 8 if _ == 0 else 0
    payload = data[place:]
    if payload[:4] == b"\x28\xb5\x2f\xfd":
        payload = subprocess.run(["zstd", "-dcq"], input=payload, capture_output=True, check=True).stdout
    elif payload[:2] == b"\x1f\x8b":
        payload = zlib.decompress(payload, 31)
    else:
        payload = lzma.decompress(payload)
    place = 0
    while payload[place:place + 6] == b"070701":
        size, length = (int(payload[place + o:place + o + 8], 16) for o in (54, 94))
        name = payload[place + 110:place + 110 + length - 1].decode()
        start = place + -(-(110 + length) // 4) * 4
        if name == "TRAILER!!!":
            return
        yield os.path.normpath(name), payload[start:start + size]
        place = start + -(-size // 4) * 4


def image_members(files):
    """Of every layer; whiteouts are not applied, as in rocsteady (docs/targets.md)."""
    if "manifest.json" in files:
        layers = [files[name] for name in json.loads(files["manifest.json"])[0]["Layers"]]
    else:
        def blob(descriptor):
            return files["blobs/" + descriptor["digest"].replace(":", "/")]
        manifest = json.loads(blob(json.loads(files["index.json"])["manifests"][0]))
        layers = [blob(layer) for layer in manifest["layers"]]
    return [member for layer in layers for member in tar_members(layer)]


def container_members(path):
    """dict of members, or None if it is no container."""
    if os.path.isdir(path):
        if not os.path.exists(os.path.join(path, "oci-layout")):
            return None
        files = {}
        for folder, _, names in os.walk(path):
            for name in names:
                full = os.path.join(folder, name)
                with open(full, "rb") as file:
                    files[os.path.relpath(full, path)] = file.read()
        return dict(image_members(files))
    with open(path, "rb") as file:
        head = file.read(512)
        if head[:4] == b"PK\x03\x04":
            return dict(zip_members(head + file.read()))
        if head[:21] == b"!<arch>\ndebian-binary":
            return dict(deb_members(head + file.read()))
        if head[:4] == b"\xed\xab\xee\xdb":
            return dict(rpm_members(head + file.read()))
        if ".tar" in path or path.endswith((".tgz", ".txz", ".tzst")):
            members = dict(tar_members(head + file.read()))
            image = "manifest.json" in members or "oci-layout" in members
            return dict(image_members(members)) if image else members
    return None


def read_container(path):
    """By member what it holds; None if it is no container."""
    members = container_members(path)
    if members is None:
        return None

    def beside(folder):
        def look(pattern):
            wanted = os.path.normpath(os.path.join(folder, pattern)).replace("@GFXARCH@", "*")
            return [data for name, data in members.items() if fnmatch.fnmatchcase(name, wanted)]
        return look
    out = {}
    for name, data in members.items():
        found = Found()
        try:
            kind = read_bytes(data, found, beside(os.path.dirname(name)))
        except (Broken, IndexError, ValueError) as broken:
            kind = "broken"
            found.problems.append(str(broken))
        if kind and (found.bundles or found.problems):
            out[name] = found.result(kind)
    return out


# ---- directories of kernels ----

def kernel_directory(path):
    """By gfx: index, tuned, fallback, helper; of rocBLAS, hipBLASLt and hipSPARSELt."""
    out = {}

    def count(gfx, what, by=1):
        row = out.setdefault(gfx, dict(index=0, tuned=0, fallback=0, helper=0))
        row[what] += by
    for folder, _, names in os.walk(path):
        for name in names:
            lazy = re.fullmatch(r"TensileLibrary_lazy_(gfx[0-9a-f]+)\.dat", name)
            kernels = re.fullmatch(r"Kernels\.so-\d+-(gfx[0-9a-f]+)((?:-(?:xnack|sramecc)[+-])*)\.hsaco", name)
            part = re.fullmatch(r".*_(gfx[0-9a-f]+)((?:[:-](?:xnack|sramecc)[+-])*)\.(co|hsaco)", name)
            if lazy:
                with open(os.path.join(folder, name), "rb") as file:
                    rows = Msgpack(file.read()).value()["library"]["rows"]
                count(lazy.group(1), "index")
                out[lazy.group(1)]["tuned_row"] = any(row["predicate"]["type"] != "TruePred" for row in rows)
            elif kernels:
                count(kernels.group(1) + re.sub(r"-(?=[xs])", ":", kernels.group(2)), "helper")
            elif name.startswith("extop_") and part:
                count(part.group(1), "helper")
            elif part:
                count(part.group(1) + part.group(2).replace("-", ":", 1), "fallback" if "fallback" in name else "tuned")
    merged = os.path.exists(os.path.join(path, "TensileLibrary.dat"))
    for gfx, row in out.items():  # an index is of a processor, whatever its features; the old one is of all
        row["index"] = row["index"] or out.get(gfx.split(":")[0], row)["index"] or merged
        if merged:  # and there the fallback kernels are in Kernels.so
            row["fallback"], row["helper"] = row["fallback"] + row["helper"], 0
    return out


def main():
    args = sys.argv[1:]
    options = {arg for arg in args if arg.startswith("--")}
    paths = [arg for arg in args if not arg.startswith("--")]
    if not paths or options - {"--ranges", "--whole"}:
        sys.exit(__doc__.split("\n\n")[1])
    out = {}
    for path in paths:
        members = read_container(path)
        if members is not None:
            out[path] = members
        elif os.path.isdir(path):
            out[path] = kernel_directory(path)
        else:
            out[path] = read_file(path, "--ranges" in options, "--whole" in options)
    json.dump(out, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
