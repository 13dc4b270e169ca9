#!/usr/bin/env bash
# A hook of self-hosted runners of GitHub Actions: a job that would land on a sick GPU fails at once, with the cause.
# The action does the same with `gpu: true`, by this file.
#
# In the runner's file .env:  ACTIONS_RUNNER_HOOK_JOB_STARTED=/usr/local/lib/rocsteady/job-started.sh
# The runner wants a name that ends in .sh. Arguments are handed to `rocsteady check`; ROCSTEADY_PROGRAM is another rocsteady.
#
# A job fails only if check says "not ready". If that is unclear, or check itself fails, it goes on with a warning.
set -u
"${ROCSTEADY_PROGRAM:-rocsteady}" check --format github "$@"
status=$?
case $status in
0 | 1) ;;
2) echo "The GPU of this runner is not ready, and the job stops: rocsteady check" && exit 1 ;;
3) echo "::warning title=rocsteady check::Whether the GPU of this runner is ready is unclear; the job goes on: rocsteady check" ;;
*) echo "::warning title=rocsteady check::rocsteady check failed with status $status; the job goes on" ;;
esac
