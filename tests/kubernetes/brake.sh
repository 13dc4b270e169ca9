#!/usr/bin/env bash
# The brake on Kubernetes: medik8s' Node Healthcheck operator with examples/fleet/kubernetes/node-health-check.yaml, in
# three disasters. As root; no network but loopback; every process that was started is ended.
#
# usage: brake.sh DIR [NODES [REAL]]     DIR is what `tests/kubernetes/get DIR CLONES` has made; ROCSTEADY names the program
#
# Of NODES (100) the first REAL (8) have a node-problem-detector and an nfd-worker of their own. The conditions and labels
# of the others are written here, from what the program said of such a machine: the operator cannot tell. With a REAL of
# 0 the detector and the discovery need not be there. A remediation is an object that the operator creates; no node is
# rebooted by it here.
NEEDS="etcd kube-apiserver kubectl node-healthcheck-operator"
[ "${3:-8}" = 0 ] || NEEDS+=" node-problem-detector nfd-master nfd-worker"
. "$(dirname "$0")/cluster.sh"
COUNT=${2:-100} WAIT=10
mapfile -t NODES < <(seq -f 'g%.0f' 1 "$COUNT")
REAL=("${NODES[@]:0:${3:-8}}") OTHERS=("${NODES[@]:${3:-8}}")
MAY=$((COUNT - (COUNT * 95 + 99) / 100)) # that may be ill at once
start_control_plane
printf 'max_drained 5\nenforce ecc-uncorrectable drain\nenforce gpu-stuck reboot\n' >"$WORK/gate.conf"

# ---- what the program says of each kind of machine ----

"$ROCSTEADY" snapshot --from "$SOURCE/tests/machines/mi300x-x8-ubuntu2204-rocm63-healthy.snap" --no-scrub --unpack "$WORK/tree" >/dev/null
mkdir -p "$WORK/said"
say() { # say KIND: the verdict of such a machine, of now, in the words of the detector and of the discovery
	local kind=$1 knowledge=$KNOWLEDGE
	[ "$kind" != wrong ] || knowledge=$WORK/wrong.db
	sed -i "s/^\tuptime .*/\tuptime $(awk '{ print int($1) }' /proc/uptime)/" "$WORK/$kind.snap"
	"$ROCSTEADY" gate --from "$WORK/$kind.snap" --kb "$knowledge" --verdict "$WORK/said/$kind.verdict" --config "$WORK/gate.conf" >/dev/null 2>&1
	"$ROCSTEADY" gate --for npd --verdict "$WORK/said/$kind.verdict" --config "$WORK/gate.conf" >"$WORK/said/$kind"
	case $? in 0) echo False ;; 1) echo True ;; *) echo Unknown ;; esac >"$WORK/said/$kind.status"
	"$ROCSTEADY" gate --for nfd --verdict "$WORK/said/$kind.verdict" --config "$WORK/gate.conf" -o "$WORK/said/$kind.labels" >/dev/null
}
for kind in healthy ecc stuck; do
	of_this_boot "$SOURCE/tests/machines/mi300x-x8-ubuntu2204-rocm63-$kind.snap" >"$WORK/$kind.snap"
	say $kind
done
sed 's#^\(file .*/ras/[a-z0-9_]*_err_count\)$#\1 !EIO#; s#^\(\t[a-z]*[0-9]*_\(input\|average\)\) .*#\1 !EIO#' "$WORK/healthy.snap" >"$WORK/lost.snap"
say lost
cp -r "$SOURCE/kb" "$WORK/kb"
sed -i 's/gate: ras.uncorrectable >0/gate: ras/; s/WHERE uncorrectable > 0/WHERE uncorrectable >= 0/' "$WORK/kb/causes/ecc-uncorrectable.yaml"
sed -i 's/^repair: .*/repair: reboot/' "$WORK/kb/causes/ecc-uncorrectable.yaml"
"$(dirname "$ROCSTEADY")/rocsteady-kb" build "$WORK/kb" -o "$WORK/wrong.db" >/dev/null || exit 1
cp "$WORK/healthy.snap" "$WORK/wrong.snap"
say wrong
for kind in healthy ecc stuck lost wrong; do
	echo "$kind: $(cat "$WORK/said/$kind.status"), $(cat "$WORK/said/$kind"), $(sed -n 's/.*repair=//p' "$WORK/said/$kind.labels")"
done

# ---- nodes ----

cat >"$WORK/api.py" <<'PY'
"""Writes nodes and their conditions as a kubelet and a detector do: api.py create|KIND WORK NODE..."""
import http.client
import json
import os
import ssl
import sys
import time

what, work, *nodes = sys.argv[1:]
server = http.client.HTTPSConnection("127.0.0.1", int(os.environ["PORT"]), context=ssl._create_unverified_context())


def call(method, path, body, kind="application/json"):
    server.request(method, path, json.dumps(body), {"Authorization": "Bearer " + os.environ["TOKEN"], "Content-Type": kind})
    answer = server.getresponse()
    said = answer.read()
    if answer.status >= 300 and answer.status != 409:
        sys.exit(f"{method} {path}: {answer.status} {said[:300]}")


