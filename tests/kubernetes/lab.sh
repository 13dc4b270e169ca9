#!/usr/bin/env bash
# The gate in a real Kubernetes on one host: a node-problem-detector and an nfd-worker for each of six nodes, with the
# files of examples/fleet/kubernetes. As root; loopback only; every process that was started is ended.
#
# usage: lab.sh DIR     DIR is what tests/kubernetes/get has made; ROCSTEADY names the program
#
# Nodes are objects without a kubelet: what the detector and the discovery say of them is real, and so is the scheduler
# that reads it. About four minutes, half of them waiting until labels expire.
. "$(dirname "$0")/cluster.sh"
NODES=(healthy ill undecided hung silent absent)
start_control_plane
start_scheduler

# ---- six nodes ----

: >"$WORK/gate.conf"
for name in "${NODES[@]}"; do
	mkdir -p "$WORK/nodes/$name/features"
	ln -s "$ROCSTEADY" "$WORK/nodes/$name/rocsteady"
	machine "$name" mi300x-x8-ubuntu2204-rocm63-healthy
	node "$name"
done
machine ill mi300x-x8-ubuntu2204-rocm63-ecc
machine silent mi300x-x8-ubuntu2204-rocm63-ecc
for name in "${NODES[@]}"; do renew "$name"; done
# Nothing could be read on one, and on another the program never answers.
printf 'rocsteady-verdict 1\nboot %s\nsecond %d\nknowledge x\nmode observe\nunknown ecc-uncorrectable\n' \
	"$BOOT" "$(cut -d. -f1 /proc/uptime)" >"$WORK/nodes/undecided/verdict"
"$ROCSTEADY" gate --for nfd --verdict "$WORK/nodes/undecided/verdict" --config "$WORK/gate.conf" -o "$WORK/nodes/undecided/features/rocsteady"
rm "$WORK/nodes/hung/rocsteady"
printf '#!/bin/sh\nsleep 600\n' >"$WORK/nodes/hung/rocsteady" && chmod 755 "$WORK/nodes/hung/rocsteady"

start_discovery
port=$((PORT + 10))
for name in "${NODES[@]}"; do
	detector "$name"
	worker "$name" $((port++))
done

# ---- what the cluster knows ----

tell() { # tell TITLE: a row for each node
	printf '\n%-10s %-8s %-12s %-40s %-8s %-18s %s\n' "$1" ILL REASON MESSAGE LABEL CAUSE TAINT
	for name in "${NODES[@]}"; do
		printf '%-10s %-8s %-12s %-40.40s %-8s %-18s %s\n' "$name" "$(condition "$name" status)" "$(condition "$name" reason)" \
			"$(condition "$name" message)" "$(label "$name" gate)" "$(label "$name" cause)" "$(taint "$name")"
	done
}

shows 60 False condition healthy status
shows 60 True condition ill status
shows 10 GateClosed condition ill reason
shows 10 "ecc-uncorrectable 0000:47:00.0: drain" condition ill message
shows 60 Unknown condition undecided status
shows 60 Unknown condition hung status
shows 60 False condition absent status
rm "$WORK/nodes/absent/rocsteady" # the detector does not start without it; one that runs goes on
shows 60 Unknown condition absent status
shows 60 open label healthy gate
shows 60 closed label ill gate
shows 10 ecc-uncorrectable label ill cause
shows 10 observe label ill mode
shows 60 unknown label undecided gate
written=$SECONDS # the silent node's file is not renewed any more

kubectl apply -f "$EXAMPLES/node-feature-rule.yaml" >/dev/null
sleep 12
check "a finding that is only observed marks nobody" is "" label ill out-of-service
tell observed

# ---- one cause enforced, and a taint ----

printf 'max_drained 2\nenforce ecc-uncorrectable drain\n' >"$WORK/gate.conf"
renew ill
shows 60 enforce label ill mode
shows 60 true label ill out-of-service
check "as shipped, the rule taints nobody" is "=" taint ill
sed 's/^      # taints:/      taints:/; s/^      #   - {effect/        - {effect/' "$EXAMPLES/node-feature-rule.yaml" | kubectl apply -f - >/dev/null
shows 60 "rocsteady.io/gate=NoSchedule" taint ill
for name in healthy undecided hung silent absent; do check "$name has no taint" is "=" taint "$name"; done
tell enforced

pod() { # pod NAME NODE: where it is put
	kubectl create -f - >/dev/null <<-POD
		apiVersion: v1
		kind: Pod
		metadata: {name: $1}
		spec:
		  nodeSelector: {kubernetes.io/hostname: $2}
		  containers: [{name: job, image: none}]
	POD
}
placed() { kubectl get pod "$1" -o jsonpath='{.spec.nodeName}'; }
for name in "${NODES[@]}"; do pod "on-$name" "$name"; done
for name in healthy undecided hung silent absent; do shows 30 "$name" placed "on-$name"; done
check "no pod is put on the ill node" is "" placed on-ill

# ---- the program fails while the node is ill: nobody is cured by that ----

rm "$WORK/nodes/ill/rocsteady"
shows 60 Unknown condition ill status
check "its taint stays" is "rocsteady.io/gate=NoSchedule" taint ill
ln -s "$ROCSTEADY" "$WORK/nodes/ill/rocsteady"
shows 60 True condition ill status

# ---- a repair is a boot with a clean machine ----

machine ill mi300x-x8-ubuntu2204-rocm63-healthy
rm "$WORK/nodes/ill/verdict"
renew ill
shows 60 False condition ill status
shows 60 "=" taint ill
shows 60 open label ill gate
shows 60 ill placed on-ill

# ---- a host that says nothing any more keeps no label ----

check "the silent node was closed" is closed label silent gate
for name in healthy ill; do renew "$name"; done
shows 240 "" label silent gate
echo "labels of the silent node were gone $((SECONDS - written)) s after its last word"
check "those that are renewed stay" is open label healthy gate
tell at-last
echo "in $((SECONDS - began)) s"
finish
