#!/usr/bin/env bash
# Every open() of every tool of `rocsteady mcp`, with hostile inputs, under strace:
# nothing outside of the directory of --allow and a fixed list.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
command -v strace >/dev/null && strace -o /dev/null true 2>/dev/null || skip "strace does not work here"

python3 "$SOURCE/tests/cli/mcp_opens.py" "$ROCSTEADY" "$SOURCE" "$WORK"
