#!/usr/bin/env bash
# Names and bodies with control bytes, through every command: nothing but our own
# colours and lines reaches a pipe or a terminal.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
check "no command lets a foreign control byte through" python3 "$SOURCE/tests/cli/raw_bytes.py" "$WORK"
finish