now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
ready = {"type": "Ready", "status": "True", "reason": "Lab", "message": "no kubelet", "lastTransitionTime": now}
for node in nodes:
    path = "/api/v1/nodes/" + node
    if what == "create":
        call("POST", "/api/v1/nodes", {"metadata": {"name": node, "labels": {"kubernetes.io/hostname": node}, "annotations": {"lab": "no kubelet"}}})
        call("PATCH", path, {"spec": {"taints": None}}, "application/merge-patch+json")
        call("PATCH", path + "/status", {"status": {"conditions": [ready], "capacity": {"cpu": "8", "pods": "9"}}}, "application/strategic-merge-patch+json")
        continue
    said, status = (open(f"{work}/said/{what}{part}").read().strip() for part in ("", ".status"))
    label = dict.fromkeys(("rocsteady.io/cause", "rocsteady.io/subject", "rocsteady.io/mode", "rocsteady.io/repair"))
    label |= dict(word.split("=") for word in open(f"{work}/said/{what}.labels").read().split() if word.startswith("rocsteady.io/"))
    person = label["rocsteady.io/repair"] in ("drain", "reseat", "replace", "fix-software") and label["rocsteady.io/gate"] == "closed"
    label |= {"rocsteady.io/gpu": "true", "remediation.medik8s.io/exclude-from-remediation": "true" if person else None}
    call("PATCH", path, {"metadata": {"labels": label}}, "application/merge-patch+json")
    call("PATCH", path + "/status", {"status": {"conditions": [{"type": "RocsteadyProblem", "status": status, "reason": "GateClosed" if status == "True" else "NoProblem",
         "message": said, "lastTransitionTime": now}]}}, "application/strategic-merge-patch+json")
