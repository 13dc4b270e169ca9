#!/usr/bin/env bash
# What is typed: commands, options, help, exit status, and where answers go.
. "$(dirname "$0")/../live/lib.sh"
lacks() { ! grep -qF -- "$1" "$2"; }
trap 'rm -rf "$WORK"' EXIT
SNAP=$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap

# run STATUS ARGUMENT...: the output stays in $WORK/out and $WORK/err.
run() {
	local want=$1 status
	shift
	"$ROCSTEADY" "$@" >"$WORK/out" 2>"$WORK/err"
	status=$?
	check "status $want of: rocsteady $* (got $status)" [ "$status" = "$want" ]
}
says() { check "$1: stderr says '$2'" grep -qF -- "$2" "$WORK/err"; }
prints() { check "$1: stdout has '$2'" grep -qF -- "$2" "$WORK/out"; }
silent() { check "$1: stdout is empty" [ ! -s "$WORK/out" ]; }

run 0 --help
prints help "usage: rocsteady"
commands=$("$ROCSTEADY" completion -- "" | sed -n 's/^\([a-z]*\)\t.*/\1/p' | grep -v '^help$')
for command in $commands; do
	prints "the overview has $command" "$command"
done
run 0 help
prints "help alone" "usage: rocsteady [COMMAND]"
run 0 help check
prints "help check" "usage: rocsteady check"
run 64 help chek
says "help of no command" "did you mean check?"
run 64 help check fix
says "help of two" "one command"
run 0 -V
prints "-V" "rocsteady "
run 0 facts --color always host
run 64 facts --color sometimes
says "a colour that is none" "--color is auto, always or never"
run 0 --version
check "one line of version" grep -qE '^rocsteady [0-9]+\.[0-9]+' "$WORK/out"
run 0 --version --json
check "version, knowledge and libraries as JSON" jq -e '(.version | test("^[0-9]+[.]")) and (.kb.digest | length) == 64
	and .kb.age_days >= 0 and (.kb.version | test("^[0-9-]{10}$")) and (.features.archives | type) == "boolean"
	and (.libraries.sqlite | startswith("3."))
	and ([.libraries | .sqlite, .pcre2, .zlib, .zstd | test("^[0-9]+[.][0-9]+")] | all)
	and (.libraries.libarchive != null) == .features.archives and (.libraries.libsodium != null) == .features.updates' "$WORK/out"
run 64 --version --yaml
says "an option that --version has not" "--version takes only --json"
run 64 --version --json more
check "facts, query and snapshot are among the commands" [ "$(grep -cxE 'facts|query|snapshot' <<<"$commands")" = 3 ]
for command in $commands; do
	run 0 "$command" --help
	prints "$command --help" "usage: rocsteady $command"
	prints "$command --help" "--help"
	run 0 "$command" -h
done

run 64 explain - -
says "standard input twice" "standard input can be read only once"
run 64 check --from "$SNAP" --why vram-exhausted --only vram-exhausted
says "--why is one check already" "leave out --only and --skip"

run 64 fcts
says "a near miss" "did you mean facts?"
silent "a near miss"
run 64 frobnicate
check "no suggestion for anything else" lacks "did you mean" "$WORK/err"
run 64 "$(printf 'fa\033[31mcts')"
check "an escape in a command is not repeated" lacks $'\033' "$WORK/err"
run 64 facts --frobnicate
says "an unknown option" "--frobnicate"
says "an unknown option" "rocsteady facts --help"
check "the whole usage is not printed" [ "$(wc -l <"$WORK/err")" -le 3 ]
run 64 facts --from
says "an option without its value" "needs a value"
run 64 facts gpus log
run 64 facts no-such-topic --from "$SNAP"
says "an unknown topic" "topics:"
run 64 facts --from "$SNAP" --root "$WORK"
run 64 facts --user root --pid 1
run 64 facts --user root --from "$SNAP"
run 64 snapshot "$WORK/file"
says "a file without -o" "-o"
run 64 query
run 64 query a b
run 64 snapshot --from "$SNAP" --unpack "$WORK/tree" -o "$WORK/file"
run 64 facts --brief
run 64 snapshot --json

# A second value never silently replaces the first; the same one twice is no mistake.
run 64 facts --from "$SNAP" --from "$WORK/other.snap"
says "two machines" "--from takes one FILE, not $SNAP and also $WORK/other.snap"
run 0 facts --from "$SNAP" --from "$SNAP" host
run 64 check --from "$SNAP" --json --format html
says "two formats" "use only one of --format json and --format html"
run 0 check --from "$SNAP" --json --format json

