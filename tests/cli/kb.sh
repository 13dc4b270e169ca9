#!/usr/bin/env bash
# The word kb of the built program, and rocsteady-kb: what it says, its exit status, and that a
# bad set of files makes nothing.
set -u
source=$ROCSTEADY_SOURCE program=$ROCSTEADY
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
failed=0

# run WANTED [-kb] COMMAND...: $out and $err of rocsteady or rocsteady-kb; complains about another exit status.
run() {
	local wanted=$1 status=0 which=
	shift
	[ "$1" = -kb ] && which=-kb && shift
	out=$("$program$which" "$@" 2>"$work/err" </dev/null) || status=$?
	err=$(<"$work/err")
	[ "$status" = "$wanted" ] || complain "rocsteady$which $*: exit status $status, not $wanted: $err"
}

complain() {
	printf 'FAIL %s\n' "$1"
	failed=1
}

says() {
	[[ $1 == *"$2"* ]] || complain "'$2' is not in: $1"
}

# ---- the knowledge that is carried ----

run 0 kb version
says "$out" "version 20"
digest=$(sed -n 's/^digest *//p' <<<"$out")
run 0 kb list
says "$out" "vram-exhausted"
says "$out" "severity"
lines=$(wc -l <<<"$out")
[[ $out != *"{"* ]] || complain "a title with a hole: $out"
run 64 kb list vram-orphaned
says "$err" "rocsteady kb show vram-orphaned"
run 0 kb list --json
[ "$(jq -r '.[] | select(.cause == "vram-exhausted") | .severity' <<<"$out")" = warning ] || complain "kb list --json: $out"
[ "$(jq length <<<"$out")" = $((lines - 1)) ] || complain "kb list --json has not as many causes as kb list"
slug=vram-exhausted
run 0 kb show "$slug"
for part in "What can help" "What shows it" "Sources" "To decide" "kb show $slug --verbose"; do
	says "$out" "$part"
done
[[ $out != *SELECT* && $out != *"{"* ]] || complain "kb show speaks of queries and holes: $out"
remedy=$(sed -n '/^What can help/,/^$/s/.*(\([a-z0-9-]*\))$/\1/p' <<<"$out" | head -n 1)
run 0 kb show "$slug" --verbose
for part in "Evidence for it" "Do this, best first" "Sources" "To decide"; do
	says "$out" "$part"
done
run 0 kb show "$remedy"
says "$out" "Fixes: "
run 0 kb show hip-no-kernel-image
for part in "One of these is in the line" "Speaks for, in decibans" "framework-lacks-arch" "Sources"; do
	says "$out" "$part"
done
run 0 kb show jax-autotuner-repeat-buffer
for part in "speaks for framework-lacks-arch" "What made it work" "gfx is one of: gfx906" "xla-repeat-buffer" "https://"; do
	says "$out" "$part"
done
run 64 kb show hip-no-kernel-imag
says "$err" "did you mean hip-no-kernel-image"
run 64 kb show no-such-thing
says "$err" "unknown cause, remedy, signature or defect no-such-thing"
run 64 kb
run 64 kb dance
for word in build lint score test; do
	run 64 kb $word x
	says "$err" "kb $word is not in rocsteady; it is in rocsteady-kb"
done
run 64 kb score x --cures y
says "$err" "--cures is not in rocsteady; it is in rocsteady-kb"
run 64 -kb list
says "$err" "list is not in rocsteady-kb; it is in rocsteady"
run 64 -kb dance
run 0 -kb
says "$out" "usage: rocsteady-kb COMMAND"
run 0 -kb --version
says "$out" "rocsteady-kb 0."
run 64 kb show
run 64 -kb build "$source/kb"
run 64 -kb lint

# ---- building: the same bytes, and what is carried ----

run 0 -kb build "$source/kb" -o "$work/one.db"
run 0 -kb build "$source/kb" -o "$work/two.db"
cmp "$work/one.db" "$work/two.db" || complain "two builds differ"
run 0 kb version --kb "$work/one.db"
says "$out" "$digest"
run 66 -kb lint "$source/kb" --machine "$source/docs"
says "$err" "no snapshots"

