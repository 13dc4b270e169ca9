#!/usr/bin/env bash
# Output of tools that people paste beside an error, judged by the rules of a
# machine: where it decides, where it must not, and where it is not enough.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

ERROR='RuntimeError: No HIP GPUs are available'
KFD='crw-rw---- 1 root render 234, 0 May  2 10:11 /dev/kfd'
OUTSIDE='uid=1000(anna) gid=1000(anna) groups=1000(anna),27(sudo),44(video)'
INSIDE='uid=1000(anna) gid=1000(anna) groups=1000(anna),44(video),109(render)'

# told WANTED LINE...: answer and first cause of these lines.
told() {
	local wanted=$1 got
	shift
	got=$(printf '%s\n' "$@" | "$ROCSTEADY" explain --no-machine --json --verbose | jq -r '.answer + " " + (.family.name // .causes[0].cause)')
	check "$wanted, not $got: $*" [ "$got" = "$wanted" ]
}

# ---- ls -l /dev/kfd with id or groups ----

alone=$(echo "$ERROR" | "$ROCSTEADY" explain --no-machine --json --verbose | jq -r .answer)
check "the error alone is undecided" [ "$alone" = undecided ]
told "certain device-permission" "$KFD" "$OUTSIDE" "$ERROR"
told "certain device-permission" "$OUTSIDE" "total 0" "$KFD" "$ERROR"
told "certain device-permission" "$KFD" "anna adm cdrom sudo dip plugdev" "$ERROR"
told "certain device-permission" "${KFD/render/video}" "anna : anna adm cdrom sudo dip plugdev" "$ERROR"
for near in "$INSIDE" "anna adm cdrom sudo dip plugdev render" "uid=0(root) gid=0(root) groups=0(root)"; do
	told "undecided device-permission" "$KFD" "$near" "$ERROR"
done
told "undecided device-permission" "${KFD/rw----/rw-rw-}" "$OUTSIDE" "$ERROR"  # open to all
told "undecided device-permission" "${KFD/----/----+}" "$OUTSIDE" "$ERROR"     # an access list may name the user
told "undecided device-permission" "$KFD" "$ERROR"                             # who asks is not known
told "undecided device-permission" "$OUTSIDE" "$ERROR"                         # nor is who may

# ---- docker run ----

told "certain container-device-missing" 'docker run -it --rm rocm/pytorch:latest python a.py' "$ERROR"
seen=$(printf '%s\n' 'docker run -it --rm --device=/dev/kfd --device=/dev/dri rocm/pytorch:latest python a.py' "$ERROR" |
	"$ROCSTEADY" explain --no-machine --json --verbose | jq -r '[.causes[].evidence[].id] | index("no-kfd-in-container")')
check "with --device nothing is missing" [ "$seen" = null ]

# ---- lspci, lsmod ----

fact() { printf '%s\n' "$@" | "$ROCSTEADY" explain --no-machine --json --verbose | jq -r '.facts.gfx[0].value'; }
check "lspci -nn names the target" [ "$(fact '03:00.0 VGA compatible controller [0300]: Advanced Micro Devices, Inc. [AMD/ATI] Navi 31 [Radeon RX 7900 XT/7900 XTX/7900 GRE/7900M] [1002:744c] (rev c8)')" = gfx1100 ]
check "an id that nobody knows names none" [ "$(fact '03:00.0 VGA compatible controller [0300]: Advanced Micro Devices, Inc. [AMD/ATI] Device [1002:ffff] (rev c8)')" = null ]
belief() { printf '%s\n' "$@" | "$ROCSTEADY" explain --no-machine --json --verbose | jq '[.causes[] | select(.cause == "driver-not-loaded") | .belief][0] // 0'; }
without=$(belief 'ROCk module is NOT loaded, possibly no GPU devices')
with=$(belief 'ROCk module is NOT loaded, possibly no GPU devices' 'amdgpu              17088512  34')
check "lsmod speaks against a driver that is not loaded: $without, $with" [ "$(jq -n "$with < $without")" = true ]

# ---- a machine's own rows stand ----

printf '%s\n' "$KFD" "$OUTSIDE" "$ERROR" >a.log
used=$("$ROCSTEADY" explain --from "$SOURCE/tests/machines/rx7900xt-x2-ubuntu2204-rocm62-healthy.snap" --json --verbose a.log | jq -r '[.causes[].evidence[] | select(.id == "mode-forbids")] | length')
check "with a machine its own nodes count" [ "$used" = 0 ]

finish