# Every command that writes JSON takes --format json, which is the same.
for command in "advise --from $SNAP" "check --from $SNAP" "facts host --from $SNAP" "fix --from $SNAP" "kb list" \
	"targets $ROCSTEADY" "explain --no-machine $SOURCE/README.md"; do
	read -ra words <<<"$command"
	"$ROCSTEADY" "${words[@]}" --json >"$WORK/json" 2>/dev/null
	"$ROCSTEADY" "${words[@]}" --format json >"$WORK/format" 2>/dev/null
	check "--format json is --json: $command" cmp -s "$WORK/json" "$WORK/format"
	check "JSON: $command" python3 -m json.tool "$WORK/json" /dev/null
	run 64 "${words[@]}" --format jsn
	says "a format that is none: $command" "did you mean json?"
done
run 64 kb show vram-exhausted --json
says "JSON of what has none" "kb show writes text"
run 64 facts --paths --json

# Words that are one of a few, and what is stated.
run 64 advise --gpu gfx1100 --os linx
says "a system that is none" "--os is linux, windows or wsl; did you mean linux?"
run 64 advise --gpu gfx1100 --os windowsish
for system in "Windows 11" WINDOWS; do
	run 0 advise --gpu gfx1151 --os "$system"
	check "$system is windows" grep -qF "py -3" "$WORK/out"
done
run 0 advise --gpu gfx1100 --os WSL2
run 64 advise --gpu gfx1100 --for lmstudio
says "a program that is not known" "for another program that uses torch take --for torch"
run 64 advise --gpu gfx1100 --for torhc
says "a program that is none" "did you mean torch; --for is one of: torch"
run 125 run --on-hang notfy -- true
says "what is done about a hang" "--on-hang is notify, dump, end or retry; did you mean notify?"
run 64 probe -l 4
says "a level" "--level is 1, 2 or 3"
check "a number is no slip of another" lacks "did you mean" "$WORK/err"
run 64 check --format yaml
check "yaml is not meant as html" lacks "did you mean" "$WORK/err"
run 64 probe --layer rocm
says "a layer that is none" "layers: "
run 64 query --from "$SNAP" 'DELETE FROM gpu'
says "a statement that writes" "read with SELECT only"
run 64 explain --no-machine --from "$SNAP" /dev/null
says "a machine that is not to be used" "use only one of --no-machine and --from"
run 125 run --report "$WORK/nowhere"
says "no run there" "no journal in $WORK/nowhere"
run 127 run --dir "$WORK/j" -- no-such-command-here
says "a job that is not there" "no-such-command-here: command not found"
run 64 check --user no-such-user-here
says "nobody" "no user no-such-user-here on this host"
run 64 explain --set gxf=gfx1100 /dev/null
says "a fact that is none" "did you mean gfx?"
run 64 explain --set gfx=gfx1110 /dev/null
says "a target that is none" "unknown target gfx1110; did you mean gfx1"
run 64 explain --set gfx=1100 /dev/null
says "a target without its name" "--set gfx takes a target, for example gfx=gfx1100"
run 64 explain --set rocm=latest /dev/null
says "no version" "--set rocm takes a number or a version"
run 64 explain --set system=wls /dev/null
says "a closed list" "did you mean wsl?"
run 64 explain --set os= /dev/null
says "nothing" "--set os has no value"
run 64 explain --no-machine --set env:=1 "$SOURCE/tests/logs/healthy/a1111.log"
run 0 explain --no-machine --set "env:ROCSTEADY_$(printf 'A%.0s' {1..80})=1" "$SOURCE/tests/logs/healthy/a1111.log"
run 0 explain --no-machine --set "gfx=gfx1100, gfx1036" --set gpu="Radeon of next year" --set env:X= "$SOURCE/tests/logs/healthy/a1111.log"

run 0 facts --from "$SNAP"
prints "a machine" "RX 6600"
check "a machine says nothing on stderr" [ ! -s "$WORK/err" ]
run 0 facts --json --from "$SNAP"
check "JSON" python3 -m json.tool "$WORK/out" /dev/null
run 0 facts gpus --json --from "$SNAP"
check "JSON of a topic" python3 -m json.tool "$WORK/out" /dev/null
run 0 facts --paths
prints "the closed table" "static  /proc/cmdline"
run 0 facts --from - <"$SNAP"
prints "standard input" "RX 6600"
gzip -c "$SNAP" >"$WORK/m.gz"
run 0 facts --from "$WORK/m.gz"
prints "gzip" "RX 6600"

