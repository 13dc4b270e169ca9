#!/usr/bin/env bash
# No planted secret survives in a snapshot: names, hosts, serials, ids, UUIDs,
# addresses, homes and tokens, in every place where a record can hold them.
# What was equal stays equal, what was different stays different, and what is
# no secret stays as it was.
#
# The machine is planted as a tree with a sidecar, which is recorded, scrubbed
# and written like a host.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT

cat >"$WORK/plant.py" <<'END'
import base64, pathlib, sys
source, tree = map(pathlib.Path, sys.argv[1:])
SECRETS = """alice bobsmith carol jsmith gpuhost01 GPUHOST01 lab.example.org Lovelace filer 692210001234 8012ab34cd56ef78
8012AB34CD56EF78 9228626829707243384 00:11:22:aa:bb:cc 00-11-22-aa-bb-cc 6b1f3a5c 0123456789ab S5Y1NX0R123456
hf_abcdefghijklmnopqrstuvwxyz0123456789 ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4 sk-proj-1234567890abcdef AKIAIOSFODNN7EXAMPLE
eyJhbGciOiJIUzI1NiJ9 Zx8Kp2Qm9Lw4Rt7Yv3Nb6Hd1 plainsecret1 plainsecret2 pa55!word hunter2 hgxpod wJalrXUtnFEMI
zoe.l@corp.example.com 192.168.77.5 10.9.8.7 fe80::1c2:3d4 XQ5500177""".split()
UID = 0x8012ab34cd56ef78
assert str(UID) in SECRETS, UID
everything = " ".join(["alice", "bobsmith", "GPUHOST01", "gpuhost01.lab.example.org", "692210001234", "8012ab34cd56ef78", str(UID),
    "6b1f3a5c-1234-4abc-9def-0123456789ab", "6b1f3a5c12344abc9def0123456789ab", "00:11:22:aa:bb:cc", "/home/carol/x",
    "hf_abcdefghijklmnopqrstuvwxyz0123456789", "ghp_A1b2C3d4E5f6G7h8I9j0K1l2M3n4", "sk-proj-1234567890abcdef",
    "AKIAIOSFODNN7EXAMPLE", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.x1", "Zx8Kp2Qm9Lw4Rt7Yv3Nb6Hd1", "HF_TOKEN=plainsecret1",
    "https://me:pa55!word@example.org/x", "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
    "zoe.l@corp.example.com", "192.168.77.5", "from 10.9.8.7", "fe80::1c2:3d4", "S/N: XQ5500177"])
GPU = "/sys/devices/pci0000:00/0000:03:00.0"
OTHER = "/sys/devices/pci0000:00/0000:04:00.0"
coded = base64.b64encode(("\x01" + everything + "\n").encode()).decode()
def node(n, uid, hive, location):
    return (f"file /sys/devices/virtual/kfd/kfd/topology/nodes/{n}/properties\n\tsimd_count 64\n\tmax_waves_per_simd 16\n"
            f"\tgfx_target_version 90402\n\tvendor_id 4098\n\tdevice_id 29857\n\tlocation_id {location}\n\tdomain 0\n"
            f"\tdrm_render_minor {127 + n}\n\tunique_id {uid}\n\thive_id {hive}\n"
            f"file /sys/devices/virtual/kfd/kfd/topology/nodes/{n}/gpu_id\n\t{5000 + n}\n")
