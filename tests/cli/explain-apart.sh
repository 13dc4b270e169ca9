#!/usr/bin/env bash
# A person's sentence among the lines of a log that shows no failure: the log is no proof against it.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1

# log SENTENCE [LINES]: a training that goes on, with the sentence in its middle.
log() {
	awk -v sentence="$1" -v count="${2:-2000}" 'BEGIN {
		for (n = 0; n < count; n++) {
			if (n == int(count / 2)) print sentence
			printf "2026-11-14 10:%02d:%02d INFO trainer epoch 1 step %d loss 1.%04d lr 1.0e-4 samples/s 123.4\n", n / 60 % 60, n % 60, n, n
		}
	}'
}

# answers WORD STATUS SENTENCE [LINES]
answers() {
	log "$3" "${4:-2000}" | "$ROCSTEADY" explain --no-machine --json >out 2>&1
	check "$1: $3" [ "$? $(jq -r .answer out)" = "$2 $1" ]
}

for lines in 100 2000 20000; do
	answers undecided 3 "Ollama fails to run with ROCm 6.2.2 in Arch" "$lines"
	answers undecided 3 "rocminfo segfaults when the first card is not supported" "$lines"
	answers undecided 3 "it does not work with ROCm 7.2" "$lines"
done
log "Ollama fails to run with ROCm 6.2.2 in Arch" | "$ROCSTEADY" explain --no-machine >out
check "the sentence is quoted with its line" grep -q 'Ollama fails to run .*1001' out

# Near misses: nobody tells of a failure, or not of a GPU; a program says it; all lines are such.
for sentence in "Ollama runs with ROCm 6.2.2 in Arch" "the cat fails to find the dog in the house" \
	"Failed to import rocm_smi, skipping the GPU's temperature" "2026-11-14 10:16:41 INFO rocm_smi fails to answer in time" \
	"rocm: it fails to answer in time" "does anybody know whether ROCm 7.2 works"; do
	answers nothing 0 "$sentence"
done
{
	log x 50
	awk 'BEGIN { for (n = 0; n < 300; n++) printf "%c%czork fails to answer with ROCm %d\n", 97 + n / 26, 97 + n % 26, n }'
	log x 50
} | "$ROCSTEADY" explain --no-machine --json >out
check "three hundred beginnings are no log of one program" [ "$(jq -r .answer out)" = nothing ]
finish
