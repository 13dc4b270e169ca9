#!/usr/bin/env bash
# Several logs: one verdict a file, the worst first, whatever their names, and
# the exit status of the worst.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
SNAP=$SOURCE/tests/machines/rx7900xt-x2-ubuntu2204-rocm62-healthy.snap

# run WANTED WORD...: standard output in out, standard error in err.
run() {
	local wanted=$1 status=0
	shift
	"$ROCSTEADY" explain "$@" >out 2>err </dev/null || status=$?
	check "status $wanted of: explain $* (got $status: $(head -n 1 err))" [ "$status" = "$wanted" ]
}
says() { check "says: $1" grep -qF -- "$1" "${2:-out}"; }

mkdir -p logs/sub
echo "step 1 loss 0.5" >logs/fine.out
echo "RuntimeError: foo" >logs/odd.out
echo "RuntimeError: HIP error: no kernel image is available for execution on the device" >logs/sub/broken.out

# ---- files and directories ----

run 2 --no-machine logs/fine.out logs/odd.out logs/sub/broken.out
says "3 files: 1 broken, 1 not recognised, 1 ok"
check "the worst is first" [ "$(grep -nE '^(!!|\?\?|ok) ' out | sed 's/:\(..\) .*/ \1/; s/^[0-9]* //' | tr '\n' ' ')" = "!! ?? ok " ]
says "line 1: RuntimeError: foo"
says "Do this: "
mv out files
run 2 --no-machine logs
check "a directory is its files" diff files out
run 3 --no-machine logs/fine.out logs/odd.out
run 0 --no-machine logs/fine.out logs/fine.out
says "2 files: 2 ok"
run 2 --no-machine logs/sub # one file is explained in full
says "Background"
run 2 --no-machine -v logs
says "==> logs/sub/broken.out"
says "Background"

# ---- any number, any number at a time: the same ----

mkdir many
for i in {1..60}; do cp logs/odd.out "many/$i.out"; done
cp logs/sub/broken.out many/61.out
run 2 --no-machine --jobs 1 many
mv out one
says "61 files: 1 broken, 60 not recognised" one
run 2 --no-machine --jobs 7 many
check "--jobs changes nothing" diff one out

# ---- a machine is asked once, and fits or does not ----

run 2 --from "$SNAP" --json --verbose logs
check "with a machine" [ "$(jq -rs 'map(.used) | unique | .[]' out)" = "Based on the text and the snapshot" ]
cp "$SOURCE/tests/explain/gfx1151-log-on-gfx1100.log" logs/sub/other.out
run 2 --from "$SNAP" --json --verbose logs
check "one of another machine" [ "$(jq -rs 'map(select(.used | startswith("Based on the text alone"))) | length' out)" = 1 ]
check "the others are not touched by it" [ "$(jq -rs 'map(select(.used == "Based on the text and the snapshot")) | length' out)" = 3 ]
rm logs/sub/other.out

# ---- JSON: one object a line, in the order of the files ----

run 2 --no-machine --json --verbose logs
check "one object a line" [ "$(wc -l <out)" = 3 ]
check "files are named: $(jq -c .file out | tr '\n' ' ')" [ "$(jq -r .file out | tr '\n' ' ')" = "logs/fine.out logs/odd.out logs/sub/broken.out " ]
run 2 --no-machine --json --verbose --together logs
check "together they have no name" [ "$(jq -c '[.file, .lines]' out)" = '[null,3]' ]
run 2 --no-machine --json --verbose logs/sub/broken.out
check "one alone is one line, too" [ "$(wc -l <out)" = 1 ]

# ---- what is no log ----

: >logs/empty.err
head -c 20000 /dev/urandom >logs/model.bin
ln -s fine.out logs/latest
ln -s . logs/loop
gzip -c logs/odd.out >logs/old.gz
printf 'PS C:\\> python a.py\r\nRuntimeError: bar\r\n' | iconv -t UTF-16LE >logs/windows.txt
run 2 --no-machine logs
says "7 files: 1 broken, 3 not recognised, 1 ok, 1 empty, 1 skipped"
says "logs/model.bin: skipped, it is not text" err
run 66 --no-machine logs/fine.out nowhere.out
says "ok logs/fine.out"
says "nowhere.out: No such file" err
mkdir none && run 66 --no-machine none
says "none holds no files" err
: >none/a.err && : >none/b.err
run 66 --no-machine none
says "2 files: 2 empty"
run 64 --no-machine -f logs
run 66 --no-machine --facts nowhere.json logs
run 2 --no-machine --facts <(echo '{"gfx": "gfx1100"}') --json --verbose logs # a pipe is read once
check "what is stated is stated of each" [ "$(jq -rs 'map(select(.lines > 0)) | length' out)" = 5 ]

# ---- links, and what cannot be looked at ----

mkdir pods elsewhere
echo "RuntimeError: foo" >elsewhere/0.log
echo "step 1" >pods/calm.log
ln -s calm.log pods/latest
run 0 --no-machine pods/calm.log pods
says "2 files: 2 ok"
ln -s ../elsewhere/0.log pods/app.log
run 3 --no-machine pods
says "2 files: 1 not recognised, 1 ok"
rm pods/app.log && ln -s nowhere pods/gone.log
run 3 --no-machine pods
says "pods/gone.log: left out" err

# ---- files that get no answer stand in every form that lists files ----

mkdir mixed
echo "RuntimeError: No HIP GPUs are available" >mixed/a.log
: >mixed/empty.log
printf '\177ELF\2\1\1\0\0\0\0\0' >mixed/program
ln -s nowhere mixed/gone
run 3 --no-machine --json --verbose mixed
check "json: each file has a line" [ "$(jq -rs 'map(.file) | sort | join(" ")' out)" = "mixed/a.log mixed/empty.log mixed/program" ]
check "json: and says why" [ "$(jq -rs 'map(select(.answer == "not-read") | .headline) | join("; ")' out)" = "Not read: it is empty; Not read: it is not text" ]
for form in markdown html; do
	run 3 --no-machine --format "$form" mixed
	says "Not read: it is empty"
	says "mixed/program"
done
run 3 --no-machine mixed
check "text: they are counted" [ "$(grep -c 'Not read' out)" = 0 ]
run 3 --no-machine --together mixed
says "1 file was not read: mixed/program"
says "mixed/program: left out, it is not text" err
run 3 --no-machine --together --json --verbose mixed
check "json of one text: they are named" [ "$(jq -c .not_read out)" = '["mixed/program"]' ]
rm mixed/gone mixed/a.log && echo "step 1" >mixed/b.log
run 3 --no-machine --together mixed # not all of it was looked at
rm mixed/program
run 0 --no-machine --together mixed
run 66 --no-machine --together mixed/b.log no-such.log nor-this.log
says "no-such.log" err
says "nor-this.log" err

# ---- names are anybody's ----

mkdir evil
for name in $'a\e[31mred' $'b\nline' '<script>' '-o' '* `x`'; do echo "Killed" >"evil/$name"; done
run 3 --no-machine evil
check "no escape reaches the terminal" [ "$(tr -d '\n\040-\176' <out | wc -c)" = 0 ]
says 'evil/a\x1b[31mred'
says "5 files: 5 not recognised"

finish
