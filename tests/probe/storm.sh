#!/usr/bin/env bash
# A small storm, with every `meson test`; a thousand walks by hand: storm --walks 1000 --jobs 4.
exec "$(dirname "$0")/storm" --walks 30 --jobs 2 "${PROBE_WALK:?}" "${MISBEHAVER:?}"
