#!/usr/bin/env bash
# Signed knowledge: what minisign signed is taken, everything else is refused
# whole, and whatever happens on the way the knowledge keeps working. In a mount
# namespace of its own, with an /etc and a /var/lib that nobody else sees.
set -u
if [ "${IN_NAMESPACE:-}" = "" ]; then
	for tool in minisign strace sqlite3 unshare; do
		command -v "$tool" >/dev/null || { echo "skipped: no $tool here"; exit 77; }
	done
	export IN_NAMESPACE=1
	if [ "$(id -u)" = 0 ]; then
		unshare -m true 2>/dev/null || { echo "skipped: no mount namespace can be made here"; exit 77; }
		exec unshare -m --propagation private "$0" "$@"
	fi
	# In a user namespace / and /var belong to nobody, so nothing below them is root's alone.
	echo "skipped: knowledge is kept where only root can write, and that takes root"
	exit 77
fi
. "$(dirname "$0")/../live/lib.sh"
trap 'cd /; umount "$WORK"/small /var/lib /etc 2>/dev/null; rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
mkdir etc var && cp -r /etc/passwd /etc/group etc/ && mount --bind etc /etc && mount --bind var /var/lib ||
	skip "nothing can be mounted here"
STATE=/var/lib/rocsteady KEYS=/etc/rocsteady/kb-keys.d
mkdir -p "$KEYS"
umask 022

# run STATUS ARGUMENT...: the output stays in out and err.
run() {
	local want=$1 status
	shift
	"$ROCSTEADY" "$@" >out 2>err
	status=$?
	check "status $want of: rocsteady $* (got $status: $(head -c 300 err))" [ "$status" = "$want" ]
}
says() { check "'$1' is not said: $(head -c 400 err)" grep -qF -- "$1" err; }
prints() { check "'$1' is not printed: $(head -c 400 out)" grep -qF -- "$1" out; }

key() { minisign -G -W -f -p "$1.pub" -s "$1.sec" >/dev/null; }
sign() { # sign KEY FILE [OPTION...]
	minisign -S -s "$1.sec" -m "$2" -t "knowledge for tests" "${@:3}" >/dev/null
}
dated() { # dated DAY FILE [SQL]
	cp embedded.db "$2" && sqlite3 "$2" "UPDATE kb SET version = '$1', digest = '$1'; ${3:-}"
}
in_use() { "$ROCSTEADY" kb version 2>/dev/null | sed -n 's/^version //p'; }
refused() { # refused WORDS FILE [STATUS]: whole, and what was there is there
	local before
	before=$(cat "$STATE"/kb.db "$STATE"/kb.db.minisig 2>/dev/null | cksum)
	run "${3:-66}" kb update "$2"
	says "$1"
	says "the knowledge base is unchanged"
	check "something was written for: $2 ($1)" [ "$before" = "$(cat "$STATE"/kb.db "$STATE"/kb.db.minisig 2>/dev/null | cksum)" ]
	check "nothing is left behind for: $2" [ -z "$(ls "$STATE" 2>/dev/null | grep 'new$')" ]
}

cp "$KNOWLEDGE" embedded.db || exit 1
TODAY=$(in_use)
for name in mine second stranger; do key "$name"; done
cp mine.pub "$KEYS/site.pub"
dated 2091-01-01 one.db && sign mine one.db
dated 2091-02-02 two.db && sign mine two.db
dated 2091-03-03 three.db && sign second three.db

# ---- what is refused ----

run 64 kb update
run 64 kb update one.db two.db
run 66 kb update nowhere.db
says "No such file"
run 66 kb update "$WORK"
says "Is a directory"
cp one.db bare.db
refused "no signature" bare.db
refused "is not trusted here" three.db
if ! grep -q '^trusted' "$SOURCE/data/kb-keys.txt"; then # until the first release
	mv "$KEYS/site.pub" site.pub
	refused "no key is trusted here: this rocsteady carries none" one.db
	says "puts its .pub file into $KEYS"
	mv site.pub "$KEYS/"