# ---- one fault refuses the set ----

cp -r "$source/kb" "$work/kb"
sed -i 's/^severity:.*/severity: dire/' "$work/kb/causes/$slug.yaml"
line=$(grep -n '^severity:' "$work/kb/causes/$slug.yaml" | cut -d: -f1)
rm -f "$work/none.db"
run 66 -kb build "$work/kb" -o "$work/none.db"
says "$err" "$work/kb/causes/$slug.yaml:$line: severity is one of: info warning problem"
[ ! -e "$work/none.db" ] || complain "a set with a fault was written"
run 66 -kb lint "$work/kb"
run 66 -kb build "$work/nowhere" -o "$work/none.db"

# A tree that somebody sent: no link in it is followed, and nothing of the file behind one is shown.
mkdir -p "$work/sent/causes" && cp "$source/kb/VERSION" "$work/sent/"
echo 'hidden-word: 1' >"$work/outside.yaml"
ln -s "$work/outside.yaml" "$work/sent/causes/x.yaml"
for verb in lint "build -o $work/none.db"; do
	run 66 -kb $verb "$work/sent"
	says "$err" "$work/sent/causes/x.yaml: a link"
	[[ $err != *hidden-word* ]] || complain "kb $verb shows the file behind a link"
done
rm -r "$work/sent/causes" && mkdir "$work/elsewhere" && cp "$work/outside.yaml" "$work/elsewhere/x.yaml"
ln -s "$work/elsewhere" "$work/sent/causes"
run 66 -kb lint "$work/sent"
says "$err" "$work/sent/causes: "
[[ $err != *hidden-word* ]] || complain "kb lint goes through a link to a directory"
rm "$work/sent/causes" && mkdir "$work/sent/causes" && mkfifo "$work/sent/causes/x.yaml"
run 66 -kb lint "$work/sent"
says "$err" "$work/sent/causes/x.yaml: no plain file"

# A cause without its cases, and one that costs too much.
cp -r "$source/tests/causes" "$work/causes"
rm "$work/causes/$slug.cases"
run 66 -kb lint "$source/kb" --tests "$work/causes"
says "$err" "$work/causes/$slug.cases:1: No such file or directory"
rm -r "$work/kb" && mkdir -p "$work/kb/causes" && cp "$source/kb/VERSION" "$work/kb/" # alone: all of ours takes ten seconds
cat >"$work/kb/causes/slow.yaml" <<'YAML'
cause: slow
title: slow
story: slow
scope: node
severity: info
action: none
prior: 0
evidence:
  - id: slow
    weight: 7
    says: slow
    when: SELECT a.address AS subject, 1 AS value, 'x' AS source, 'observed' AS origin FROM agent a, agent b, agent c, agent d WHERE a.node + b.node + c.node + d.node < 0
sources:
  - {class: inferred, ref: test}
YAML
run 0 -kb lint "$work/kb" # all of ours: kb-counts.sh
says "$out" "no fault"
mkdir "$work/some" && cp "$source"/tests/machines/{mi300x-x8-ubuntu2404-rocm64-cpx,nogpu-debian12-k61-guest}.snap "$work/some/"
run 66 -kb lint "$work/kb" --machine "$work/some"
says "$err" "$work/some/mi300x-x8-ubuntu2404-rocm64-cpx.snap: 1 of the faults"
[[ $err != *nogpu* ]] || complain "a machine without a fault is named: $err"
says "$err" "causes/slow.yaml:12: slow: more than 100000 steps of SQLite"
sed -i "s/when:.*/when: SELECT a.address AS subject, 1 AS value, 'x' AS source, a.origin FROM agent a LEFT JOIN kernel_log k ON k.class = 'gpu-wedged'/; s/^    says:/    gate: kernel_log.class gpu-wedged\n    says:/" "$work/kb/causes/slow.yaml"
run 66 -kb lint "$work/kb" --machine "$source/tests/machines/mi300x-x8-ubuntu2404-rocm64-cpx.snap"
says "$err" "causes/slow.yaml:13: slow: has rows though its gate kernel_log.class gpu-wedged is shut"

