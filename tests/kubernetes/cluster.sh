# Sourced by the tests with a real Kubernetes: the programs that tests/kubernetes/get has made, a control plane in one
# directory, nodes that are objects without a kubelet, and the end of all that was started. Root; no network but loopback.
if [ -z "${OWN_NETWORK:-}" ] && [ "$(id -u)" = 0 ]; then # ports of two tests do not meet, and nothing listens outside
	OWN_NETWORK=yes exec unshare -n "$0" "$@"
fi
. "$(dirname "${BASH_SOURCE[0]}")/../live/lib.sh"
[ "$(id -u)" = 0 ] || skip "each worker sees another /etc, which wants root"
ip link set lo up
DIR=$(cd "${1:?give the directory that tests/kubernetes/get has made}" && pwd)
PATH=$DIR/bin:$PATH
for need in ${NEEDS:-etcd kube-apiserver kube-scheduler kubectl node-problem-detector nfd-master nfd-worker}; do
	command -v "$need" >/dev/null || skip "no $need in $DIR/bin: tests/kubernetes/get $DIR makes them"
done
EXAMPLES=$SOURCE/examples/fleet/kubernetes
PORT=20000
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

start_control_plane() {
	TOKEN=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
	(umask 077 && echo "$TOKEN,admin,1,system:masters" >"$WORK/pki/tokens")
	openssl genrsa -out "$WORK/pki/account.key" 2048 2>/dev/null
	kubectl config set-cluster lab --server "https://127.0.0.1:$PORT" --insecure-skip-tls-verify >/dev/null
	kubectl config set-credentials lab --token "$TOKEN" >/dev/null
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
	echo "control plane: ready after $((SECONDS - began)) s"
}

start_scheduler() {
	start scheduler kube-scheduler --kubeconfig "$KUBECONFIG" --leader-elect=false --secure-port 0
}

start_discovery() { # its kinds are there before it
	kubectl apply -f "$DIR/nfd-api-crds.yaml" >/dev/null
	NODE_NAME=lab KUBERNETES_NAMESPACE=default start master nfd-master -kubeconfig "$KUBECONFIG" -enable-taints -port $((PORT + 3))
}

node() { # node NAME
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

# worker NODE PORT [TREE]: it reads one directory below /etc, where it sees this node's, and with TREE that machine's /sys,
# of which it says what PCI devices there are.
worker() {
	local at=$WORK/nodes/$1 port=$2 tree=${3:-} sources=local
	[ -z "$tree" ] || sources=local,pci
	mkdir -p "$at/etc/kubernetes/node-feature-discovery/features.d" "$at/etc-work"
	# shellcheck disable=SC2016 # of the inner shell
	NODE_NAME=$1 POD_NAME=$1 POD_UID=lab KUBERNETES_NAMESPACE=default start "worker-$1" unshare -m sh -c '
		mount --make-rprivate / &&
		mount -t overlay -o "lowerdir=/etc,upperdir=$1/etc,workdir=$1/etc-work" overlay /etc &&
		mount --bind "$1/features" /etc/kubernetes/node-feature-discovery/features.d &&
		{ [ -z "$4" ] || mount --bind "$4/sys" /sys; } &&
		exec nfd-worker -kubeconfig "$KUBECONFIG" -no-owner-refs -label-sources "$3" -feature-sources "$3" \
			-port "$2" -options "{\"core\": {\"sleepInterval\": \"5s\"}}"' sh "$at" "$port" "$sources" "$tree"
}

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
