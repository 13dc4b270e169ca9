#!/usr/bin/env bash
# Two small storms, with every `meson test`; a thousand walks by hand: storm --walks 1000 --jobs 4.
set -eu
storm=$(dirname "$0")/storm
"$storm" --walks 25 "${PROBE_WALK:?}" "${MISBEHAVER:?}"
if grep -q __asan_init "${ROCSTEADY_PROBER:?}"; then
	echo "crashes of the prober itself are the sanitizer's: not tried"
else
	"$storm" --walks 25 --fakes "${ROCSTEADY_FAKES:?}" "$PROBE_WALK" "$ROCSTEADY_PROBER"
fi
