#!/usr/bin/env python3
"""Make files with device code, and containers with such files, byte by byte.

usage: targets_make.py DIR

No compiler: tables and headers are real, the code behind them is not. Used by
targets.sh; tests/samples has compiled ones.
"""
import gzip
import io
import lzma
import os
import pathlib
import struct
import sys
import tarfile
import zipfile
import zlib

PAGE = 4096


def page_up(data):
    return data + bytes(-len(data) % PAGE)


def code_object(target):
    """The header of an AMDGPU ELF file, version 5 of code objects; only gfx1100 has its true number."""
    head = b"\x7fELF\2\1\1\x40\3" + bytes(7)
    head += struct.pack("<HHIQQQIHHHHHH", 3, 224, 1, 0, 64, 0, 0x41 if target == "gfx1100" else 0x4C, 64, 56, 0, 64, 0, 0)
    return page_up(head)


def bundle(*targets):
    ids = ["host-x86_64-unknown-linux-gnu-"] + [f"hipv4-amdgcn-amd-amdhsa--{t}" for t in targets]
    table = b"__CLANG_OFFLOAD_BUNDLE__" + struct.pack("<Q", len(ids))
    offset, code = PAGE, b""
    for i, name in enumerate(ids):
        body = code_object(targets[i - 1]) if i else b""
        table += struct.pack("<QQQ", offset + len(code), len(body), len(name)) + name.encode()
        code += body
    return page_up(table) + code


def compressed(*targets):
    """CCOB version 2 in zlib: header, total, unpacked, hash."""
    plain = bundle(*targets)
    body = zlib.compress(plain)
    return page_up(b"CCOB" + struct.pack("<HHIIQ", 2, 0, 24 + len(body), len(plain), 0) + body)


def library(*bundles, before=0, behind=0, name=".hip_fatbin"):
    """A shared library: `before` bytes of data, the bundles, `behind` bytes, section names, headers."""
    names = b"\0" + name.encode() + b"\0.shstrtab\0"
    start = PAGE + before
    fatbin = b"".join(bundles)
    table = start + len(fatbin) + behind
    sections = [(0, 0, 0, 0), (1, 1, start, len(fatbin)), (2 + len(name), 3, table, len(names))]
    at = -(-(table + len(names)) // 8) * 8
    head = b"\x7fELF\2\1\1" + bytes(9)
    head += struct.pack("<HHIQQQIHHHHHH", 3, 62, 1, 0, 64, at, 0, 64, 56, 0, 64, len(sections), 2)
    data = head.ljust(start, b"d") + fatbin + bytes(behind) + names
    data = data.ljust(at, b"\0")
    for offset, kind, where, size in sections:
        data += struct.pack("<IIQQQQIIQQ", offset, kind, 0, 0, where, size, 0, 0, PAGE, 0)
    return data


FILES = {
    "libgood.so": library(bundle("gfx1100", "gfx942"), bundle("gfx1100", "gfx942")),
    "libpart.so": library(bundle("gfx1100", "gfx942"), bundle("gfx942"), bundle("gfx1100", "gfx942")),
    "libpacked.so": library(compressed("gfx1100", "gfx942"), compressed("gfx1100", "gfx942")),
    "libgeneric.so": library(bundle("gfx11-generic", "gfx9-4-generic")),
    "libfeatures.so": library(bundle("gfx90a:xnack+", "gfx90a:xnack-")),
    "libnone.so": library(bytes(64), name=".rodata"),
    # its second table is cut by the end of the section
    "libbroken.so": library(bundle("gfx1100", "gfx942"), bundle("gfx1100")[:40]),
    "one.co": bundle("gfx1100"),
}

# What the sieve must find behind the first megabyte and before the last 512 KiB.
FAR = {
    "libfar.so": library(bundle("gfx1100", "gfx942"), compressed("gfx1100"), bundle("gfx942"),
                         before=3 << 20, behind=3 << 20),
    "libmany.so": library(*[bundle("gfx1100", f"gfx{1030 + i % 6}") for i in range(300)], behind=1 << 20),
    "libfar.a": b"!<arch>\n" + b"".join(
        f"{name}/".ljust(16).encode() + b"0           0     0     644     " + str(len(data)).ljust(10).encode() + b"`\n" + data
        for name, data in [("a.o", library(bundle("gfx1100"), before=(2 << 20) + 2)),
                           ("b.o", library(bundle("gfx1100", "gfx942"), behind=1 << 20))]),
    "far.co": bundle("gfx1100") + bytes(3 << 20) + bundle("gfx942"),
}
FAR["libnosections.so"] = FAR["libfar.so"][:40] + bytes(8) + FAR["libfar.so"][48:58] + bytes(6) + FAR["libfar.so"][64:]

KERNELS = ["TensileLibrary.dat", "TensileLibrary_gfx1100.co", "TensileLibrary_gfx942.co", "Kernels.so-000-gfx1100.hsaco", "Kernels.so-000-gfx942.hsaco"]


def write_zip(path, files, **options):
    with zipfile.ZipFile(path, "w", **options) as z:
        for name, data in files.items():
            z.writestr(name, data)


def tar_of(files, mode="w"):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode, format=tarfile.PAX_FORMAT) as t:
        for name, data in files.items():
            info = tarfile.TarInfo(name)
            info.size = len(data)
            t.addfile(info, io.BytesIO(data))
    return out.getvalue()


def ar_of(files):
    out = b"!<arch>\n"
    for name, data in files.items():
        out += name.ljust(16).encode() + b"0           0     0     100644  " + str(len(data)).ljust(10).encode() + b"`\n"
        out += data + b"\n" * (len(data) % 2)
    return out


