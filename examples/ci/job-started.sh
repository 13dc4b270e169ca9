#!/usr/bin/env bash
# A hook of self-hosted runners of GitHub Actions: a job that would land on a sick GPU fails at once, with the cause.
#
# In the runner's file .env:  ACTIONS_RUNNER_HOOK_JOB_STARTED=/usr/local/lib/rocsteady/job-started.sh
# The runner wants a name that ends in .sh. Arguments are handed to `rocsteady check`.
set -u
rocsteady check --format github "$@"
status=$?
case $status in
0 | 1) exit 0 ;;
2) echo "This runner takes no job until its GPU is repaired: rocsteady check" && exit 1 ;;
3) echo "Whether this runner is fit is unclear, and the job starts: rocsteady check" ;;
*) echo "rocsteady check failed with status $status, and the job starts" ;;
esac
