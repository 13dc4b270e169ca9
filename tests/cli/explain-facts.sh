#!/usr/bin/env bash
# What a machine shows against what a text suggests. Rows of
# tests/data/explain-facts.tsv: why, machine (- for none), statements with _ for blanks (- for
# none), the text with \n between its lines, the answer, and the first cause;
# !CAUSE is one that must not be first.
set -u
source=$ROCSTEADY_SOURCE program=$ROCSTEADY
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$source" || exit 1
unset ROCSTEADY_FROM
failed=0 rows=0

tell() {
	python3 -c 'import json, sys
said = json.load(sys.stdin)
print(said["answer"], said["causes"][0]["cause"] if said["causes"] else "-")'
}

while IFS=$'\t' read -r why machine states text answer first; do
	case $why in '' | '#'*) continue ;; esac
	rows=$((rows + 1)) options=(--no-machine) set=()
	[ "$machine" = - ] || options=(--from "tests/machines/$machine.snap")
	[ "$states" = - ] || for state in $states; do set+=(--set "${state//_/ }"); done
	printf '%b\n' "$text" >"$work/log"
	read -r got_answer got_first < <("$program" explain "${options[@]}" "${set[@]}" --json --verbose "$work/log" 2>"$work/err" | tell)
	case $first in
	!*) [ "$got_first" != "${first#!}" ] ;;
	*) [ "$got_first" = "$first" ] ;;
	esac && [[ " $answer " == *" $got_answer "* ]] && continue
	printf 'FAIL %s: %s %s, not %s %s %s\n' "$why" "$got_answer" "$got_first" "$answer" "$first" "$(<"$work/err")"
	failed=1
done <tests/data/explain-facts.tsv

# A defect of a product is told where the product is named, and nowhere else.
tensile='rocBLAS error: Cannot read /opt/rocm/lib/rocblas/library/TensileLibrary.dat: No such file or directory for GPU arch : gfx1151'
if "$program" explain --no-machine --json --verbose <<<"$tensile" | grep -q lm-studio; then
	echo "FAIL rocBLAS of /opt/rocm is told as a defect of LM Studio"
	failed=1
fi
if ! "$program" explain --no-machine --set 'framework=LM Studio' --json --verbose <<<"$tensile" | grep -q lm-studio; then
	echo "FAIL the defect of LM Studio is not told where LM Studio is named"
	failed=1
fi

# The first step is what advise prints for the same GPU and program, and promises no build where there is none.
refused='level=WARN source=amd_windows.go:138 msg="amdgpu is not supported (supported types:[gfx1103])" gpu_type=gfx1150 gpu=0'
advised=$("$program" advise --for ollama --gpu gfx1150 --os windows | grep -o 'https://ollama[^ ]*')
"$program" explain --no-machine <<<"$refused" | sed -n '/^    1 /,/^    2 /p' | grep -qF "${advised:-none}" ||
	{ echo "FAIL Ollama refuses gfx1150, and step 1 is not the release that advise names" && failed=1; }
missing='hipErrorNoBinaryForGpu: Unable to find code object for all current devices!'
"$program" explain --no-machine --set gfx=gfx90c <<<"$missing" | grep -q 'No torch build has code for gfx90c: use one for gfx900' ||
	{ echo "FAIL gfx90c is promised a build that advise does not know" && failed=1; }
"$program" explain --no-machine --set gfx=gfx1100 <<<"$missing" | grep -q 'No torch build' &&
	{ echo "FAIL gfx1100 is denied the builds that have code for it" && failed=1; }
printf 'failure during GPU discovery\nerror="runner crashed"\n' >"$work/log"
"$program" explain --verbose --from tests/machines/mi210-x8-rhel9-rocm63-healthy.snap "$work/log" | grep -q Vulkan &&
	{ echo "FAIL an MI210 is sent to Vulkan, which it does not have" && failed=1; }

