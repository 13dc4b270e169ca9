#!/usr/bin/env bash
# Every `rocsteady COMMAND` that knowledge, man pages and the README print is one that exists, and no command has quotes
# around what is filled in on a machine: that comes quoted, and would end them.
set -u
program=$ROCSTEADY source=$ROCSTEADY_SOURCE
count=0 failed=0

known=" $("$program" completion -- "" | sed -n 's/^\([a-z]*\)\t.*/\1/p' | tr '\n' ' ')"
while read -r word; do
	count=$((count + 1))
	if [[ $known != *" $word "* ]]; then
		grep -rn "rocsteady $word" "$source"/kb "$source"/man "$source"/README.md
		failed=$((failed + 1))
	fi
done < <(grep -rhoE '^ {4,}rocsteady [a-z]+|(:|verify:) +rocsteady [a-z]+|rocsteady (advise|probe|fix|run|gate)\b' \
	"$source"/kb "$source"/man "$source"/README.md | sed 's/.*rocsteady //' | sort -u)
echo "$count commands, $failed of them do not exist"

# These fill in a number, a release, or a GPU's gfx name.
plain='comfyui-torch-for-gpu compose-pass-devices container-add-this-group expect-other-count torch-device-package torch-device-package-before torch-for-gpu-on-windows torch-for-python-on-windows windows-own-libraries windows-sdk-first-in-path'
quoted=$(grep -E "^ {6}[^'\"]*('[^']*\{(value|subject)\}|\"[^\"\$]*\{(value|subject)\})" "$source"/kb/remedies/*.yaml |
	grep -vE '^[^:]*: +(index|packages): ' | sed 's|^.*/\([^/]*\)\.yaml:.*|\1|' | sort -u | tr '\n' ' ')
[ "$quoted" = "$plain " ] || echo "in quotes: $quoted"
[ "$failed" = 0 ] && [ "$count" -gt 3 ] && [ "$quoted" = "$plain " ]