run 66 facts --from "$WORK/nowhere"
says "a missing file" "No such file"
run 66 facts --from "$WORK"
says "a directory" "Is a directory"
run 66 facts --root "$WORK/nowhere"
run 66 facts --root "$SNAP"
: >"$WORK/empty"
run 66 facts --from "$WORK/empty"
says "an empty file" "is not a snapshot"
head -c 3000 /dev/urandom >"$WORK/random"
run 66 facts --from "$WORK/random"
silent "random bytes"
head -c 900 "$WORK/m.gz" >"$WORK/cut.gz"
run 66 facts --from "$WORK/cut.gz"
says "gzip cut short" "damaged or cut short"
mkfifo "$WORK/fifo"
cat "$SNAP" >"$WORK/fifo" &
run 0 facts --from "$WORK/fifo"
prints "a FIFO" "RX 6600"

run 64 facts --from "$SNAP" -o "$WORK/no/where"
says "-o to nowhere" "could not write"
run 64 snapshot --from "$SNAP" -o "$WORK/no/where"
run 64 facts --from "$SNAP" -o ""
says "-o of nothing" "-o needs the name of a file"
echo "RuntimeError: foo" >"$WORK/precious.log"
run 64 explain --no-machine "$WORK/precious.log" -o "$WORK/precious.log"
says "-o over the input" "would overwrite the input"
(cd "$WORK" && "$ROCSTEADY" explain --no-machine -o precious.log <precious.log 2>/dev/null)
check "-o over standard input" [ $? = 64 ]
: >"$WORK/gpus"
(cd "$WORK" && "$ROCSTEADY" facts --from "$SNAP" gpus -o gpus)
check "a topic is no file" [ $? = 0 ]
cp "$SNAP" "$WORK/precious.snap"
run 64 check --from "$WORK/precious.snap" -o "$WORK/./precious.snap"
check "the snapshot is as it was" cmp -s "$SNAP" "$WORK/precious.snap"
check "the log is as it was" [ "$(cat "$WORK/precious.log")" = "RuntimeError: foo" ]
run 70 snapshot --from "$SNAP" -o "$WORK"
run 70 snapshot --from "$SNAP" --unpack "$SNAP"
mkdir "$WORK/full" && : >"$WORK/full/file"
run 70 snapshot --from "$SNAP" --unpack "$WORK/full"
says "a full directory" "not empty"
run 0 facts --from "$SNAP" -o "$WORK/answer"
silent "-o"
check "-o holds the answer" grep -q "RX 6600" "$WORK/answer"
run 0 snapshot --from "$SNAP" -o /dev/null
check "/dev/null is still a device" [ -c /dev/null ]
if [ "$(id -u)" != 0 ]; then
	mkdir -m 500 "$WORK/closed"
	run 70 snapshot --from "$SNAP" -o "$WORK/closed/x"
	says "an unwritable directory" "Permission denied"
fi

for words in "facts --json" "facts log" "snapshot" "query SELECT*FROM(gap)"; do
	# shellcheck disable=SC2086
	"$ROCSTEADY" $words --from "$SNAP" 2>"$WORK/err" | head -c 10 >/dev/null
	status=${PIPESTATUS[0]}
	check "a closed pager is no fault of: $words (got $status)" [ "$status" = 0 ]
	check "and nothing is said of it: $words" [ ! -s "$WORK/err" ]
done
"$ROCSTEADY" facts --from "$SNAP" >&- 2>"$WORK/err"
check "a closed stdout is" [ $? = 70 ]
if [ -w /dev/full ]; then
	"$ROCSTEADY" facts --from "$SNAP" >/dev/full 2>"$WORK/err"
	check "so is a full one" [ $? = 70 ]
	says "so is a full one" "No space left"
fi

# ---- help that fits a screen ----

run 0 --help
for command in "" $commands; do
	# shellcheck disable=SC2086
	"$ROCSTEADY" $command --help >"$WORK/out"
	lines=$(wc -l <"$WORK/out") columns=$(wc -L <"$WORK/out")
	check "the help of '$command' has $lines lines" [ "$lines" -le 40 ]
	check "the help of '$command' has $columns columns" [ "$columns" -le 80 ]
done

