#!/usr/bin/env bash
# Only paths of the closed table are opened. A debugfs that acts when read is
# planted (it would hang and print), with links that lead into it.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/gpus.sh"

command -v strace >/dev/null || skip "strace is not installed"
trap 'kill ${DEAF:-} 2>/dev/null; umount -l "$TREE/sys/kernel/debug" 2>/dev/null; rm -rf "$WORK"' EXIT
TREE=$WORK/tree
make_gpus "$TREE"
mkdir -p "$TREE/sys/kernel/debug/dri/0" "$TREE/sys/kernel/iommu_groups/7" "$TREE/etc/profile.d"
echo boom >"$TREE/sys/kernel/debug/dri/0/amdgpu_gpu_recover"
device=$TREE/sys/devices/pci0000:00/0000:01:00.0
ln -s ../../../kernel/debug/dri/0/amdgpu_gpu_recover "$device/unique_id"
ln -s ../../../../kernel/debug/dri/0 "$device/fw_version"
ln -s ../../sys/kernel/debug/dri/0/amdgpu_gpu_recover "$TREE/etc/profile.d/rocm.sh"
echo secret >"$device/not_in_the_table"

if [ "$(id -u)" = 0 ] && cc -O1 -o "$WORK/deaf-fs" "$SOURCE/tests/live/deaf-fs.c"; then
	"$WORK/deaf-fs" "$TREE/sys/kernel/debug" >"$WORK/asked" 2>&1 &
	DEAF=$!
	for _ in $(seq 50); do grep -q mounted "$WORK/asked" && break; sleep 0.1; done
fi
timeout -k 1 20 strace -f -o "$WORK/trace" -e trace=open,openat,openat2,execve,connect,socket \
	"$ROCSTEADY" facts --host-root "$TREE" >"$WORK/out" 2>&1
status=$?
grep -q 'ptrace' "$WORK/out" && skip "strace cannot trace here: $(tail -1 "$WORK/out")"
check "facts came to its end" [ $status = 0 ]

opened=$(grep -E 'open(at2?)?\(' "$WORK/trace" | grep -v O_PATH | grep -vE '= -1 ENOENT')
check "something was traced" grep -q 'mem_info_vram_total' <<<"$opened"
check "nothing of debugfs was opened" [ -z "$(grep 'kernel/debug\|amdgpu_gpu_recover' <<<"$opened")" ]
check "nothing outside the table was opened" [ -z "$(grep not_in_the_table "$WORK/trace")" ]
check "the planted files were not asked" [ -z "$(grep asked "$WORK/asked" 2>/dev/null)" ]
check "nothing was opened for writing" [ -z "$(grep -E 'O_WRONLY|O_RDWR' <<<"$opened" | grep -v '/dev/')" ]
check "no network" [ -z "$(grep -E 'connect\(|socket\(' "$WORK/trace")" ]
check "no other program" [ "$(grep -c execve "$WORK/trace")" = 1 ]

# The live host: every path opened below /sys, /proc, /etc, /dev stands in the table.
strace -f -o "$WORK/trace" -e trace=open,openat,openat2 "$ROCSTEADY" facts --no-open >/dev/null
python3 - "$WORK/trace" <<'PY' >"$WORK/foreign"
import re, subprocess, os, fnmatch, sys
table = [l.split(None, 1)[1].strip() for l in subprocess.run([os.environ["ROCSTEADY"], "facts", "--paths"],
         capture_output=True, text=True).stdout.splitlines() if re.match(r"(static|device|wakes)\s", l)]
home = os.path.expanduser("~")
asks = [r"/proc/\d+/(status|environ|cgroup|fd|fdinfo/\d+|comm|stat)$", r"/proc/self/(status|environ)$", r"/proc/?$", r"/etc/(passwd|group)$",
        r"/var/log/(journal|kern\.log|messages)", r"/run/log/journal", r".*/power/runtime_status$", r".*/config$"]
# environments: places of software, each with what marks one; nothing else of a home is opened
places = [r"/(opt|srv|workspace|app|venv)(/[^/]+){0,2}(/pyvenv\.cfg|/conda-meta)?$", r"/usr(/local)?(/lib(64)?(/python3[^/]*(/(site|dist)-packages)?)?)?$",
          r"/usr(/local)?/bin/(python3?|ollama|llama-server|koboldcpp)$", r"/(etc|usr/lib)/systemd/system(/[^/]+\.service)?$",
          re.escape(home) + r"(/[^/]+){0,2}(/pyvenv\.cfg|/conda-meta)?$",
          re.escape(home) + r"/(\.pyenv|\.local|\.conda|\.cache/pypoetry|\.config/systemd/user|llama\.cpp/build/bin)(/|$)"]
# a link among them is followed name by name, each directory on the way opened before the next
places += [r"/etc(/systemd)?$", r"/usr(/local)?/bin(/python3[^/]*)?$", r"/usr/lib/systemd$"]
# libraries, code, kernels, packages, loads: what is found there
places += [r"/proc/self/fd/\d+$", r"/usr/lib(64)?(/x86_64-linux-gnu)?(/lib[^/]+\.so[^/]*)?$", r"/opt/rocm", r".*/(site|dist)-packages(/|$)", r"/etc/ld\.so\.(cache|preload)$"]
loader = [r"/dev/(urandom|null)$", r"/etc/localtime$", r"/etc/ld\.so", r"/(usr/)?lib(64)?/.*\.so", r"/proc/self/(maps|exe)"]
def known(path):
    forms = {path}
    # sysfs hands out devices by their real place; the table names them by bus or class
    m = re.match(r"/sys/devices/.*/([0-9a-f]{4,}:[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])(/.*)?$", path)
    if m:
        forms.add("/sys/bus/pci/devices/" + m.group(1) + (m.group(2) or ""))
    m = re.match(r"/sys/devices/virtual/(kfd|dmi)/(kfd|id)(/.*)?$", path)
    if m:
        forms.add(f"/sys/class/{m.group(1)}/{m.group(2)}{m.group(3) or ''}")
    m = re.match(r"/usr(/lib/.*)", path)
    if m:
        forms.add(m.group(1))
    if path.startswith(home):
        forms.add("~" + path[len(home):])
    return any(fnmatch.fnmatch(f, t) for f in forms for t in table) or \
        any(re.match(p, path) for p in asks + places + loader)
for line in open(sys.argv[1]):
    m = re.search(r'open(?:at2?)?\((?:[^",]*, )?"([^"]*)"', line)
    if m and m.group(1).startswith("/") and "ENOENT" not in line and m.group(1) != "/" and not known(m.group(1)):
        print(m.group(1))
PY
sort -u "$WORK/foreign"
check "the live host is asked by the table only" [ ! -s "$WORK/foreign" ]

"$ROCSTEADY" facts --paths >"$WORK/paths"
if [ -n "${ROCSTEADY_TEST_UPDATE:-}" ]; then
	{
		echo "# Paths opened on a live host"
		echo
		echo "Made by \`ROCSTEADY_TEST_UPDATE=1 tests/live/closed-table.sh\` from \`rocsteady facts --paths\`; the test compares."
		echo "Links are resolved first, and none may lead out of /sys, /proc or /dev, nor into debugfs or tracefs."
		echo
		echo '```'
		cat "$WORK/paths"
		echo '```'
	} >"$SOURCE/docs/live-paths.md"
fi
check "docs/live-paths.md is the table" diff <(sed -n '/^```$/,/^```$/p' "$SOURCE/docs/live-paths.md" | sed '/^```$/d') "$WORK/paths"
finish