# A workaround that sets what nobody reads, has other columns, or has rows where nothing is known.
bad_workaround() { # bad_workaround VARIABLES STATEMENT SAYS
	local file=$work/kb/remedies/unset-memory-limit.yaml line
	rm -r "$work/kb" && cp -r "$source/kb" "$work/kb"
	rm -r "$work/kb"/{signatures,printable,defects} # they take most of the time; what misses them stands beside this fault
	sed -i '/^workaround:/,$d' "$file"
	printf 'workaround:\n  variables: %s\n  costs: none\n  when: %s\nsources:\n  - {class: inferred, ref: test}\n' "$1" "$2" \
		>>"$file"
	line=$(sed -n '/^  when:/=' "$file" | tail -n 1)
	run 66 -kb lint "$work/kb"
	says "$err" "remedies/unset-memory-limit.yaml:$line: workaround: $3"
}
bad_workaround HIP_DB "SELECT name, value, name AS says, source FROM env" "nothing reads HIP_DB"
bad_workaround GPU_MAX_HEAP_SIZE "SELECT name, value FROM env" "the columns must be name, value, says, source"
bad_workaround GPU_MAX_HEAP_SIZE "SELECT 'A' AS name, NULL AS value, count(*) AS says, 's' AS source FROM env" "has rows though nothing is known"
rm "$work/causes/workarounds/no-hipblaslt.cases"
run 66 -kb lint "$source/kb" --tests "$work/causes"
says "$err" "$work/causes/workarounds/no-hipblaslt.cases:1: No such file or directory"
cp "$source/tests/causes/workarounds/no-hipblaslt.cases" "$work/causes/workarounds/"
run 0 kb show no-hipblaslt
says "$out" "run --heal can set this: TORCH_BLAS_PREFER_HIPBLASLT DISABLE_ADDMM_CUDA_LT ROCBLAS_USE_HIPBLASLT; cost: slower"

# ---- testing ----

run 66 -kb test --tests "$work/nowhere" --machines "$source/tests/machines"
cp "$source/tests/causes/$slug.cases" "$work/causes/$slug.cases"
printf '\nfires: 0000:99:00.0 certain\nmachine: nogpu-debian12-k61-guest\n' >>"$work/causes/$slug.cases"
run 2 -kb test "$source/kb" "$slug" --tests "$work/causes" --machines "$source/tests/machines"
says "$out" "FAIL $work/causes/$slug.cases:"
says "$out" "not reported"
says "$out" " passed, 1 failed"
run 0 -kb test "$source/kb" "$slug" --tests "$source/tests/causes" --machines "$source/tests/machines"
says "$out" " passed, 0 failed"
cp "$source/tests/causes/$slug.cases" "$work/causes/$slug.cases"
printf '\nnear-miss:\nmachine: nogpu-debian12-k61-guest\nedit: 1\n' >>"$work/causes/$slug.cases"
run 66 -kb lint "$source/kb" --tests "$work/causes"
says "$err" "$work/causes/$slug.cases:"
says "$err" "an edit is no record of a snapshot"

# ---- files that are no knowledge ----

hostile() {
	cp "$work/one.db" "$work/bad.db"
	sqlite3 "$work/bad.db" "$2" || complain "$1: sqlite3 could not make it"
	run 66 kb list --kb "$work/bad.db"
	says "$err" "damaged, or not a kb.db"
	run 66 check --from "$source/tests/machines/nogpu-debian12-k61-guest.snap" --kb "$work/bad.db"
	says "$err" "damaged, or not a kb.db"
}
hostile "a trigger" "CREATE TRIGGER t AFTER INSERT ON cause BEGIN DELETE FROM evidence; END"
hostile "a view" "CREATE VIEW v AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT * FROM c"
hostile "a computed column" "ALTER TABLE cause ADD COLUMN x AS (slug || slug)"
hostile "an escape" "UPDATE cause SET title = char(27) || '[2J'"
hostile "a blob" "UPDATE cause SET story = zeroblob(9000000) WHERE slug = 'vram-exhausted'"
run 66 kb list --kb /dev/null
run 66 kb list --kb "$source/README.md"
run 66 kb list --kb "$work/nowhere"
truncate -s 200M "$work/large.db"
run 66 kb list --kb "$work/large.db"
says "$err" "too large for a kb.db"