records = source.read_text().replace("rocsteady-snapshot 1\n", "rocsteady-snapshot 1\nnote unpacked\n", 1) + f"""
ask environments
	env venv /home/alice/venv 3.12
	site /home/alice/venv/lib/python3.12/site-packages
	app koboldcpp /home/alice/bobsmith/koboldcpp
	left network /home/alice/nfs
	service alice.service /home/alice/venv
ask packages /home/alice/venv/lib/python3.12/site-packages
	editable torch /home/alice/src/torch
ask code /home/alice/bobsmith/koboldcpp
	kind executable
	runpath /home/alice/lib
ask loads /home/alice/x.so /home/alice/venv/bin/python3
	load missing libx.so.1 - < /home/alice/x.so
	elsewhere libx.so.1 /home/alice/rocm/lib/libx.so.1
ask kernels /home/alice/rocblas/library
	kind rocblas
	problem /home/alice/rocblas/library is empty
ask identity
	how this process
	process /proc/self
	uid 1000
	gid 1000
	groups 27 992
	user alice
	home /home/alice
ask environment
	HSA_OVERRIDE_GFX_VERSION=11.0.0
	LD_LIBRARY_PATH=/home/alice/lib:/home/bobsmith/lib:/opt/rocm-6.2.0/lib
	ROCM_X={everything}
	VLLM_API_KEY="plainsecret2 plainsecret1"
	VLLM_MAX_TOKENS=4096
	PATH=/mnt/c/Users/Ada Lovelace/bin:/usr/bin
	SLURM_JOB_NODELIST=hgxpod[01-04]
ask kernel-log
	. 1762934400 1000000 6 amdgpu 0000:03:00.0: {everything}
ask drm-clients
	process 77 1000 alice-{SECRETS[0]}
	drm-driver:	amdgpu
	drm-pdev:	0000:03:00.0
	drm-client-id:	5
	drm-memory-vram:	1024 KiB
	denied 0
ask acl /home/alice/gpuhost01
	user::rw-
file /proc/sys/kernel/hostname
	gpuhost01.lab.example.org
file /proc/cmdline
	BOOT_IMAGE=/vmlinuz-6.1.0-26-amd64 root=UUID=6b1f3a5c-1234-4abc-9def-0123456789ab ro luks.password=hunter2 BOOTIF=01-00-11-22-aa-bb-cc root2=/dev/disk/by-id/ata-X_S5Y1NX0R123456 quiet
file /proc/self/mountinfo
	1 1 0:9 / /mnt/of\\040alice rw - cifs //filer/x rw,username=carol
file {GPU}/serial_number
	692210001234
file {GPU}/unique_id
	8012AB34CD56EF78
file {OTHER}/unique_id
	8012ab34cd56ef79
file {GPU}/vbios_version base64
	{coded}
file /etc/systemd/system/train.service excerpt
	4:User=jsmith
	5:Environment="HF_TOKEN=plainsecret1 x" "HIP_VISIBLE_DEVICES=0"
dir /etc/profile.d
	of\\x20alice.sh
	hf_abcdefghijklmnopqrstuvwxyz0123456789.sh
file /etc/profile.d/of\\x20alice.sh excerpt
	1:export HSA_Z=/home/bobsmith
file /etc/profile.d/hf_abcdefghijklmnopqrstuvwxyz0123456789.sh excerpt
	1:export ROCM_PATH=/opt/rocm-6.2.0
	2:export HSA_OVERRIDE_GFX_VERSION=11.0.0
link /opt/rocm /home/alice/rocm
dir /sys/devices/virtual/kfd/kfd/topology/nodes
	0/
	1/
	2/
""" + node(1, UID, UID + 5, 768) + node(2, UID + 1, UID + 6, 1024)
tree.mkdir()
(tree / ".rocsteady-snapshot").write_text(records)
(tree.parent / "plain.snap").write_text(records.replace("note unpacked\n", "", 1))
(tree.parent / "secrets").write_text("\n".join(SECRETS) + "\n")
END
python3 "$WORK/plant.py" "$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap" "$WORK/tree" || exit 1

# Nothing of the list, in text, in gzip, or inside of a base64 body.
cat >"$WORK/search.py" <<'END'
import base64, gzip, re, sys
secrets = open(sys.argv[1]).read().split()
data = open(sys.argv[2], "rb").read()
text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8", "surrogateescape")
for head, body in re.findall(r"^(.* base64.*)\n((?:\t.*\n)+)", text, re.M):
    text = text.replace(body, "".join(base64.b64decode(line).decode("utf-8", "replace") for line in body.split()) + "\n")
found = [s for s in secrets if s.lower() in text.lower()]
sys.exit(f"{sys.argv[2]}: {found}" if found or len(text) < 1000 else 0)
END
without_secrets() { python3 "$WORK/search.py" "$WORK/secrets" "$1"; }

