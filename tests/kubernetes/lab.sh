#!/usr/bin/env bash
# The gate in a real Kubernetes on one host: a node-problem-detector and an nfd-worker for each of six nodes, with the
# files of examples/fleet/kubernetes. As root; loopback only; every process that was started is ended.
#
# usage: lab.sh DIR     DIR is what tests/kubernetes/get has made; ROCSTEADY names the program
#
# Nodes are objects without a kubelet: what the detector and the discovery say of them is real, and so is the scheduler
# that reads it. About four minutes, half of them waiting until labels expire.
. "$(dirname "$0")/../live/lib.sh"
DIR=$(cd "${1:?usage: lab.sh DIR}" && pwd)
PATH=$DIR/bin:$PATH
for need in etcd kube-apiserver kube-scheduler kubectl node-problem-detector nfd-master nfd-worker; do
	command -v "$need" >/dev/null || skip "no $need in $DIR/bin: tests/kubernetes/get $DIR makes them"
done
[ "$(id -u)" = 0 ] || skip "each worker sees another /etc, which wants root"
EXAMPLES=$SOURCE/examples/fleet/kubernetes
PORT=$((20000 + $$ % 100 * 100))
NODES=(healthy ill undecided hung silent absent)
export KUBECONFIG=$WORK/kubeconfig
mkdir "$WORK"/{log,pki,nodes}

leave() {
	# shellcheck disable=SC2046 # a list of numbers
	kill $(jobs -p) 2>/dev/null
	wait 2>/dev/null
	rm -rf "$WORK"
}
trap leave EXIT
trap 'exit 1' TERM INT HUP

start() { # start NAME COMMAND...
	local name=$1
	shift
	"$@" >"$WORK/log/$name" 2>&1 &
}

# ---- the control plane ----

token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
(umask 077 && echo "$token,admin,1,system:masters" >"$WORK/pki/tokens")
openssl genrsa -out "$WORK/pki/account.key" 2048 2>/dev/null
kubectl config set-cluster lab --server "https://127.0.0.1:$PORT" --insecure-skip-tls-verify >/dev/null
kubectl config set-credentials lab --token "$token" >/dev/null
kubectl config set-context lab --cluster lab --user lab >/dev/null
kubectl config use-context lab >/dev/null

began=$SECONDS
start etcd etcd --data-dir "$WORK/etcd" --unsafe-no-fsync --listen-client-urls "http://127.0.0.1:$((PORT + 1))" \
	--advertise-client-urls "http://127.0.0.1:$((PORT + 1))" --listen-peer-urls "http://127.0.0.1:$((PORT + 2))"
# Without a controller manager nobody makes a service account: pods go without.
start apiserver kube-apiserver --etcd-servers "http://127.0.0.1:$((PORT + 1))" --bind-address 127.0.0.1 \
	--advertise-address 127.0.0.1 --secure-port "$PORT" --cert-dir "$WORK/pki" --token-auth-file "$WORK/pki/tokens" \
	--authorization-mode RBAC --disable-admission-plugins ServiceAccount --service-cluster-ip-range 10.0.0.0/16 \
	--service-account-issuer https://lab --service-account-key-file "$WORK/pki/account.key" \
	--service-account-signing-key-file "$WORK/pki/account.key" --endpoint-reconciler-type none
check "the API server answers" until_true 180 kubectl get --raw /readyz
start scheduler kube-scheduler --kubeconfig "$KUBECONFIG" --leader-elect=false --secure-port 0
echo "control plane: ready after $((SECONDS - began)) s"

# ---- six nodes ----

node() {
	kubectl create -f - <<-NODE
		apiVersion: v1
		kind: Node
		metadata: {name: $1, labels: {kubernetes.io/hostname: $1}, annotations: {lab: "no kubelet"}} # nfd adds to both
	NODE
	# A new node is unschedulable until its kubelet says that it is ready.
	kubectl patch node "$1" --subresource status --type merge -p '{"status":
		{"capacity": {"cpu": "8", "memory": "64Gi", "pods": "110"}, "allocatable": {"cpu": "8", "memory": "64Gi", "pods": "110"},
		 "conditions": [{"type": "Ready", "status": "True", "reason": "Lab", "message": "no kubelet"}]}}'
	kubectl patch node "$1" --type json -p '[{"op": "remove", "path": "/spec/taints"}]'
} >/dev/null 2>&1

