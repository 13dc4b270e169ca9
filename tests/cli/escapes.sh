#!/usr/bin/env bash
# A snapshot that would like to drive the reader's terminal: nothing in it gets
# there unescaped, by any command.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT

python3 - "$SOURCE/tests/machines/rx6600-debian12-k61-healthy.snap" >"$WORK/evil.snap" <<'END' || exit 1
import base64, re, sys
EVIL = "<script>owned()</script>\"><img src=x onerror='owned()'>&amp;|`x` [a](http://owned) \x1b]0;owned\x07\x1b[31m\u202e\x9b2J\r\x7f"
text = open(sys.argv[1]).read()
raw = lambda path, value: f"file {path}\n\t{value}\n"
coded = lambda path, value: f"file {path} base64\n\t{base64.b64encode(value.encode()).decode()}\n"
gpu = re.search(r"^files (/sys/devices/\S*)\n(?:\t.*\n)*\tmem_info_vram_total", text, re.M).group(1)
text += "".join([
    raw(gpu + "/product_name", "Radeon" + EVIL), coded(gpu + "/vbios_version", "113" + EVIL),
    raw("/proc/sys/kernel/hostname", EVIL), raw("/etc/os-release", f'NAME="{EVIL}"\n\tPRETTY_NAME="{EVIL}"'),
    raw("/proc/cmdline", "ro " + EVIL), raw("/proc/sys/kernel/osrelease", "6.1" + EVIL),
    f"ask environment\n\tHSA_X={EVIL}\n\tHIP_{EVIL}=1\n", f"ask identity\n\tuid 1\n\thow {EVIL}\n\tuser {EVIL}\n",
    f"ask kernel-log\n\t. 1 1 3 amdgpu 0000:03:00.0: {EVIL} GPU reset begin!\n",
    f"dir /etc/profile.d\n\t{EVIL}.sh\n\tx\\x1b[31m.sh\n", f"file /etc/profile.d/x\\x1b[31m.sh excerpt\n\t1:export HSA_Z={EVIL}\n",
    f"quux {EVIL}\n", f"note {EVIL}\n",
])
sys.stdout.reconfigure(errors="surrogateescape")
sys.stdout.write(text)
END

clean() { # clean FILE: no control byte but newlines, no C1, no direction mark
	python3 - "$1" <<'END'
import sys
text = open(sys.argv[1], "rb").read().decode("utf-8")
bad = [c for c in text if (ord(c) < 32 and c != "\n") or 0x7f <= ord(c) < 0xa0 or c in "\u202e\u200b\u2066"]
sys.exit(f"{sys.argv[1]}: {bad[:5]}" if bad else 0)
END
}

"$ROCSTEADY" facts --from "$WORK/evil.snap" >"$WORK/summary" 2>"$WORK/err"
check "the summary is made" grep -q 'x1b' "$WORK/summary"
check "the summary is clean" clean "$WORK/summary"
check "and what is said of it" clean "$WORK/err"
"$ROCSTEADY" facts --from "$WORK/evil.snap" --json >"$WORK/json"
check "the JSON is clean" clean "$WORK/json"
check "and JSON" python3 -m json.tool "$WORK/json" /dev/null
check "and holds what was sent" grep -q 'owned' "$WORK/json"
for topic in gpus host env setters log gaps identity run kernel_arg; do
	"$ROCSTEADY" facts $topic --from "$WORK/evil.snap" >"$WORK/topic" 2>&1
	check "facts $topic is clean" clean "$WORK/topic"
done
"$ROCSTEADY" query --from "$WORK/evil.snap" 'SELECT * FROM env' >"$WORK/query"
check "a query is clean" clean "$WORK/query"
"$ROCSTEADY" facts --from "$(printf '/nowhere/\033[31m')" 2>"$WORK/err"
check "a path that is no file is said clean" clean "$WORK/err"
"$ROCSTEADY" facts "$(printf 'x\033[31m')" --from "$WORK/evil.snap" 2>"$WORK/err"
check "a topic that is none is said clean" clean "$WORK/err"
for format in html markdown; do
	"$ROCSTEADY" check --from "$WORK/evil.snap" --no-scrub --verbose --format $format >"$WORK/report" 2>"$WORK/err"
	check "$format is made" [ -s "$WORK/report" ]
	check "$format holds what was sent" grep -q owned "$WORK/report"
	check "$format is clean" clean "$WORK/report"
	check "no markup of theirs in $format" [ "$(grep -cE '<(script|img)' "$WORK/report")" = 0 ]
done
# A path in the words of a remedy.
sed 's#/opt/rocm-6.1.0#/opt/<b>@owned`*x*#g' "$SOURCE/tests/machines/rx7900xtx-ubuntu2404-rocm64-library-path.snap" >"$WORK/path.snap"
"$ROCSTEADY" check --from "$WORK/path.snap" --no-scrub --format markdown >"$WORK/report"
check "the path is there" grep -q '^   Its value is /opt/' "$WORK/report"
check "and is nobody's markup" [ "$(grep '^   Its value is /opt/' "$WORK/report" | grep -cE '<b>|@owned|[^\\]\*x')" = 0 ]
"$ROCSTEADY" check --from "$WORK/evil.snap" --no-scrub --format html -o "$WORK/page.html" --verbose
check "the page is one" python3 "$SOURCE/tests/cli/page.py" --hostile "$WORK/page.html"
finish
