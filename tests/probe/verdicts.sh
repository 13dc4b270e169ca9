#!/usr/bin/env bash
# Every ending of every question of a walk, and what each command that judges a machine makes of it.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
chmod 755 "$WORK"
check "a broken walk is never ready" python3 -B "$(dirname "$0")/verdicts.py" "$ROCSTEADY" "$SOURCE" "$WORK"
finish
