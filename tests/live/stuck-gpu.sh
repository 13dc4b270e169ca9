#!/usr/bin/env bash
# One GPU of eight never answers, in true D state: facts answers within two
# seconds, names it, still tells the other seven, and leaves nothing behind but
# the reader that is stuck.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/gpus.sh"

TREE=$WORK/tree
make_deaf_gpu "$TREE"

start=$(date +%s%N)
# through a pipe: a stuck reader must not hold its other end
"$ROCSTEADY" facts --host-root "$TREE" 2>"$WORK/err" | cat >"$WORK/out"
status=${PIPESTATUS[0]}
took_ms=$((($(date +%s%N) - start) / 1000000))
echo "answered in $took_ms ms"

check "exit status 0" [ "$status" = 0 ]
check "it does not wait for it ($took_ms ms)" [ "$took_ms" -lt 10000 ]
check "the deaf file system was asked" grep -q asked "$WORK/asked"
check "names the silent GPU" grep -q '0000:03:00.0.* did not answer' "$WORK/out"
check "tells the other seven" [ "$(grep -c '192 GiB' "$WORK/out")" = 7 ]
readers=$(ps -eo pid,stat,args | grep "facts --host-root $TREE" | grep -v grep)
check "one reader is left" [ "$(echo "$readers" | grep -c .)" = 1 ]
check "and it sleeps uninterruptibly" grep -qE '^ *[0-9]+ D' <<<"$readers"

"$ROCSTEADY" snapshot --host-root "$TREE" -o "$WORK/snap" 2>>"$WORK/err"
check "the stall is in the snapshot" grep -q '!STUCK' "$WORK/snap"
"$ROCSTEADY" facts --from "$WORK/snap" >"$WORK/replayed"
check "the replay tells the same" diff <(grep -v '^not known' "$WORK/out") <(grep -v '^not known' "$WORK/replayed")
# Not through a pipe: with a trace the stuck reader keeps standard error.
ROCSTEADY_DEBUG=door "$ROCSTEADY" facts --host-root "$TREE" >"$WORK/out" 2>"$WORK/trace"
check "a trace tells who was silent" grep -qE 'door: no answer to /.*0000:03:00\.0.*: STUCK' "$WORK/trace"
check "and that another child went on" [ "$(grep -c 'recording child' "$WORK/trace")" = 2 ]
kill $DEAF
wait $DEAF 2>/dev/null
umount -l "$SILENT" 2>/dev/null
sleep 0.3
check "nothing is left when the GPU lets go" [ -z "$(pgrep -f "facts --host-root $TREE")" ]
finish
