#!/usr/bin/env bash
# Text, JSON, Markdown and HTML of an explanation: the same answer, valid, and
# nothing of a hostile log or file name obeyed by a terminal, a tracker or a page.
. "$(dirname "$0")/../live/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
AGREE=$SOURCE/tests/cli/explain_agree.py PAGE=$SOURCE/tests/cli/page.py

# ---- logs that would like to be more ----

mkdir hostile
evil='<script>alert(1)</script> & "q" `id` $(id) @everyone #12 |x| **b** [l](http://evil.example) www.evil.example'
printf 'ValueError: %s\n' "$evil" >hostile/unknown.log
printf 'ValueError: \e]0;title\a\e[31mred\e[0m \x9b31m \xff\xfe \u202e %s\n' "$evil" >hostile/bytes.log
printf 'RuntimeError: HIP error: no kernel image is available for execution on the device %s\n' "$evil" >hostile/known.log
printf 'Memory access fault by GPU node-1 (Agent handle: 0x55<b>) on address (nil)<img src=x>. Reason: Unknown.\n' >hostile/fault.log
printf 'ValueError: x\n' >'hostile/<img src=x onerror=alert(1)>.log'
printf 'ValueError: x\n' >$'hostile/\e[31mred`|*.log'
# shellcheck disable=SC2016
printf 'ValueError: x\n' >'hostile/$(touch owned);`touch owned`.log'

check "the four forms of the stories agree" python3 "$AGREE" "$SOURCE"/tests/explain/*.log
check "those of hostile logs agree" python3 "$AGREE" hostile/unknown.log hostile/known.log hostile/fault.log

for form in text markdown html json; do
	"$ROCSTEADY" explain --no-machine --format "$form" hostile >"all.$form" 2>/dev/null
	check "$form: all files, exit status" [ $? = 2 ]
	check "$form: no control byte" [ "$(LC_ALL=C tr -d '\n\040-\176\200-\377' <"all.$form" | wc -c)" = 0 ]
	check "$form: is UTF-8" iconv -f UTF-8 -t UTF-8 -o /dev/null "all.$form"
	check "$form: no direction is turned" [ "$(grep -c $'\u202e' "all.$form")" = 0 ]
	check "$form: every file is named" [ "$(grep -c 'unknown.log' "all.$form")" -ge 1 ]
done
"$ROCSTEADY" explain --no-machine --format html "$SOURCE/tests/explain" -o stories.html
check "html: a page that needs nobody" python3 "$PAGE" stories.html
check "html: no tag of the log" [ "$(grep -ciE '<(script|img|b)[ >]' all.html)" = 0 ]
check "markdown: no tag outside of code" [ "$(sed 's/^    .*//; s/`[^`]*`//g' all.markdown | grep -ciE '<(script|img)')" = 0 ]
check "markdown: nobody is called" [ "$(sed 's/^    .*//; s/`[^`]*`//g' all.markdown | grep -c '@everyone')" = 0 ]
check "the counts are the same in all" [ "$(grep -ho '7 files: 1 broken, [a-z0-9 ,]*' all.text all.markdown all.html | sed 's/ *$//' | sort -u | wc -l)" = 1 ]

# A printed command is one word where the name is.
"$ROCSTEADY" explain --no-machine 'hostile/$(touch owned);`touch owned`.log' | sed -n 's/^         //p' >commands
(PATH=$WORK:$PATH; ln -sf /bin/true rocsteady; . ./commands) >/dev/null 2>&1
check "a name in a command runs nothing" [ ! -e owned ]

# ---- the option ----

echo "ValueError: x" >a.log
said() { "$ROCSTEADY" explain --no-machine a.log "$@" 2>&1; }
check "--format text is the text" [ "$(said --format text)" = "$(said)" ]
check "--format json is --json" [ "$(said --format json)" = "$(said --json)" ]
check "a wrong word is not taken" grep -q 'did you mean markdown?' <<<"$(said --format markdwon)"
for form in markdown html; do
	said --format "$form" -o "alone.$form" >/dev/null
	check "$form: one file alone" grep -q 'ValueError: x' "alone.$form"
done
check "html: one file alone is a page" python3 "$PAGE" alone.html

finish