PY
export PORT TOKEN
not() { ! "$@"; }
are() { # are KIND NODE...: these nodes are such machines from now on
	local kind=$1 name others=()
	shift
	say "$kind" # detectors believe a verdict for ten minutes
	for name in "$@"; do
		if [ -d "$WORK/nodes/$name" ]; then
			cp "$WORK/said/$kind.verdict" "$WORK/nodes/$name/verdict.new"
			mv "$WORK/nodes/$name/verdict.new" "$WORK/nodes/$name/verdict"
			cp "$WORK/said/$kind.labels" "$WORK/nodes/$name/features/rocsteady"
		else
			others+=("$name")
		fi
	done
	[ ${#others[@]} = 0 ] || python3 "$WORK/api.py" "$kind" "$WORK" "${others[@]}"
}

python3 "$WORK/api.py" create "$WORK" "${NODES[@]}"
if [ ${#REAL[@]} -gt 0 ]; then start_discovery; else kubectl apply -f "$DIR/nfd-api-crds.yaml" >/dev/null; fi
# As shipped, but for the template, and with seconds where it has minutes.
kubectl apply -f "$DIR/nhc-crd.yaml" -f "$DIR/snr-crd.yaml" -f "$DIR/snrt-crd.yaml" >/dev/null
check "the API server takes the shipped file" until_true 60 kubectl apply -f "$EXAMPLES/node-health-check.yaml"
# The server judges the pod of the DaemonSet, too: what its namespace must allow, and the volume of the runbook.
check "the API server takes the DaemonSet" until_true 60 kubectl apply -k "$EXAMPLES/daemonset"
pod() { # pod NAMESPACE FILTER: whether a pod of the DaemonSet would be taken there
	kubectl get daemonset -n rocsteady rocsteady-gate -o json |
		jq "{apiVersion: \"v1\", kind: \"Pod\", metadata: {name: \"p\", namespace: \"$1\"}, spec: .spec.template.spec} | $2" |
		kubectl create --dry-run=server -f - >>"$WORK/log/pods" 2>&1
}
kubectl create namespace strict >/dev/null && kubectl label namespace strict pod-security.kubernetes.io/enforce=baseline >/dev/null
check "and its pods: $(cat "$WORK/log/pods" 2>/dev/null)" pod rocsteady .
check "in a namespace that allows hostPath alone" not pod strict .
check "and the image as a volume" pod rocsteady '.spec.volumes += [{name: "rocsteady", image: {reference: "rocsteady:0.1.0"}}]'
port=$((PORT + 10))
for name in "${REAL[@]}"; do
	mkdir -p "$WORK/nodes/$name/features"
	ln -s "$ROCSTEADY" "$WORK/nodes/$name/rocsteady"
	detector "$name"
	worker "$name" $((port++)) "$WORK/tree"
done
are healthy "${NODES[@]}"
for name in "${REAL[@]}"; do
	shows 90 False condition "$name" status
	shows 90 true label "$name" gpu
done
[ ${#REAL[@]} = 0 ] || check "it asks for a label that node-feature-discovery gives as it is shipped" \
	is "$(printf '%s\n' "${REAL[@]}" | sort | paste -sd ' ')" \
	kubectl get nodes -l 'feature.node.kubernetes.io/pci-1200_1002.present' -o jsonpath='{.items[*].metadata.name}'

# ---- the operator ----

mkdir -p "$WORK/tmp/k8s-webhook-server/serving-certs"
openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=lab -keyout "$WORK/tmp/k8s-webhook-server/serving-certs/tls.key" \
	-out "$WORK/tmp/k8s-webhook-server/serving-certs/tls.crt" 2>/dev/null
TMPDIR=$WORK/tmp DEPLOYMENT_NAMESPACE=default POD_NAME=lab start operator node-healthcheck-operator --leader-elect=false \
	--metrics-bind-address 0 --health-probe-bind-address 0
phase() { kubectl get nodehealthcheck rocsteady -o jsonpath='{.status.phase}'; }
healthy() { kubectl get nodehealthcheck rocsteady -o jsonpath='{.status.healthyNodes}/{.status.observedNodes}'; }
remediated() { kubectl get selfnoderemediations -A -o jsonpath='{.items[*].metadata.name}' | wc -w; }
tell() { echo "$1: $(remediated) of $COUNT remediated, $(healthy) healthy, $(phase), after $((SECONDS - began)) s"; }
change() { kubectl patch nodehealthcheck rocsteady --type merge -p "{\"spec\": $1}" >/dev/null; }
settled() { sleep $((WAIT + 5)); } # the condition's duration, and the detectors of the eight
stays() { # stays NUMBER TEXT
	settled
	check "$2: $(remediated) and not $1" [ "$(remediated)" = "$1" ]
}
shows 60 Disabled phase # the template that the file names is not there
kubectl apply -f - >/dev/null <<-TEMPLATE
	apiVersion: self-node-remediation.medik8s.io/v1alpha1
	kind: SelfNodeRemediationTemplate
	metadata: {name: lab, namespace: default}
	spec: {template: {spec: {}}}
TEMPLATE
sed "s/YOUR-NAMESPACE/default/; s/YOUR-TEMPLATE/lab/; s/duration: 300s/duration: ${WAIT}s/" "$EXAMPLES/node-health-check.yaml" | kubectl apply -f - >/dev/null
shows 60 Paused phase

began=$SECONDS
are stuck g1
shows 60 True condition g1 status
stays 0 "paused, as it is shipped, it starts nothing"
tell "paused, one stuck"
change '{"pauseRequests": null}'
shows 60 1 remediated
shows 60 "$((COUNT - 1))/$COUNT" healthy
tell "one stuck"
are ecc g2
shows 60 true kubectl get node g2 -o jsonpath='{.metadata.labels.remediation\.medik8s\.io/exclude-from-remediation}'
shows 60 "$((COUNT - 2))/$COUNT" healthy
check "a fault that a reboot does not mend is left to people" is 1 remediated
tell "and one with ECC errors"
are healthy g1 g2
shows 60 0 remediated
shows 60 "$COUNT/$COUNT" healthy
tell "both repaired"

began=$SECONDS
are wrong "${NODES[@]}"
shows 60 "0/$COUNT" healthy
stays 0 "knowledge that condemns every node"
tell "wrong rule"
are healthy "${NODES[@]}"
shows 90 "$COUNT/$COUNT" healthy
check "rolled back, nothing was started" is 0 remediated
tell "wrong rule, rolled back"

began=$SECONDS
are lost "${NODES[@]}"
shows 60 Unknown condition g1 status
stays 0 "sensors lost everywhere"
shows 10 "$COUNT/$COUNT" healthy # Unknown is not acted upon, and not counted
tell "lost sensors"

began=$SECONDS
are healthy "${NODES[@]}"
shows 60 False condition g1 status
ill=("${NODES[@]:0:COUNT/2}")
are stuck "${ill[@]}"
shows 90 "$((COUNT - COUNT / 2))/$COUNT" healthy
stays 0 "half of them truly ill, all at once"
tell "half ill"
are healthy "${ill[@]:0:${#ill[@]}-MAY-1}" # by people, until one too many is left
shows 90 "$((COUNT - MAY - 1))/$COUNT" healthy
settled
check "one too many ill: still nothing" is 0 remediated
tell "half ill, all but $((MAY + 1)) repaired"
change '{"pauseRequests": ["a person looks"]}'
are healthy "${ill[-1]}"
stays 0 "a person has paused it"
change '{"pauseRequests": null}'
shows 60 "$MAY" remediated
tell "half ill, all but $MAY repaired, and no pause"
are healthy "${NODES[@]}"
shows 90 0 remediated

began=$SECONDS # one after the other, each for longer than the duration: the worst for a level
for ((i = 0; i < MAY + 3; i++)); do
	are stuck "${OTHERS[i]}"
	shows 60 $((i < MAY ? i + 1 : MAY)) remediated
	[ $i -lt $MAY ] || settled
done
check "one by one: $(remediated) of $((MAY + 3)), and not $MAY" is "$MAY" remediated
tell "one after the other, $((MAY + 3)) ill"
echo "in $SECONDS s; operator: $(grep -c 'reconcile end' "$WORK/log/operator") rounds"
finish
