#!/usr/bin/env bash
# One rule for how every command ends: 64 a wrong command line, 66 input that
# cannot be read, 70 our own fault, and for `run` 125 in place of all three.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
SNAP=$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap
TESTED="--tests $SOURCE/tests/causes --machines $SOURCE/tests/machines"
RECORDS=$SOURCE/tests/data/score/records.jsonl
chmod 755 "$WORK"
cd "$WORK" || exit 1

# ---- situations: each makes one of the words below ----

NOWHERE=$WORK/nowhere
mkdir dir
head -c 3000 /dev/urandom >random
: >empty
gzip -c "$SNAP" >whole.gz && head -c 900 whole.gz >cut.gz
printf 'HIP error: invalid device function\n' >error.log
cp "$KNOWLEDGE" kb.db || exit 1
head -c 5000 kb.db >cut.db
mkdir small && cp "$SOURCE/kb/VERSION" small/ # a knowledge that is read in no time
"$ROCSTEADY-kb" lint small >/dev/null || exit 1
mkdir sources && printf 'nonsense: [\n' >sources/meta.yaml
printf '[1]\n' >list.json
cp "$SNAP" closed.snap && cp error.log closed.log && cp kb.db closed.db && printf '{}\n' >closed.json
mkdir -m 700 closed
chmod 600 closed.*

# ---- who cannot read: another user, where we are root ----

AS=()
CLOSED=true
if [ "$(id -u)" = 0 ]; then
	AS=(setpriv --reuid=65534 --regid=65534 --clear-groups)
	"${AS[@]}" "$ROCSTEADY" --version >/dev/null 2>&1 && "${AS[@]}" test -r "$SNAP" || CLOSED=false
else
	chmod 000 closed.* closed
fi
[ "$CLOSED" = true ] || echo "not tried: files of somebody else: nobody else can read this program and the tests"

# ends STATUS [as] WORD...: nothing on standard output, and a reason on standard error.
ends() {
	local want=$1 status as=() which=
	shift
	if [ "$1" = as ]; then
		[ "$CLOSED" = true ] || return 0
		shift
		as=("${AS[@]}")
	fi
	[ "$1" = -kb ] && which=-kb && shift
	"${as[@]}" "$ROCSTEADY$which" "$@" >out 2>err </dev/null
	status=$?
	check "status $want of: rocsteady$which $* (got $status: $(head -n 1 err))" [ "$status" = "$want" ]
	check "a reason for: rocsteady $*" [ -s err ]
	check "no answer to: rocsteady $*" [ ! -s out ]
}

while read -r want line; do
	[ -n "$line" ] || continue
	eval "words=($line)"
	ends "$want" "${words[@]}"
done <<END
64 --version --yaml
64 nonsense
64 check --nonsense
64 check --from
64 check --from $SNAP --why nonsense
64 check word
64 explain --nonsense
64 explain --set nonsense=1 error.log
64 explain -f error.log error.log
64 advise --nonsense
64 advise --gpu nonsense
64 advise --gpu
64 facts --nonsense
64 facts --from $SNAP nonsense
64 facts --user nonsense-user
64 fix --nonsense
64 fix --from $SNAP nonsense
64 fix --apply
64 completion
64 completion nonsense
64 kb
64 kb nonsense
64 kb show
64 kb show nonsense
64 -kb build
64 -kb lint
64 kb try
64 kb update
64 -kb score
64 kb list --nonsense
64 probe --nonsense
64 probe --layer nonsense
64 query
64 query --nonsense 'SELECT 1'
64 query --from $SNAP 'SELECT nonsense'
64 snapshot --nonsense
64 snapshot word
64 targets
64 targets --nonsense error.log
64 targets --require nonsense error.log
125 run
125 run --nonsense -- true
125 run --attempts
125 run --attempts 0 -- true
125 run --report dir --json --verbose

