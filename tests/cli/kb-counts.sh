#!/usr/bin/env bash
# How much is known at least, that all of it has a source, that every cause has its cases, and that every query keeps
# its budget on every recorded machine, where no gate hides a row.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT

"$ROCSTEADY-kb" lint "$SOURCE/kb" --tests "$SOURCE/tests/causes" --machine "$SOURCE/tests/machines" >"$WORK/out" 2>"$WORK/err"
check "kb lint finds no fault on any machine, nor a cause without cases of all kinds" [ $? = 0 ]
tail -n 20 "$WORK/err"
check "and says so" grep -q "no fault" "$WORK/out"
at_least() {
	local n
	n=$(sed -n "s/^ *\([0-9]*\) $1\$/\1/p" "$WORK/out")
	check "$1: ${n:-none}, at least $2" [ "${n:-0}" -ge "$2" ]
}
at_least signatures 250
at_least defects 100
at_least remedies 40
at_least "rows of the world" 700
check "nothing is without a source" grep -qE '^ *0 without a source$' "$WORK/out"

# A row that loses its source is noticed.
cp -r "$SOURCE/kb" "$WORK/kb"
sed -i '0,/^    source: .*/s///' "$WORK/kb/tables/image.yaml"
"$ROCSTEADY-kb" lint "$WORK/kb" >"$WORK/out" 2>"$WORK/err"
check "a row without a source is refused" [ $? = 66 ]
check "and named" grep -q 'tables/image.yaml:[0-9]*: is missing: source' "$WORK/err"
finish
