#!/usr/bin/env bash
# The DaemonSet of examples/fleet/kubernetes: its command runs in a namespace with exactly the mounts that it lists, with
# its capabilities alone, and says the same of a machine as one that sees everything.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
[ "$(id -u)" = 0 ] || skip "mounts want root"
unshare -m true 2>/dev/null || skip "no mount namespace here"
python3 -c 'import yaml' 2>/dev/null || skip "python3-yaml is not here"
D=$SOURCE/examples/fleet/kubernetes/daemonset
chmod 755 "$WORK"

# What it asks for, said again in a form that a shell reads; and the rules that it keeps.
mapfile -t classes < <(grep -rhoP '^\tclass 0x\K(12|03)[0-9a-f]{2}' "$SOURCE/tests/machines" --include='*.snap' | sort -u)
python3 - "$D/daemonset.yaml" "${classes[@]}" >"$WORK/parts" <<'PY' || exit 1
import shlex
import sys

import yaml

pod = yaml.safe_load(open(sys.argv[1]))["spec"]["template"]["spec"]
[container] = pod["containers"]
context = container["securityContext"]
volumes = {v["name"]: v["hostPath"] for v in pod["volumes"]}
assert all(set(v) == {"name", "hostPath"} for v in pod["volumes"])
assert context["privileged"] is False and context["allowPrivilegeEscalation"] is False and context["readOnlyRootFilesystem"]
assert context["capabilities"] == {"drop": ["ALL"], "add": ["SYSLOG"]}, context
terms = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"]
keys = {term["matchExpressions"][0]["key"].rpartition("/")[2] for term in terms}
classes = sys.argv[2:]  # of the recorded GPUs, as nfd-worker labels them unless it is configured otherwise
assert classes and {f"pci-{name}_1002.present" for name in classes} < keys, (classes, keys)
assert pod["automountServiceAccountToken"] is False and "serviceAccountName" not in pod
assert {m["name"] for m in container["volumeMounts"]} == set(volumes)
written = [m["mountPath"] for m in container["volumeMounts"] if not m.get("readOnly")]
assert written == ["/run/rocsteady", "/var/log/rocsteady"], written
for mount in container["volumeMounts"]:
    host = volumes[mount["name"]]
    print("mount", shlex.quote(host["path"]), shlex.quote(mount["mountPath"]), "ro" if mount.get("readOnly") else "rw", host["type"])
print("args", " ".join(shlex.quote(a) for a in container["args"]))
PY
check "the manifest keeps its rules" [ -s "$WORK/parts" ]
if command -v kubectl >/dev/null; then
	check "kustomize builds it" kubectl kustomize "$D" -o "$WORK/built.yaml"
	check "a namespace and a DaemonSet" [ "$(grep -c '^kind: ' "$WORK/built.yaml")" = 2 ]
	check "no RBAC" bash -c '! grep -q Role "$1"' - "$WORK/built.yaml"
fi

check "the health check is paused, and has a brake" python3 -c '
import sys, yaml
check, rule = yaml.safe_load_all(open(sys.argv[1]))
spec = check["spec"]
assert (check["apiVersion"], check["kind"]) == ("remediation.medik8s.io/v1alpha1", "NodeHealthCheck")
assert spec["pauseRequests"] and spec["minHealthy"] == "95%"
gpu, person = rule["spec"]["rules"]
assert set(gpu["labels"]) == {spec["selector"]["matchExpressions"][0]["key"]}, gpu
match = gpu["matchFeatures"][0]["matchExpressions"]
assert match["vendor"]["value"] == ["1002"] and set(sys.argv[3:]) <= set(match["class"]["value"]), match
assert person["matchFeatures"][0]["matchExpressions"]["rocsteady.io/repair"]["value"] == ["drain", "reseat", "replace", "fix-software"]
detector = __import__("json").load(open(sys.argv[2]))["conditions"][0]["type"]
assert {"type": detector, "status": "True", "duration": "300s"} in spec["unhealthyConditions"]' "$D/../node-health-check.yaml" "$D/../node-problem-detector.json" "${classes[@]}"

# Its root, no power but CAP_SYSLOG (34), and its environment.
cat >"$WORK/enter.py" <<'PY'
import ctypes
import os
import sys

prctl = ctypes.CDLL(None, use_errno=True).prctl
os.chroot(sys.argv[1])
os.chdir("/")
for capability in range(64):
    if capability != 34:
        prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP
assert prctl(38, 1, 0, 0, 0) == 0  # PR_SET_NO_NEW_PRIVS
os.execve("/rocsteady", ["/rocsteady", *sys.argv[2:]], {"NODE_NAME": "gpu0007"})
PY