66 check --from $NOWHERE
66 check --from dir
66 check --from empty
66 check --from random
66 check --from cut.gz
66 check --from error.log
66 as check --from closed.snap
66 check --root $NOWHERE
66 check --root error.log
66 check --host-root $NOWHERE
66 check --from $SNAP --kb $NOWHERE
66 check --from $SNAP --kb dir
66 check --from $SNAP --kb empty
66 check --from $SNAP --kb random
66 check --from $SNAP --kb cut.db
66 as check --from $SNAP --kb closed.db
66 explain --no-machine $NOWHERE
66 explain --no-machine --together error.log $NOWHERE
64 explain --jobs 0 error.log
64 explain --jobs many error.log
64 explain --json --format text error.log
66 explain --no-machine dir
66 explain --no-machine $ROCSTEADY
66 explain --no-machine -f $NOWHERE
66 as explain --no-machine closed.log
66 explain --no-machine --facts $NOWHERE error.log
66 explain --no-machine --facts dir error.log
66 explain --no-machine --facts empty error.log
66 explain --no-machine --facts list.json error.log
66 as explain --no-machine --facts closed.json error.log
66 explain --no-machine --kb $NOWHERE error.log
66 explain --no-machine --kb cut.db error.log
66 explain --from $NOWHERE error.log
66 advise --from $NOWHERE
66 advise --from cut.gz
66 advise --gpu gfx1100 --kb cut.db
66 facts --from $NOWHERE
66 facts --from dir
66 facts --from cut.gz
66 as facts --from closed.snap
66 facts --root $NOWHERE
66 fix --from $NOWHERE
66 fix --from $SNAP --kb cut.db
66 fix --root $NOWHERE
66 fix --root $NOWHERE --applied
66 fix --root $NOWHERE --undo join-render-group
66 kb list --kb $NOWHERE
66 kb list --kb dir
66 kb list --kb random
66 kb show vram-exhausted --kb cut.db
66 as kb list --kb closed.db
66 -kb build $NOWHERE -o out.db
66 -kb build error.log -o out.db
66 -kb build sources -o out.db
66 as -kb build closed -o out.db
66 -kb lint $NOWHERE
66 -kb lint sources
66 -kb lint small --machine $NOWHERE
66 -kb lint small --machine dir
66 -kb test $NOWHERE
66 -kb test sources
66 -kb test --kb $NOWHERE $TESTED
66 -kb test --tests $NOWHERE
66 -kb test --tests $SOURCE/tests/causes --machines $NOWHERE
66 kb try $NOWHERE
66 kb try cut.db
66 kb try kb.db --from $NOWHERE
66 kb try kb.db --from dir
66 kb update $NOWHERE
66 kb update dir
66 kb update cut.db
66 kb update kb.db
66 -kb score $NOWHERE
66 -kb score error.log
66 -kb score $RECORDS --healthy $NOWHERE
66 -kb score $RECORDS --machines $NOWHERE
66 probe --from $NOWHERE
66 query --from $NOWHERE 'SELECT 1'
66 query --from cut.gz 'SELECT 1'
66 snapshot --from $NOWHERE
66 snapshot --from cut.gz
66 snapshot --root $NOWHERE
66 targets --from $NOWHERE $ROCSTEADY
66 targets --from cut.gz $ROCSTEADY
125 run --report $NOWHERE
125 run --report dir
125 run --report error.log
125 as run --report closed
125 run --from $NOWHERE --dir journal -- true

64 facts --from $SNAP -o $NOWHERE/answer
64 check --from $SNAP -o $NOWHERE/answer
64 snapshot --from $SNAP -o $NOWHERE/answer
70 snapshot --from $SNAP -o dir
70 snapshot --from $SNAP --unpack error.log
64 -kb build small -o $NOWHERE/kb.db
64 explain --no-machine error.log -o error.log
64 explain --no-machine error.log -o ./error.log
64 targets error.log -o error.log
126 run --no-preflight -- ./dir
127 run --no-preflight -- ./nowhere
END

# ---- where the status is an answer ----

answers() { # answers STATUS WORD...
	local want=$1 status which=
	shift
	[ "$1" = -kb ] && which=-kb && shift
	"$ROCSTEADY$which" "$@" >out 2>err </dev/null
	status=$?
	check "status $want of: rocsteady $* (got $status)" [ "$status" = "$want" ]
}
answers 0 check --from "$SNAP"
answers 2 explain --no-machine error.log
answers 3 explain --no-machine empty
answers 3 targets "$NOWHERE"
answers 3 targets "$NOWHERE" --require gfx1100
answers 0 run --no-preflight -- true
answers 0 run --kb "$NOWHERE" --dir journal -- true # no job is refused for want of knowledge
# shellcheck disable=SC2086
answers 2 -kb test "$SOURCE/kb" nonsense $TESTED
for status in 1 3 64 66 70 75 124; do
	answers "$status" run --no-preflight -- sh -c "exit $status" # the job's own
done
finish