"$ROCSTEADY" snapshot --root "$WORK/tree" --no-scrub -o "$WORK/unscrubbed.snap"
check "every secret was planted and recorded" python3 - "$WORK" <<'END'
import sys
text = open(sys.argv[1] + "/unscrubbed.snap").read().lower()
lost = [s for s in open(sys.argv[1] + "/secrets").read().split() if s.lower() not in text]
sys.exit(f"not in it: {lost}" if lost else 0)
END
"$ROCSTEADY" snapshot --root "$WORK/tree" -o "$WORK/s.snap"
check "no secret in a snapshot" without_secrets "$WORK/s.snap"
"$ROCSTEADY" snapshot --root "$WORK/tree" -o "$WORK/s.snap.gz"
check "no secret in gzip" without_secrets "$WORK/s.snap.gz"
"$ROCSTEADY" snapshot --root "$WORK/tree" --brief -o "$WORK/b.snap"
check "no secret in a brief one" without_secrets "$WORK/b.snap"
"$ROCSTEADY" snapshot --root "$WORK/tree" >"$WORK/out.snap"
check "no secret on standard output" without_secrets "$WORK/out.snap"
"$ROCSTEADY" snapshot --root "$WORK/tree" --unpack "$WORK/unpacked"
check "no secret in a tree" without_secrets "$WORK/unpacked/.rocsteady-snapshot"
check "nor in its names" [ -z "$(find "$WORK/unpacked" | grep -iE 'alice|gpuhost01|hf_abc')" ]
check "nor in its files" [ -z "$(grep -rliE 'alice|gpuhost01|plainsecret' "$WORK/unpacked")" ]

# Reports that are made to be handed on: the same, of a tree and of a snapshot.
for format in html markdown; do
	for machine in "--root $WORK/tree" "--from $WORK/plain.snap"; do
		# shellcheck disable=SC2086 # two words
		"$ROCSTEADY" check $machine --format $format -o "$WORK/report" --verbose
		check "a report is written: $format" [ -s "$WORK/report" ]
		check "no secret in $format ($machine)" without_secrets "$WORK/report"
		# shellcheck disable=SC2086
		"$ROCSTEADY" check $machine --format $format --no-scrub >"$WORK/plain.report"
		check "unless asked for: $format" grep -qiFf "$WORK/secrets" "$WORK/plain.report"
	done
done
mkdir "$WORK/acks"
printf 'date 2026-11-01\nenvironment-unfit /home/alice/* by alice: hunter2 said so\n' >"$WORK/acks/a.conf"
"$ROCSTEADY" check --root "$WORK/tree" --ack "$WORK/acks" --format html -o "$WORK/report" 2>/dev/null
check "no secret of an acknowledgement" without_secrets "$WORK/report"

check "the note says what was replaced" grep -qzP 'note scrubbed\n\tuser\n\thost\n\tserial\n\ttoken\n\tuuid\n\tid\n' "$WORK/s.snap"

# One key, one pseudonym; another key, another.
"$ROCSTEADY" snapshot --root "$WORK/tree" --scrub-key site -o "$WORK/k1.snap"
"$ROCSTEADY" snapshot --root "$WORK/tree" --scrub-key site -o "$WORK/k2.snap"
"$ROCSTEADY" snapshot --root "$WORK/tree" --scrub-key other -o "$WORK/k3.snap"
check "the same key gives the same text" cmp -s "$WORK/k1.snap" "$WORK/k2.snap"
user() { sed -n 's/^\tuser \(user-[0-9a-f]*\)$/\1/p' "$1"; }
check "there is a pseudonym" [ -n "$(user "$WORK/k1.snap")" ]
check "another key gives another" [ "$(user "$WORK/k1.snap")" != "$(user "$WORK/k3.snap")" ]
check "no key gives a new one" [ "$(user "$WORK/s.snap")" != "$(user "$WORK/out.snap")" ]
check "the user is the owner of the home" grep -q "home /home/$(user "$WORK/k1.snap")\$" "$WORK/k1.snap"

# Ordinary words are untouched.
for words in "HSA_OVERRIDE_GFX_VERSION=11.0.0" "VLLM_MAX_TOKENS=4096" "/opt/rocm-6.2.0/lib" "max_waves_per_simd 16" \
	"BOOT_IMAGE=/vmlinuz-6.1.0-26-amd64" "0000:03:00.0" "gpu_id 5001" "ID=debian" "ata-X_S5Y1NX0R123456"; do
	if [ "$words" = ata-X_S5Y1NX0R123456 ]; then
		check "the name of a disk is none" [ "$(grep -cF -- "$words" "$WORK/s.snap")" = 0 ]
	else
		check "untouched: $words" grep -qF -- "$words" "$WORK/s.snap"
	fi