machine() { # machine NODE NAME: that recorded machine, of this boot
	of_this_boot "$SOURCE/tests/machines/$2.snap" >"$WORK/nodes/$1/machine"
}

# What the timer's service does: a new verdict, and the feature file made of it.
renew() {
	local at=$WORK/nodes/$1
	"$ROCSTEADY" gate --from "$at/machine" --verdict "$at/verdict" --config "$WORK/gate.conf" >/dev/null
	"$ROCSTEADY" gate --for nfd --verdict "$at/verdict" --config "$WORK/gate.conf" -o "$at/features/rocsteady" >/dev/null
}

detector() { # detector NODE: the shipped file, with this node's verdict, every five seconds
	local at=$WORK/nodes/$1
	python3 - "$EXAMPLES/node-problem-detector.json" "$at" >"$at/detector.json" <<-'PYTHON'
		import json, sys
		shipped, at = sys.argv[1:]
		config = json.load(open(shipped))
		config["pluginConfig"]["invoke_interval"] = "5s"
		config["rules"][0]["path"] = at + "/rocsteady"
		config["rules"][0]["args"] += ["--verdict", at + "/verdict"]
		json.dump(config, sys.stdout)
	PYTHON
	start "detector-$1" node-problem-detector --hostname-override "$1" --port 0 --prometheus-port 0 \
		--apiserver-override "https://127.0.0.1:$PORT?inClusterConfig=false&auth=$KUBECONFIG" \
		--config.custom-plugin-monitor "$at/detector.json"
}

worker() { # worker NODE: it reads one directory below /etc, where it sees this node's
	local at=$WORK/nodes/$1 port=$2
	mkdir -p "$at/etc/kubernetes/node-feature-discovery/features.d" "$at/etc-work"
	# shellcheck disable=SC2016 # of the inner shell
	NODE_NAME=$1 POD_NAME=$1 POD_UID=lab KUBERNETES_NAMESPACE=default start "worker-$1" unshare -m sh -c '
		mount --make-rprivate / &&
		mount -t overlay -o "lowerdir=/etc,upperdir=$1/etc,workdir=$1/etc-work" overlay /etc &&
		mount --bind "$1/features" /etc/kubernetes/node-feature-discovery/features.d &&
		exec nfd-worker -kubeconfig "$KUBECONFIG" -no-owner-refs -label-sources local -feature-sources local \
			-port "$2" -options "{\"core\": {\"sleepInterval\": \"5s\"}}"' sh "$at" "$port"
}

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

kubectl apply -f "$DIR/nfd-api-crds.yaml" >/dev/null
NODE_NAME=healthy KUBERNETES_NAMESPACE=default start master nfd-master -kubeconfig "$KUBECONFIG" -enable-taints -port $((PORT + 3))
port=$((PORT + 10))
for name in "${NODES[@]}"; do
	detector "$name"
	worker "$name" $((port++))
done

# ---- what the cluster knows ----

condition() { # condition NODE FIELD
	kubectl get node "$1" -o jsonpath="{.status.conditions[?(@.type==\"RocsteadyProblem\")].$2}"
}
label() { kubectl get node "$1" -o jsonpath="{.metadata.labels.rocsteady\.io/$2}"; }
taint() { kubectl get node "$1" -o jsonpath='{.spec.taints[*].key}={.spec.taints[*].effect}'; }
is() { [ "$("${@:2}")" = "$1" ]; }
shows() { # shows SECONDS VALUE COMMAND...
	check "${*:3}: '$("${@:3}")' and not '$2'" until_true "$1" is "${@:2}"
}
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