# A statement that may not run is no verdict, and harms nothing.
cp "$work/one.db" "$work/bad.db"
sqlite3 "$work/bad.db" "UPDATE evidence SET sql = 'DELETE FROM gpu'"
run 3 check --from "$source/tests/machines/nogpu-debian12-k61-guest.snap" --kb "$work/bad.db"

# ---- later knowledge ----

cp "$work/one.db" "$work/later.db"
sqlite3 "$work/later.db" "UPDATE kb SET needs = '99.0'; UPDATE evidence SET sql = 'SELECT new FROM gpu' WHERE cause = '$slug'"
run 0 kb list --kb "$work/later.db"
says "$out" "for a later rocsteady: no such column: new"
says "$err" "causes that need that version: 1"
healthy=$source/tests/machines/rx6600-debian12-k61-healthy.snap
run 0 check --from "$healthy" --kb "$work/later.db"
says "$out" "1 needs a newer rocsteady"
run 0 check --from "$healthy" --kb "$work/later.db" --verbose
says "$out" "for a later rocsteady: no such column: new"
run 0 check --from "$healthy" --kb "$work/later.db" --json --verbose
jq -e --arg slug "$slug" '.knowledge.not_understood.causes == 1 and .knowledge.not_understood.statements > 0 and
	(.checks[] | select(.cause == $slug) | .state == "crashed")' <<<"$out" >/dev/null ||
	complain "JSON does not tell that $slug was not understood"
sqlite3 "$work/later.db" "UPDATE kb SET format = 2"
run 66 kb list --kb "$work/later.db"
says "$err" "made for a newer rocsteady"

# A later program's further column and table are no obstacle; an earlier one's lack of them neither.
cp "$work/one.db" "$work/near.db"
sqlite3 "$work/near.db" "ALTER TABLE remedy ADD COLUMN cost TEXT; CREATE TABLE more (a TEXT); ALTER TABLE wheel DROP COLUMN no_blas; DROP TABLE advice"
run 0 kb list --kb "$work/near.db"
[ -z "$err" ] || complain "a further column makes words: $err"
run 0 check --from "$healthy" --kb "$work/near.db"

# ---- trying other knowledge on recorded machines ----

ill=$(grep -l '^fires:' "$source/tests/causes/$slug.cases" >/dev/null && sed -n '/^fires/,/^machine:/s/^machine: *//p' "$source/tests/causes/$slug.cases" | head -n 1)
run 0 kb try "$work/one.db" --from "$healthy"
says "$out" "1 machine, 0 changed"
mkdir "$work/machines"
cp "$healthy" "$work/machines/" && gzip -c "$source/tests/machines/$ill.snap" >"$work/machines/$ill.snap.gz"
run 0 kb try "$work/one.db" --from "$work/machines"
says "$out" "2 machines, 0 changed"
run 66 kb try "$source/kb" --from "$work/machines"
says "$err" "rocsteady-kb build"
cp "$work/one.db" "$work/other.db"
sqlite3 "$work/other.db" "UPDATE cause SET prior = prior - 200"
run 1 kb try "$work/other.db" --from "$work/machines/$ill.snap.gz" "$healthy"
says "$out" "2 machines, 1 changed"
[[ $out =~ $ill.snap.gz\ .*\ (certain|likely|undecided)\ +none ]] || complain "no change is listed: $out"
run 1 kb try "$work/one.db" --kb "$work/other.db" --from "$work/machines"
run 64 kb try
run 66 kb try "$work/nowhere.db"
run 66 kb try "$source/README.md" --from "$healthy"
run 66 kb try "$work/one.db" --from "$work/nowhere"
run 66 kb try "$work/one.db" --from "$source/docs"

exit $failed
