#!/usr/bin/env bash
# rocsteady mcp: every tool and resource by a client of our own; what is broken,
# hostile, late or cancelled; the official client of Python, where it is installed.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

python3 "$SOURCE/tests/cli/mcp_client.py" "$ROCSTEADY" "$SOURCE" "$WORK"
