#!/usr/bin/env bash
# The gate's contract with node-problem-detector and node-feature-discovery, and the files of examples/fleet/kubernetes.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
check "the contract holds" python3 -B "$(dirname "$0")/gate_kubernetes.py" "$ROCSTEADY" "$SOURCE" "$WORK"
finish