fi
cp one.db piped.db && mkfifo piped.db.minisig # in a directory like /tmp by anybody
timeout 60 "$ROCSTEADY" kb update piped.db >out 2>err
status=$?
check "a pipe as the signature does not hold us up: $status $(cat err)" [ "$status" = 66 ]
cp one.db changed.db && printf x | dd of=changed.db bs=1 seek=50000 conv=notrunc 2>/dev/null
cp one.db.minisig changed.db.minisig
refused "the signature does not match" changed.db
cp one.db other.db && cp two.db.minisig other.db.minisig
refused "the signature does not match" other.db
cp one.db said.db && sed 's/^trusted comment: knowledge/trusted comment: Knowledge/' one.db.minisig >said.db.minisig
refused "the signature does not match" said.db
cp one.db legacy.db && sign mine legacy.db -l
refused "of the old kind" legacy.db
cp one.db junk.db && echo junk >junk.db.minisig
refused "not a minisign signature" junk.db
cp "$SOURCE/README.md" text.db && sign mine text.db
refused "not a kb.db that this rocsteady can read" text.db
dated 2091-01-01 trigger.db "CREATE TRIGGER t AFTER INSERT ON cause BEGIN DELETE FROM evidence; END" && sign mine trigger.db
refused "not a kb.db that this rocsteady can read" trigger.db
dated 2091-01-01 format.db "UPDATE kb SET format = 2" && sign mine format.db
refused "needs a newer rocsteady" format.db
dated 2091-01-01 liar.db "UPDATE evidence SET sql = 'SELECT flux FROM gpu' WHERE cause = 'vram-exhausted'" && sign mine liar.db
refused "but this one does not" liar.db
dated "$TODAY" same-day.db && sign mine same-day.db
refused "another knowledge base of the same day" same-day.db
dated 2001-01-01 old.db && sign mine old.db
refused "older than the one in use" old.db
check "the carried knowledge is in use" [ "$(in_use)" = "$TODAY" ]

# Cut at many lengths, alone and with the signature behind it.
size=$(stat -c %s one.db)
for ((i = 0; i < 16; i++)); do
	at=$((size * i / 16 + i % 3))
	head -c "$at" one.db >cut.db && cp one.db.minisig cut.db.minisig
	"$ROCSTEADY" kb update cut.db >/dev/null 2>&1
	check "cut at $at is refused" [ $? = 66 ]
done
cat one.db one.db.minisig >both
for ((at = size; at < $(stat -c %s both) - 1; at += 29)); do # all but the last newline
	head -c "$at" both | "$ROCSTEADY" kb update - >/dev/null 2>&1
	check "both, cut at $at, are refused" [ $? = 66 ]
done
check "nothing of it is in use" [ "$(in_use)" = "$TODAY" ]
run 0 kb version
prints "from    rocsteady itself"

# ---- what is taken ----

run 0 kb update one.db
prints "knowledge base 2091-01-01 replaces $TODAY"
prints "signed by site"
run 0 kb version
prints "version 2091-01-01"
prints "from    $STATE/kb.db"
prints "signed  by site"
prints "knowledge for tests"
run 0 kb update one.db
prints "already in use"
cp one.db plain.db && minisign -S -s mine.sec -m plain.db >/dev/null # with the comment that minisign makes
run 0 kb update plain.db
prints "already in use"
"$ROCSTEADY" kb update - <both >out 2>err
check "the same from standard input" grep -q "already in use" out
cat two.db two.db.minisig | "$ROCSTEADY" kb update - >out 2>err
check "a newer one from standard input" [ "$(in_use)" = 2091-02-02 ]
refused "older than the one in use" one.db
run 0 check --from "$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap"
prints "Knowledge base 2091-02-02"
check "everybody may read it" [ "$(stat -c %a "$STATE/kb.db")" = 644 ]
check "everybody may read that it was examined" [ "$(stat -c %a "$STATE/kb.db.examined")" = 644 ]
cp "$STATE/kb.db.examined" line
check "the line has the size of the file" grep -q "bytes $(stat -c %s two.db) " line
rm "$STATE/kb.db.examined"
check "without the line it is examined again" [ "$(in_use)" = 2091-02-02 ]
run 0 kb update two.db
check "the same update once more writes the line" cmp -s line "$STATE/kb.db.examined"
cp "$STATE/kb.db" sound.db
sqlite3 "$STATE/kb.db" "UPDATE cause SET title = char(27)"
check "a kb.db that was changed since is examined again, and left out" [ "$(in_use)" = "$TODAY" ]
cp sound.db "$STATE/kb.db"
check "its line fits again" [ "$(in_use)" = 2091-02-02 ]

