#!/usr/bin/env bash
# The loader's rule against the loader: for every program and library of this
# machine what we would load is what ld.so says it would.
. "$(dirname "$0")/lib.sh"

LOADER=/lib64/ld-linux-x86-64.so.2
OURS=$(dirname "$ROCSTEADY")/tests/test-loader
[ -x "$LOADER" ] || skip "no $LOADER"
[ -x "$OURS" ] || skip "tests/test-loader is not built"

find /usr/bin /usr/sbin /usr/lib /usr/local/lib /usr/local/bin /opt -xdev -type f \
	\( -perm -u+x -o -name '*.so' -o -name '*.so.*' \) ! -name '*.py' ! -name '*.o' ! -name '*.debug' 2>/dev/null |
	sort | head -"${LOADER_FILES:-4000}" >"$WORK/files"
python3 - "$OURS" "$LOADER" "$WORK/files" <<'PY' >"$WORK/out"
import os, re, subprocess, sys
ours, loader, files = sys.argv[1:]
def is_elf64(path):
    with open(path, "rb") as f:
        head = f.read(20)
    # for this processor, dynamic or shared; a static program has no list
    return head[:5] == b"\x7fELF\x02" and head[18:20] == b"\x3e\x00" and head[16] in (2, 3)
names = [n for n in open(files).read().split("\n") if n and is_elf64(n)]
def theirs(path):
    done = subprocess.run([loader, path], env={"LD_TRACE_LOADED_OBJECTS": "1", "PATH": "/usr/bin"}, cwd="/",
                          capture_output=True, text=True)
    if done.returncode != 0 and not done.stdout:
        return None
    found = {}
    for line in done.stdout.splitlines():
        m = re.match(r"\s*(\S+) => (not found|\S+)", line)
        if m and "ld-linux" not in m[1]:
            found[m[1]] = m[2] if m[2] == "not found" else os.path.realpath(m[2])
        m = re.match(r"\s*(/\S+) \(0x", line)  # one that is asked for by a path
        if m and "ld-linux" not in m[1]:
            found[os.path.realpath(m[1])] = os.path.realpath(m[1])
    return found
compared = same = 0
for at in range(0, len(names), 200):
    text = subprocess.run([ours, *names[at:at + 200]], capture_output=True, text=True).stdout
    for block in text.split("\n\n"):
        lines = block.strip().split("\n")
        if not lines[0]:
            continue
        want = theirs(lines[0])
        if want is None or any(l.startswith("!") for l in lines[1:2]):
            if want:
                print("ours refuses", lines[0], lines[1])
            continue
        got = dict(l.split(" => ", 1) for l in lines[1:])
        got = {v if "/" in k else k: v for k, v in got.items()}
        compared += 1
        if got == want:
            same += 1
        else:
            print(lines[0], {k: (got.get(k), want.get(k)) for k in got.keys() | want.keys() if got.get(k) != want.get(k)})
print(compared, "compared,", same, "the same")
PY
tail -20 "$WORK/out"
check "there was something to compare" [ "$(sed -n 's/ compared,.*//p' "$WORK/out")" -ge 100 ]
check "every file resolves as ld.so resolves it" [ "$(grep -vc 'compared,' "$WORK/out")" = 0 ]
finish