# said_in HELP OPTION WORD...: the help of the command has each as a word of its own
said_in() {
	local command=$1 word
	shift
	"$ROCSTEADY" "$command" --help | tr -c '[:alnum:]_.:-' '\n' | sort -u >"$WORK/words"
	check "there are words to look for in the help of $command" [ $# -gt 3 ]
	for word; do
		check "the help of $command has $word" grep -qxF -- "$word" "$WORK/words"
	done
}
# Those that rocsteady itself names when it does not know one.
named() { "$ROCSTEADY" "$@" 2>&1 | sed -n 's/.*; [a-z]*: //p'; }
# shellcheck disable=SC2046
{
	said_in facts $(named facts --from "$SNAP" no-such-topic)
	said_in probe $(named probe --layer no-such-layer)
	said_in advise $("$ROCSTEADY" completion -- advise --for "")
	said_in gate $("$ROCSTEADY" completion -- gate --for "")
	said_in fix --apply --undo REMEDY SUBJECT
}
names=$(named explain --set no-such-name=1 /dev/null)
check "explain tells the names of --set" [ "$(wc -w <<<"$names")" -gt 20 ]
for word in $("$ROCSTEADY" explain --help | sed -n '/^Names for --set: /,/^$/p' | sed 's/^Names for --set: //'); do
	check "--set has $word, as its help says" grep -qxF -- "$word" <<<"${names// /$'\n'}"
done
run 0 --help
check "the help begins with what to type" [ "$(grep -nm 1 'rocsteady explain' "$WORK/out" | cut -d : -f 1)" -le 4 ]

# ---- did you mean ----

near() { # near WANTED ARGUMENT...
	local want=$1
	shift
	run 64 "$@"
	says "$*" "did you mean $want?"
}
near check chekc
near --json check --jsno
near --from facts --fron "$SNAP"
near vram-exhausted check --from "$SNAP" --why vram-exhuasted
near vram-exhausted kb show vram-exhasted
near show kb shwo
near join-render-group fix --from "$SNAP" join-rendr-group
near gpus facts --from "$SNAP" gpsu
near memory probe --layer memroy
near gfx1101 targets --require gfx1101x "$SNAP"
near powershell check --from "$SNAP" --shell powershel
run 64 check --json=3
says "a switch with a value" "--json takes no value"
run 64 check -x
says "an unknown letter" "unknown option -x"
run 64 check --from "$SNAP" --level 2
says "--level without a walk" "need --probe"

# ---- what a newcomer tries ----

run 66 explain "$WORK/nowhere"
says "a missing log" "No such file"
mkdir "$WORK/none"
run 66 explain "$WORK/none"
says "an empty directory" "none holds no files"
run 3 explain --no-machine "$WORK/empty"
check "an empty log is told" grep -q "is empty" "$WORK/out"
"$ROCSTEADY" explain --no-machine </dev/null >"$WORK/out" 2>"$WORK/err"
check "nothing on standard input is told" grep -qF "2>&1 | rocsteady explain" "$WORK/out"
echo "HIP error: invalid device function" | gzip >"$WORK/log.gz"
run 2 explain --no-machine "$WORK/log.gz"
run 66 explain --no-machine "$ROCSTEADY"
says "a program" "is a program, not a log; try: rocsteady targets $ROCSTEADY"
mkdir "$WORK/no-snapshots"
run 66 check --from "$WORK/no-snapshots"
says "a directory without snapshots" "--root"
run 66 check --from "$SOURCE/README.md"
says "a text for a snapshot" "rocsteady explain"
run 66 check --kb "$WORK" --from "$SNAP"
says "a directory for knowledge" "kb build"
run 64 check "$SNAP"
says "a snapshot without --from" "--from"
run 64 kb
says "kb alone" "kb needs a command"
run 64 kb update
if [ "$(id -u)" != 0 ]; then
	: >"$WORK/shut.log" && chmod 000 "$WORK/shut.log"
	run 66 explain "$WORK/shut.log"
	says "a log of somebody else" "sudo cat"
fi

# ---- on a terminal ----

# tty COLUMNS VARIABLES COMMAND...: as on a terminal of that width; the answer is in $WORK/tty.
tty() {
	local columns=$1 variables=$2
	shift 2
	printf '%q ' "$ROCSTEADY" "$@" >"$WORK/line"
	# shellcheck disable=SC2086
	env -u NO_COLOR -u LC_ALL -u LC_CTYPE -u LANG TERM=xterm $variables \
		script -qec "stty cols $columns; exec bash $WORK/line 2>/dev/null" /dev/null </dev/null 2>/dev/null |
		tr -d '\r' >"$WORK/tty"
}
has_escape() { grep -q $'\033' "$1"; }
has_wide() { LC_ALL=C grep -q '[^ -~	]' "$1"; }
no_escape() { ! has_escape "$1"; }
no_wide() { ! has_wide "$1"; }
ILL=$SOURCE/tests/machines/$(cd "$SOURCE/tests/machines/expected" && grep -lE 'certain' -- *.check | head -n 1 | sed 's/check$/snap/')
printf 'HIP error: invalid device function\n' >"$WORK/error.log"
drawn=(
	"check --from $ILL" "check --from $ILL --why vram-exhausted" "check --from $SNAP" "fix --from $ILL"
	"explain --no-machine $WORK/error.log" "advise --gpu gfx1100" "facts --from $ILL" "facts gpus --from $ILL"
	"targets $ROCSTEADY" "kb list" "kb show vram-exhausted" "query --from $ILL SELECT(1)" "kb version"
)
# What must stay one line: a command to paste, an address, a path, a statement of the knowledge.
too_long='length > 80 && !/^ *[a-z0-9.\/~]*[^ ]*(\/|pip|python|http)/ && !/^ *(\||then:|(sudo )?rocsteady )/'
if script -qec true /dev/null </dev/null >/dev/null 2>&1; then
	for words in "${drawn[@]}"; do
		# shellcheck disable=SC2086
		{
			tty 80 "LANG=C.UTF-8 NO_COLOR=1" $words
			check "something is drawn: $words" [ -s "$WORK/tty" ]
			check "NO_COLOR: no colour in $words" no_escape "$WORK/tty"
			tty 80 "LANG=C.UTF-8 TERM=dumb" $words
			check "a dumb terminal: nothing but text in $words" no_escape "$WORK/tty"
			tty 80 "LANG=C" $words
			sed 's/\x1b\[[0-9;]*m//g' "$WORK/tty" >"$WORK/plain"
			check "no UTF-8: only ASCII in $words: $(LC_ALL=C grep -m 1 '[^ -~	]' "$WORK/plain")" no_wide "$WORK/plain"
			tty 80 "LANG=C NO_COLOR=1" $words
			check "80 columns are kept by $words: $(awk "$too_long" "$WORK/tty" | head -n 1)" \
				[ -z "$(awk "$too_long" "$WORK/tty")" ]
		}
	done
	tty 80 "LANG=C.UTF-8" check --from "$ILL"
	check "colours on a terminal that has them" has_escape "$WORK/tty"
	check "symbols on a terminal that has them" has_wide "$WORK/tty"
	tty 160 "LANG=C.UTF-8" kb list
	check "a wide terminal is used" [ "$(wc -L <"$WORK/tty")" -gt 90 ]
	tty 80 "LANG=C.UTF-8" facts --from "$ILL" -o "$WORK/answer"
	check "a file has no colours" no_escape "$WORK/answer"
	printf 'HIP error: invalid device function\n\004' | TERM=xterm script -qec "$ROCSTEADY explain --no-machine" /dev/null >"$WORK/tty" 2>&1
	check "explain alone says what to paste" grep -q "Ctrl-D" "$WORK/tty"
else
	echo "not tried: no terminal can be made here"
fi

# ---- an option is written out: no beginning is taken for the whole ----

tried=0
for command in check explain snapshot run targets gate query; do
	options=$("$ROCSTEADY" "$command" --help | grep -oE -- '--[a-z][a-z-]+' | sort -u)
	for option in $options; do
		cut=${option%?}
		grep -qxF -- "$cut" <<<"$options" && continue
		tried=$((tried + 1))
		"$ROCSTEADY" "$command" "$cut" --no-such </dev/null >/dev/null 2>"$WORK/err"
		check "$command $cut is no option" grep -qF "unknown option $cut" "$WORK/err"
	done
done
check "beginnings of options were tried: $tried" [ "$tried" -gt 60 ]
echo x | "$ROCSTEADY" explain --scrub --no-machine - >"$WORK/out" 2>"$WORK/err"
check "--scrub is not --scrub-key" grep -qF "did you mean --scrub-key?" "$WORK/err"

# ---- closed pipes ----

for words in "kb list" "kb show vram-exhausted" "check --from $ILL" "fix --from $ILL" "facts --paths" "--help" "completion zsh" "advise --gpu gfx1100"; do
	# shellcheck disable=SC2086
	"$ROCSTEADY" $words 2>"$WORK/err" | head -c 1 >/dev/null
	check "and nothing is said of a closed pipe: $words" lacks "Broken pipe" "$WORK/err"
done
finish