# in_pod HOST ARGUMENT...: the container's root, with the host's files from HOST, and this command in it.
in_pod() {
	rm -rf "$WORK/pod" "$WORK/kept" && mkdir -p "$WORK/pod" "$WORK/kept"
	exec timeout 120 unshare -m bash -c '
		set -e
		host=$1 work=$2 program=$3 pod=$2/pod
		shift 3
		mount --make-rprivate /
		mount -t tmpfs tmpfs "$pod"
		place() { # place FROM TO MODE
			if [ -d "$1" ]; then mkdir -p "$pod$2"; else mkdir -p "$(dirname "$pod$2")" && : >"$pod$2"; fi
			mount --rbind "$1" "$pod$2"
			[ "$3" = rw ] || mount -o remount,bind,ro "$pod$2"
		}
		cp "$program" "$pod/rocsteady"
		for library in $(ldd "$program" | grep -o "/[^ ]*"); do # the image has a static program
			mkdir -p "$pod$(dirname "$library")" && cp -L "$library" "$pod$library"
		done
		mkdir -p "$pod/proc" && mount -t proc proc "$pod/proc"
		while read -r word from to mode type; do
			[ "$word" = mount ] || continue
			case $mode in
			rw) mkdir -p "$work/kept$from" && place "$work/kept$from" "$to" rw ;;
			*) [ -e "$host$from" ] || [ "$type" != DirectoryOrCreate ] || mkdir -p "$host$from"
				place "$host$from" "$to" ro ;;
			esac
		done <"$work/parts"
		mount -o remount,ro "$pod"
		cd "$pod"
		exec python3 "$work/enter.py" "$pod" "$@" 2>"$work/err"
	' - "$1" "$WORK" "$ROCSTEADY" "${@:2}"
}

# as_shipped HOST: the command of the manifest, until it has written its metrics.
as_shipped() {
	local args
	read -ra args < <(sed -n "s/^args //p" "$WORK/parts")
	in_pod "$1" "${args[@]}" &
	pod=$!
	until_true 60 [ -s "$WORK/kept/run/rocsteady/rocsteady.prom" ]
	kill $pod 2>/dev/null
	wait $pod 2>/dev/null
}

for name in ecc healthy; do
	host=$WORK/$name
	"$ROCSTEADY" snapshot --from "$SOURCE/tests/machines/mi300x-x8-ubuntu2204-rocm63-$name.snap" --no-scrub --unpack "$host"
	echo "$BOOT" >"$host/proc/sys/kernel/random/boot_id" # the pod's kernel is the host's: its log counts
	mkdir -p "$host/etc/rocsteady"
	printf 'max_drained 5\nenforce ecc-uncorrectable drain\n' >"$host/etc/rocsteady/gate.conf"
	as_shipped "$host"
	"$ROCSTEADY" gate --root "$host" --for textfile | grep '^rocsteady_gate_finding{' | sed 's/,mode.*//' >"$WORK/want"
	grep '^rocsteady_gate_finding{' "$WORK/kept/run/rocsteady/rocsteady.prom" | sed 's/,mode.*//' >"$WORK/got"
	check "$name: as one that sees everything: $(cat "$WORK/got" "$WORK/err")" cmp -s "$WORK/want" "$WORK/got"
	[ $name = ecc ] && closed=1 || closed=0
	check "$name: closed $closed" grep -qx "rocsteady_gate_state{state=\"closed\"} $closed" "$WORK/kept/run/rocsteady/rocsteady.prom"
	check "$name: it has seen the kernel log" grep -qx "rocsteady_gate_undecided_causes 0" "$WORK/kept/run/rocsteady/rocsteady.prom"
	check "$name: a trail that names the node" [ "$(jq -r .node "$WORK/kept/var/log/rocsteady/gate.jsonl" | sort -u)" = gpu0007 ]
	check "$name: and is the container's log" grep -q '^{"time"' "$WORK/err"
	mkdir -p "$WORK/snapshots" && (in_pod "$host" snapshot --host-root /host) >"$WORK/snapshots/$name.snap"
done
echo 0 >"$WORK/healthy/proc/sys/kernel/random/boot_id"
rm "$WORK/healthy/.rocsteady-snapshot"
check "another machine that is mounted has not this kernel's log" grep -q 'kernel-log  *UNASKED' <("$ROCSTEADY" facts gaps --host-root "$WORK/healthy")
"$ROCSTEADY" gate --from "$WORK/snapshots" --config "$WORK/ecc/etc/rocsteady/gate.conf" --json >"$WORK/rehearsed"
check "rehearsed on what a pod records: $(cat "$WORK/rehearsed")" \
	[ "$(jq -r '.node + " " + .would' "$WORK/rehearsed" | paste -sd ' ')" = "ecc drain healthy pass" ]
finish