# ---- keys ----

refused "is not trusted here" three.db
cp second.pub "$KEYS/next.pub"
run 0 kb update three.db
prints "signed by next"
dated 2091-04-04 four.db && sign mine four.db
mv "$KEYS/site.pub" "$KEYS/site.revoked"
refused "which is revoked" four.db
cp mine.pub "$KEYS/again.pub" # revoked outweighs trusted
refused "which is revoked" four.db
rm "$KEYS/again.pub"
dated 2091-04-05 five.db && sign second five.db
chmod 666 "$KEYS/site.revoked"
refused "not every key could be read" five.db
chmod 644 "$KEYS/site.revoked"
echo junk >"$KEYS/junk.pub"
refused "no public key of minisign" five.db
rm "$KEYS/junk.pub"
run 0 kb update five.db
sed -n 2p "$STATE/kb.db.minisig" >signature
sed -i '2s/.*/RUQ=/' "$STATE/kb.db.minisig"
run 0 kb version
prints "version 2091-04-05"
prints "does not match, or its key is not trusted"
run 0 check --from "$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap"
prints "Knowledge base 2091-04-05"
mv "$KEYS/site.revoked" "$KEYS/site.pub"

# ---- knowledge for a later program: taken, and what is not understood is counted ----

rm -r "$STATE"
dated 2091-05-05 later.db "UPDATE kb SET needs = '99.0'; ALTER TABLE cause ADD COLUMN mood TEXT;
	UPDATE evidence SET sql = 'SELECT flux FROM gpu' WHERE cause = 'vram-exhausted'" && sign mine later.db
run 0 kb update later.db
prints "causes that need that version: 1"
run 0 check --from "$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap" --json --verbose
check "its check is not ok" jq -e '.checks[] | select(.cause == "vram-exhausted") | .state == "crashed"' out
run 0 kb update later.db
prints "already in use"

# ---- places ----

