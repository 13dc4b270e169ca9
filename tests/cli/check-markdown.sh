#!/usr/bin/env bash
# Reports for trackers: Markdown of every recorded machine.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT

reset=rx7900xtx-ubuntu2404-rocm64-reset outside=rx7900xtx-ubuntu2404-rocm64-outside-render # looked at below
mapfile -t some < <(some_of "$SOURCE"/tests/machines/*.snap)
for snap in "${some[@]}" "$SOURCE/tests/machines"/{$reset,$outside}.snap; do
	name=${snap##*/} name=${name%.snap}
	"$ROCSTEADY" check --from "$snap" --format markdown -o "$WORK/$name.markdown"
	echo "$name $?" >>"$WORK/statuses"
	"$ROCSTEADY" check --from "$snap" --json --verbose >"$WORK/$name.json"
done
check "it says what the JSON says" python3 - "$WORK" <<'END'
import json, pathlib, re, sys
work = pathlib.Path(sys.argv[1])
statuses = {line.split()[0]: int(line.split()[1]) for line in (work / "statuses").read_text().splitlines()}
bad = []
for path in sorted(work.glob("*.json")):
    report = json.loads(path.read_text())
    text = path.with_suffix(".markdown").read_text()
    def want(good, *words):
        if not good: bad.append(f"{path.stem}: {words}")
    want(statuses[path.stem] == report["exit_status"], "exit status")
    for finding in report["findings"]:
        held = finding["belief"] in ("certain", "likely") and finding["kind"] != "myth" and finding["severity"] != "info"
        if held:
            want(f"`{finding['cause']}`" in text, "not in the Markdown", finding["cause"])
    want(text.startswith("## ") and text.count("<details>") == text.count("</details>"), "Markdown")
    want(text.count("````") % 2 == 0, "fences")
    want(("Tracker: " in text) == (report["verdict"] != "ready") or "Tracker: https" in text, "tracker")
    for row in re.findall(r"(?:^\|.*\n)+", text, re.M):
        widths = {len(re.findall(r"(?<!\\)\|", line)) for line in row.splitlines()}
        want(len(widths) == 1, "cells", row[:200])
print("\n".join(bad))
sys.exit(bool(bad))
END
check "a hang is for the driver's tracker" grep -q 'https://gitlab.freedesktop.org/drm/amd' "$WORK/$reset.markdown"
check "a group is for none" grep -q 'Tracker: none; ' "$WORK/$outside.markdown"

# Text that is not ours makes no link, however a tracker looks for one.
cp "$KNOWLEDGE" "$WORK/linked.db"
sqlite3 "$WORK/linked.db" "UPDATE cause SET title = 'see www.evil.example, (WWW.evil.example), awww.fine, http://evil.example, a@evil.example [pay](//evil.example)'"
"$ROCSTEADY" check --from "$SOURCE/tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap" --kb "$WORK/linked.db" --format markdown >"$WORK/linked.markdown"
title=$(grep -m 1 '^### see' "$WORK/linked.markdown")
check "www. is no link: $title" [ "${title#*www&\#8203;.evil}" != "$title" ]
check "nor in capitals: $title" [ "${title#*WWW&\#8203;.evil}" != "$title" ]
check "within a word it needs nothing: $title" [ "${title#*awww.fine}" != "$title" ]
check "no address is one: $title" [ "${title#*http:&\#8203;//evil}" != "$title" ]
check "nor a mail's: $title" [ "${title#*a@&\#8203;evil}" != "$title" ]
check "none is left" sh -c '! grep -E "(^|[^[:alnum:]])[wW]{3}\.evil" "$1"' - "$WORK/linked.markdown"

# A tracker of a cause that is none would never be found.
cp "$KNOWLEDGE" "$WORK/kb.db"
check "trackers name causes" python3 - "$WORK/kb.db" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
lost = db.execute("SELECT cause FROM tracker WHERE cause NOT IN (SELECT slug FROM cause)").fetchall()
sys.exit(f"no such cause: {lost}" if lost or not db.execute("SELECT 1 FROM tracker").fetchone() else 0)
END
finish
