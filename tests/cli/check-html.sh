#!/usr/bin/env bash
# The report as a page: of every recorded machine one that is well formed, needs
# nobody, and says what the text says.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
PAGE=$SOURCE/tests/cli/page.py

for snap in "$SOURCE"/tests/machines/*.snap; do
	name=${snap##*/} name=${name%.snap}
	"$ROCSTEADY" check --from "$snap" --quiet
	want=$?
	"$ROCSTEADY" check --from "$snap" --format html -o "$WORK/$name.html"
	check "$name: the same exit status" [ $? = $want ]
	gpus=$("$ROCSTEADY" query --from "$snap" --json 'SELECT count(*) AS n FROM gpu' | grep -oE '[0-9]+')
	check "$name: every GPU is drawn" [ "$(grep -c '<li class="gpu' "$WORK/$name.html")" = "$gpus" ]
	"$ROCSTEADY" check --from "$snap" --json --verbose >"$WORK/j.json"
	check "$name: the causes of the JSON" python3 - "$WORK/j.json" "$WORK/$name.html" <<'END'
import json, sys
report, page = json.load(open(sys.argv[1])), open(sys.argv[2]).read()
held = [f for f in report["findings"] if f["belief"] in ("certain", "likely")]
lost = [f["cause"] for f in held if f"<code>{f['cause']}</code>" not in page]
sys.exit(f"not in the page: {lost}" if lost else 0)
END
done
check "all are pages" python3 "$PAGE" "$WORK"/*.html

check "the page test would notice a script" [ "$(sed 's/<main>/<main><script src="x"><\/script>/' \
	"$WORK"/rx6600-debian12-k61-healthy.html >"$WORK/bad.html"; python3 "$PAGE" "$WORK/bad.html" | wc -l)" -ge 2 ]
check "colours can be read in light, dark and print" python3 "$SOURCE/tests/cli/contrast.py" "$SOURCE/data/report.css"

# Partitions, links and shares, of machines that have them.
cpx=$WORK/mi300x-x8-ubuntu2404-rocm64-cpx.html
check "64 partitions are drawn" [ "$(grep -o 'class="part"' "$cpx" | wc -l)" = 64 ]
check "28 links are drawn" [ "$(grep -c '<line class="xgmi" x1' "$cpx")" = 28 ]
lost=$SOURCE/tests/machines/mi300x-x8-ubuntu2204-rocm63-xgmi.snap
"$ROCSTEADY" check --from "$lost" --format html -o "$WORK/lost.html"
check "a lost link is drawn" [ "$(grep -c '<line class="lost" x1' "$WORK/lost.html")" = 1 ]
check "the others are not lost" [ "$(grep -c '<line class="xgmi" x1' "$WORK/lost.html")" = 27 ]
check "and it is named" grep -q 'xGMI link lost between 1 of 28 pairs: 0 and 2' "$WORK/lost.html"
check "no link is lost on a whole board" [ "$(grep -c 'class="lost"' "$cpx")" = 0 ]
over() { sed -n 's/.*<p class="over">\(.*\)<\/p>.*/\1/p' "$1"; }
check "the date on top: $(over "$WORK/lost.html")" [ "$(over "$WORK/lost.html")" = "rocsteady check · 2025-11-12 08:00 UTC" ]
"$ROCSTEADY" check --from "$lost" --format html --no-scrub -o "$WORK/named.html"
check "and the host, if names stay: $(over "$WORK/named.html")" [ "$(over "$WORK/named.html")" = "rocsteady check · <b>workbench</b> · 2025-11-12 08:00 UTC" ]
check "commands are wrapped, and marked by one click" grep -qE '^pre code \{ user-select: all;' "$WORK/lost.html"
check "memory of strangers has its colour" grep -q 'class="s1"' "$WORK/rx7900xt-x2-ubuntu2204-rocm62-docker-full.html"
check "coverage has a row of the missing target" grep -q 'no code' "$WORK/strixhalo-ubuntu2604-torch241-lacks-gfx1151.html"

# The word behind --format.
said() { "$ROCSTEADY" check --from "$snap" "$@" 2>&1 >/dev/null; }
check "a wrong word is not taken" [ "$("$ROCSTEADY" check --from "$snap" --format htm >/dev/null 2>&1; echo $?)" = 64 ]
check "and the right one is named" grep -q 'did you mean html?' <<<"$(said --format htm)"
check "a far one lists all" grep -q -- '--format is text, json, html, markdown or github$' <<<"$(said --format xxxxxxxx)"
check "--format text is the text" cmp -s <("$ROCSTEADY" check --from "$snap" --format text) <("$ROCSTEADY" check --from "$snap")
check "--format json is --json" cmp -s <("$ROCSTEADY" check --from "$snap" --format json) <("$ROCSTEADY" check --from "$snap" --json)
check "--format and --json exclude each other" [ "$("$ROCSTEADY" check --from "$snap" --format html --json >/dev/null 2>&1; echo $?)" = 64 ]
finish