rm -r "$STATE" && mkdir -m 777 "$STATE" && chmod 777 "$STATE"
refused "others may write" one.db 70
rmdir "$STATE" && mkdir "$STATE"
# Who may read the directory can lock that, or try to lock the file: both hold up nobody.
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups --)
"${nobody[@]}" true 2>/dev/null || nobody=() # in a user namespace there is nobody else
run 0 kb update one.db
check "the lock is for the owner alone" [ "$(stat -c %a "$STATE/kb.db.lock")" = 600 ]
if [ ${#nobody[@]} -gt 0 ]; then
	check "somebody else cannot open it" [ "$("${nobody[@]}" flock -n "$STATE/kb.db.lock" echo locked 2>/dev/null)" = "" ]
fi
exec {hold}< <("${nobody[@]}" flock -x "$STATE" sh -c 'echo held; exec sleep 100') && holder=$!
read -r -u "$hold" word
check "the directory is held" [ "$word" = held ]
run 0 kb update two.db
check "and updated" cmp -s two.db "$STATE/kb.db"
kill "$holder" 2>/dev/null
exec {hold}<&-
rm -r "$STATE" && mkdir "$STATE"
exec 9>"$STATE/kb.db.lock" && flock -x 9
refused "another update is running" one.db 75
says "fuser -v $STATE/kb.db.lock"
exec 9>&-
ln -sf "$WORK/elsewhere" "$STATE/kb.db.lock"
refused "a link" one.db 70
check "a link is not followed" [ ! -e "$WORK/elsewhere" ]
rm "$STATE/kb.db.lock"
printf x >"$STATE/kb.db" # damaged: the carried one is used, and an update mends it
check "a damaged file does not stop the program" [ "$(in_use)" = "$TODAY" ]
run 0 kb update one.db
mkdir small && mount -t tmpfs -o size=$(((size / 4096 + 20) * 4))k none small && mount --bind small /var/lib || skip "no tmpfs here"
run 0 kb update one.db
refused "No space left on device" two.db 70
check "on a full disk the old one is used" [ "$(in_use)" = 2091-01-01 ]
run 0 kb version
prints "signed  by site"
umount /var/lib

# ---- killed, and refused by the kernel, at every step ----

# Knowledge of one cause: to judge all of it takes longer than to put it in place.
few="DELETE FROM evidence WHERE cause != 'vram-exhausted'; DELETE FROM signature; DELETE FROM literal; VACUUM"
dated 2091-01-01 first.db "$few" && sign mine first.db
dated 2091-02-02 next.db "$few" && sign mine next.db
# At every second step; with FIX_TIMES=100 at each, with less (.ci/run: 20) at every fourth.
rm -rf "$STATE" && "$ROCSTEADY" kb update first.db >/dev/null 2>&1 && cp -a "$STATE" before
fresh() { rm -rf "$STATE" && cp -a before "$STATE"; }
most=50 stride=2
[ "${FIX_TIMES:-50}" -lt 100 ] || most=110 stride=1
[ "${FIX_TIMES:-50}" -ge 50 ] || most=20 stride=4
kills=0 new=0
tried() { # after WHAT: one of the two is in use, and signed; the next update works
	local version
	version=$("$ROCSTEADY" kb version 2>err)
	check "$1: $(grep -c . err) words, $version" grep -qE '^version 2091-0[12]-0[12]$' <<<"$version"
	check "$1: the signer is known" grep -q '^signed  by site' <<<"$version"
	[[ $version == *2091-02-02* ]] && new=$((new + 1)) || {
		"$ROCSTEADY" kb update next.db >/dev/null 2>&1
		check "$1: the next update works" cmp -s next.db "$STATE/kb.db"
	}
	check "$1: nothing is left behind" [ -z "$(ls "$STATE" | grep 'db.new$')" ]
	fresh
}
for call in flock unlinkat openat write fchmod fsync close renameat; do
	fresh
	for ((when = 1; when <= 60; when += stride)); do
		strace -qq -o trace -e trace="$call" -e inject="$call:signal=SIGKILL:when=$when" \
			"$ROCSTEADY" kb update next.db >/dev/null 2>&1
		[ $? = 0 ] && break # there are no more calls of it
		kills=$((kills + 1))
		tried "killed at $call $when"
	done
	check "killed at $call" [ "$when" -gt 1 ]
done 2>/dev/null
for call in unlinkat write fchmod fsync renameat; do
	fresh
	for ((when = 1; when <= 6; when += stride)); do
		strace -qq -o trace -e trace="$call" -e inject="$call:error=EIO:when=$when" \
			"$ROCSTEADY" kb update next.db >/dev/null 2>&1
		grep -q INJECTED trace || break
		tried "$call $when answers EIO"
	done
	check "$call has answered EIO" [ "$when" -gt 1 ]
done
while [ "$kills" -lt "$most" ]; do
	"$ROCSTEADY" kb update next.db >/dev/null 2>&1 &
	sleep "0.0$((RANDOM % 50 + 10))"
	kill -9 $! 2>/dev/null && kills=$((kills + 1))
	wait $! 2>/dev/null
	version=$(in_use)
	check "killed at random: one of the two is in use" grep -qE '^2091-0[12]-0[12]$' <<<"$version"
	[ "$version" = 2091-02-02 ] && fresh
done
echo "killed $kills times, the new one in place $new times"
check "some were killed before, some after the new one was in place" [ "$new" -gt 0 ]

# Two at once: one of them wins, or both did the same.
fresh
for i in 1 2 3 4; do "$ROCSTEADY" kb update next.db >/dev/null 2>&1 & done
wait
check "several at once" [ "$(in_use)" = 2091-02-02 ]
finish