# A reboot deletes the kernel log: it is saved before.
"$program" explain --no-machine <<<'amdgpu 0000:05:00.0: amdgpu: socket: 0, die: 0 1 new uncorrectable hardware errors detected in gfx block' |
	awk '/dmesg -T >/ { saved = 1 } /sudo reboot/ { exit !saved } END { exit !saved }' ||
	{ echo "FAIL a GPU with hardware errors is rebooted before the evidence is saved" && failed=1; }

# A name that only the knowledge has is a GPU, however it is stated.
line='hipErrorNoBinaryForGpu: Unable to find code object' gpu='Ryzen AI Max+ 395'
printf '{"gpu": "%s"}' "$gpu" >"$work/facts"
"$program" explain --no-machine --set "gpu=$gpu" --json --verbose <<<"$line" >"$work/by-set"
"$program" explain --no-machine --facts "$work/facts" --json --verbose <<<"$line" >"$work/by-facts"
printf '{"id": 1, "log": "%s", "facts": {"gpu": "%s"}}\n' "$line" "$gpu" | "$program" explain --batch --verbose >"$work/by-batch"
for way in set facts batch; do
	grep -q gfx1151 "$work/by-$way" || { echo "FAIL $gpu is no gfx1151 by $way" && failed=1; }
done

# A file of facts that are not used says so, as --set does, and no name in it reaches the terminal as it is.
told() { # told JSON LINE: the line, or nothing at all, is what is said of these facts
	printf '%s' "$1" >"$work/facts"
	"$program" explain --no-machine --facts "$work/facts" <<<"$line" >/dev/null 2>"$work/err"
	[ "$(<"$work/err")" = "${2:+rocsteady: }${2/FILE/$work/facts}" ] || { echo "FAIL of $1: $(<"$work/err")" && failed=1; }
}
told '{"gpu": "MI300X", "kernel": null, "colour": null, "env_vars": {"A": "1"}}' ''
told '{"gpus": "MI300X"}' 'FILE: gpus: no fact that --facts takes; left out'
told '{"gpu": ["MI300X"]}' 'FILE: gpu: no fact that --facts takes; left out'
told '{"gpu": "MI300X", "gpu": "RX 6600"}' 'FILE: gpu: stated twice; the first counts'
told '{"g\u001b[2Jpu": "x"}' 'FILE: g\x1b[2Jpu: no fact that --facts takes; left out'
told '{"gpu": "MI399X"}' "$("$program" explain --no-machine --set gpu=MI399X <<<"$line" 2>&1 >/dev/null | sed 's/^rocsteady: //')"
printf '{%s"z": 1}' "$(printf '"k%d": 1, ' $(seq 100))" >"$work/facts"
"$program" explain --no-machine --facts "$work/facts" <<<"$line" >/dev/null 2>"$work/err"
[ "$(wc -l <"$work/err")" = 9 ] && grep -q ': 93 more facts that are not used$' "$work/err" || { echo "FAIL a hundred and one unknown facts" && failed=1; }
# Of a long text the beginning is read up to the end of a line: half of a version is another one.
python3 - >"$work/in" <<'END'
begins = "- GPU: RX 7600\n" + "y" * 70 + "\n"
begins += "filler text\n" * ((6144 - len(begins) - len("- Kernel: 6.1")) // 12)
begins += "z" * (6144 - len(begins) - 1 - len("- Kernel: 6.1")) + "\n"
text = begins + "- Kernel: 6.14.0-37-generic\n" + "filler text\n" * 12000 + "RuntimeError: No HIP GPUs are available\n"
assert text[6131:6144] == "- Kernel: 6.1"
print(text, end="")
END
got=$("$program" explain --no-machine --json --verbose "$work/in" | jq -c '[.facts.gpu[0].value, .facts.kernel]')
[ "$got" = '["RX 7600",null]' ] || { echo "FAIL a line that is cut: $got" && failed=1; }
echo "$rows rows"
[ "$rows" -gt 0 ] || failed=1
exit "$failed"
