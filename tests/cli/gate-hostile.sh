#!/usr/bin/env bash
# The gate with a hostile home, environment, kernel log and configuration: nothing of them is opened or run.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
chmod 755 "$WORK"
check "nothing hostile is opened or run" python3 -B "$(dirname "$0")/gate_hostile.py" "$ROCSTEADY" "$SOURCE" "$WORK"
finish
