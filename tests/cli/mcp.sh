#!/usr/bin/env bash
# rocsteady mcp: every tool and resource by a client of our own; what is broken,
# hostile, late or cancelled. tests/packages/forge.sh has the official client.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

python3 "$SOURCE/tests/cli/mcp_client.py" "$ROCSTEADY" "$SOURCE" "$WORK"