done

# Numbers stay numbers: KFD's decimal and DRM's hexadecimal are one chip, and
# two hives that differ by one are two, in table, JSON and snapshot.
ask() { "$ROCSTEADY" query --from "$1" --json "$2"; }
for snap in "$WORK/unscrubbed.snap" "$WORK/s.snap" "$WORK/b.snap" "$WORK/s.snap.gz"; do
	ids=$(ask "$snap" "SELECT count(DISTINCT unique_id) AS ids, count(DISTINCT hive_id) AS hives FROM agent")
	check "two chips and two hives: ${snap##*/}" grep -q '"ids": 2, "hives": 2' <<<"$ids"
done
check "in the table for people too" [ "$("$ROCSTEADY" query --from "$WORK/s.snap" \
	'SELECT DISTINCT hive_id AS h FROM agent' | grep -cE '^[0-9a-f]{16}$')" = 2 ]
kfd=$(sed -n 's/^\tunique_id \([0-9]*\)$/\1/p' "$WORK/s.snap" | sort -u)
drm=$(grep -oE '^	unique_id [0-9A-Fa-f]{16}$' "$WORK/s.snap" | awk '{print $2}')
check "KFD and DRM name the same chips" python3 - "$kfd" "$drm" <<'END'
import sys
kfd = {int(x) for x in sys.argv[1].split() if len(x) > 16}
drm = {int(x, 16) for x in sys.argv[2].split()}
sys.exit(0 if len(kfd) == 2 and kfd <= drm else f"{kfd} {drm}")
END

# The facts of the scrubbed machine are those of the plain one, but for names.
cat >"$WORK/compare.py" <<'END'
import json, re, sys
MASK = re.compile(r"(user|host|serial|token)-[0-9a-f]{8}")
def flat(value, path=""):
    if isinstance(value, dict):
        for k, v in value.items(): yield from flat(v, f"{path}.{k}")
    elif isinstance(value, list):
        yield path, len(value)
        for i, v in enumerate(value): yield from flat(v, f"{path}[{i}]")
    else:
        yield path, value
plain, scrubbed = (dict(flat(json.load(open(p)))) for p in sys.argv[1:])
bad = []
for path in plain.keys() | scrubbed.keys():
    a, b = plain.get(path, "(none)"), scrubbed.get(path, "(none)")
    if a == b or (isinstance(b, str) and MASK.search(b)) or re.search(r"unique_id|hive_id|boot|scrubbed", path):
        continue
    if isinstance(a, str) and re.search(r"[0-9a-f]{8}-[0-9a-f]{4}-", a):
        continue
    bad.append(f"{path}: {a!r} became {b!r}")
print("\n".join(sorted(bad)[:20]))
sys.exit(bool(bad))
END
"$ROCSTEADY" facts --json --from "$WORK/unscrubbed.snap" >"$WORK/plain.json"
"$ROCSTEADY" facts --json --from "$WORK/s.snap" >"$WORK/scrubbed.json"
check "the facts are the same but for pseudonyms" python3 "$WORK/compare.py" "$WORK/plain.json" "$WORK/scrubbed.json"
check "the comparison would notice" [ "$(cmp "$WORK/plain.json" "$WORK/scrubbed.json" | wc -l)" = 1 ]

# This very host: its name and its user are not in its own snapshot.
"$ROCSTEADY" snapshot --no-open -o "$WORK/live.snap"
host=$(cat /proc/sys/kernel/hostname)
boot=$(cat /proc/sys/kernel/random/boot_id)
check "the boot of this host is not in it" [ "$(grep -cF "$boot" "$WORK/live.snap")" = 0 ]
case $host in
localhost* | debian | ubuntu | *[!A-Za-z0-9.-]* | ? | ??) echo "not checked: the name of this host says nothing ($host)" ;;
*) check "the name of this host is not in it" [ "$(grep -ciwF "$host" "$WORK/live.snap")" = 0 ] ;;
esac
finish