def bomb(before=b""):
    """A library with 3 GiB of zeros. Behind a full flush the state is empty: the same bytes go again."""
    info = tarfile.TarInfo("libzero.so")
    info.size = 3 << 30
    z = zlib.compressobj(9, zlib.DEFLATED, 31)
    head = z.compress(before + info.tobuf() + b"\x7fELF\2\1\1".ljust(1 << 20, b"\0")) + z.flush(zlib.Z_FULL_FLUSH)
    return head + (z.compress(bytes(16 << 20)) + z.flush(zlib.Z_FULL_FLUSH)) * 192


def empty_blocks(path):
    """A bundle of version 1, its table in one zstd block, and a hole: empty blocks, three bytes each."""
    plain = bundle("gfx1100")
    head = b"CCOB" + struct.pack("<HHIQ", 1, 1, len(plain), 0)
    frame = b"\x28\xb5\x2f\xfd\x00\x50" + (len(plain) << 3).to_bytes(3, "little") + plain
    with open(path, "wb") as out:
        out.write(head + frame)
        out.truncate(1 << 30)


EMPTY = b"\0\0\0\xff\xff" * (5 << 20)  # deflate blocks, stored, without a byte


def empty_member(path):
    """A wheel with a member of empty blocks: stored as they are, and then called deflated."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as wheel:
        wheel.writestr("pkg/libempty.so", EMPTY)
    data = bytearray(out.getvalue())
    central = data.rindex(b"PK\1\2")
    for at in 8, central + 10:
        struct.pack_into("<H", data, at, zipfile.ZIP_DEFLATED)
    path.write_bytes(data)


def main():
    top = pathlib.Path(sys.argv[1])
    (top / "tree/lib/rocblas/library").mkdir(parents=True)
    (top / "far").mkdir()
    (top / "only/hsa/gfx942").mkdir(parents=True)
    (top / "only/hsa/gfx1100").mkdir(parents=True)
    for name, data in FILES.items():
        (top / name).write_bytes(data)
    for name, data in FAR.items():
        (top / "far" / name).write_bytes(data)
    for name in ("libgood.so", "libnone.so"):
        (top / "tree/lib" / name).write_bytes(FILES[name])
    (top / "tree/lib/libgood.so.1").symlink_to("libgood.so")
    os.link(top / "tree/lib/libgood.so", top / "tree/lib/libgood-again.so")  # Python 3.9 has no Path.hardlink_to
    (top / "tree/notes.txt").write_text("no code\n")
    for name in KERNELS:
        (top / "tree/lib/rocblas/library" / name).write_bytes(bundle("gfx1100"))
    (top / "only/hsa/gfx942/a.co").write_bytes(bundle("gfx942"))
    (top / "only/hsa/gfx1100/a.co").write_bytes(bundle("gfx1100"))
    (top / "cut.co").write_bytes(bundle("gfx1100")[:50])
    (top / "hello.txt").write_text("hello\n")
    (top / "sparse").mkdir()
    empty_blocks(top / "sparse/blocks.co")

    members = {f"pkg/lib/{name}": data for name, data in FILES.items() if name in ("libgood.so", "libpacked.so", "libnone.so")}
    members |= {f"pkg/lib/rocblas/library/{name}": b"\0" for name in KERNELS}
    members["pkg/__init__.py"] = b"import this\n"
    write_zip(top / "good.whl", members, compression=zipfile.ZIP_DEFLATED)
    write_zip(top / "part.whl", members | {"pkg/lib/libpart.so": FILES["libpart.so"]})
    write_zip(top / "cpu.whl", {"pkg/__init__.py": b"", "pkg/libnone.so": FILES["libnone.so"]})
    write_zip(top / "empty.whl", {})
    write_zip(top / "far.zip", FAR, compression=zipfile.ZIP_DEFLATED)
    (top / "far.tar.gz").write_bytes(tar_of(FAR, "w:gz"))
    (top / "cut.whl").write_bytes((top / "part.whl").read_bytes()[:60000])
    (top / "good.tar.xz").write_bytes(lzma.compress(tar_of(members)))
    (top / "good.deb").write_bytes(ar_of({"debian-binary": b"2.0\n", "control.tar.gz": gzip.compress(tar_of({"control": b"x"})),
                                          "data.tar.xz": lzma.compress(tar_of(members))}))
    (top / "bad.deb").write_bytes(ar_of({"debian-binary": b"2.0\n", "data.tar.xz": lzma.compress(tar_of(members))[:600]}))
    layers = {"a/layer.tar": tar_of(members), "manifest.json": b"[]"}
    (top / "image.tar").write_bytes(tar_of(layers))
    # deeper than anybody packs
    nest = tar_of(members)
    for i in range(5):
        nest = tar_of({f"level{i}.tar": nest})
    (top / "deep.tar").write_bytes(nest)
    (top / "escapes.tar").write_bytes(tar_of({"pkg/\x1b[31mred\n.so": FILES["libgood.so"], "../../etc/libup.so": FILES["libpart.so"],
                                              "/abs/libabs.so": FILES["libpacked.so"]}))
    (top / "bomb.tar.gz").write_bytes(bomb())
    # a damaged layer, and the archive around it goes on
    (top / "empty.tar.gz").write_bytes(tar_of({"data.tar.gz": b"\x1f\x8b\x08\0\0\0\0\0\0\3" + EMPTY,
                                               "lib/libgood.so": FILES["libgood.so"]}, "w:gz"))
    empty_member(top / "empty-member.whl")
    broken = tarfile.TarInfo("broken.whl")
    broken.size = 512
    (top / "late-bomb.tar.gz").write_bytes(bomb(broken.tobuf() + b"PK\3\4".ljust(512, b"\xff")))


if __name__ == "__main__":
    main()
