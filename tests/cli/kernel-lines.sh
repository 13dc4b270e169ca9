#!/usr/bin/env bash
# One list of kernel lines: explain, check and gate say the same of each.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
check "every line means the same everywhere" python3 -B "$(dirname "$0")/kernel_lines.py" "$ROCSTEADY" "$SOURCE" "$WORK"
finish
