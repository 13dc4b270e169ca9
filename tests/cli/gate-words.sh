#!/usr/bin/env bash
# The same words everywhere: cause and subject of every recorded machine, by check and by each reader of the gate.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
chmod 755 "$WORK"
check "the words are equal" python3 -B "$(dirname "$0")/gate_words.py" "$ROCSTEADY" "$SOURCE" "$WORK"
finish
