#!/usr/bin/env bash
# What CI services of others are given: annotations, that no log issues a workflow command in any
# format, and the action, workflows and hooks of examples/ci, run as a runner does.
. "$(dirname "$0")/../live/lib.sh"
quietly() { "$@" >/dev/null; } # what check says of it is still printed
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
export TMPDIR=$WORK
python3 -c 'import yaml' || skip "python3-yaml is not installed"
unset GITHUB_ACTIONS GITHUB_STEP_SUMMARY
machine=$SOURCE/tests/machines/rx7900xtx-ubuntu2404-rocm64-outside-render.snap
healthy=$SOURCE/tests/machines/rx7900xt-x2-ubuntu2204-rocm62-healthy.snap

# ---- annotations ----

echo 'RuntimeError: HIP error: no kernel image is available for execution on the device 50%' >known.log
"$ROCSTEADY" explain --no-machine --format github known.log >out
check "explain ends as ever" [ $? = 2 ]
check "a cause is an error, with the line, a step and where to read on" grep -qx \
	'::error title=The installed build has no code for this GPU (likely)::known.log:1: RuntimeError: HIP error: no kernel image is available for execution on the device 50%25%0ADo this: .*%0AMore: rocsteady kb show framework-lacks-arch' out
echo 'ValueError: too many values to unpack' >unknown.log
check "what is not recognised is a warning" grep -q '^::warning title=.*ValueError' <("$ROCSTEADY" explain --no-machine --format github unknown.log)
echo 'Training finished' >fine.log
check "of what is fine nothing is said" [ -z "$("$ROCSTEADY" explain --no-machine --format github fine.log)" ]
mkdir logs && for i in {1..12}; do cp known.log "logs/$i.log"; done
touch summary
GITHUB_STEP_SUMMARY=summary "$ROCSTEADY" explain --no-machine --format github logs unknown.log >out
check "ten of many" [ "$(grep -c '^::error ' out)" = 10 ]
check "and the number of the others" grep -qx 'rocsteady: 3 more in the summary of this step' out
check "the summary has all" [ "$(grep -c '^- \*\*error\*\*' summary)/$(grep -c '^- \*\*warning\*\*' summary)" = 12/1 ]
"$ROCSTEADY" check --from "$machine" --format github >out
check "check ends as ever" [ $? = 2 ]
check "a finding is an error" grep -q '^::error title=No permission to use the GPU%3A /dev/kfd (certain)::.*%0ADo this: Add ' out
check "of a healthy machine nothing is said" [ -z "$("$ROCSTEADY" check --from "$healthy" --format github)" ]

# ---- a log issues no command, in any format ----

cat >obeys.py <<'END'
import sys
sys.path.insert(0, sys.argv[1] + "/tests/ci")
from runner import parse_command
import re
for line in re.split(r"\r\n|\r|\n", sys.stdin.read()):
    command = parse_command(line)
    if command and not (len(sys.argv) > 2 and command[0] in sys.argv[2].split(",")):
        print("obeyed:", line)
END
for evil in '::add-mask::x' '   ::set-env name=PATH::/evil' '##[add-path]/evil' 'HIP error: ##[add-mask]x' $'\u3000\u00a0::stop-commands::x' \
	$'\r::add-path::/evil' $'x\r\n::error::x'; do
	printf '%s\nRuntimeError: HIP error: no kernel image is available for execution on the device %s\n%s\nValueError: %s\n%s\n' \
		"$evil" "$evil" "$evil" "$evil" "$evil"
done >evil.log
printf '::error file=a::x\n' >'::add-mask::b.log'
check "the reader obeys the log itself" [ "$(python3 obeys.py "$SOURCE" <evil.log | wc -l)" -ge 20 ]
for form in text json markdown comment html github; do
	for args in evil.log "-v evil.log" "evil.log ::add-mask::b.log" "--together evil.log known.log"; do
		# shellcheck disable=SC2086
		GITHUB_ACTIONS=true "$ROCSTEADY" explain --no-machine --format $form $args >out 2>&1
		python3 obeys.py "$SOURCE" $([ $form != github ] || echo error,warning,notice) <out >obeyed
		check "$form $args: $(cat obeyed)" [ ! -s obeyed ]
		[ $form != json ] || check "JSON stays JSON" quietly jq -e . out
	done
done
jq -nc --rawfile log evil.log '{$log}' | GITHUB_ACTIONS=true "$ROCSTEADY" explain --batch >out 2>&1
check "a batch: $(python3 obeys.py "$SOURCE" <out)" [ -z "$(python3 obeys.py "$SOURCE" <out)" ]
{ cat "$machine"; printf 'file /proc/sys/kernel/osrelease\n\t::add-mask::x##[add-path]y\n'; } >evil.snap
for command in "check --from evil.snap" "check -v --from evil.snap" "facts --from evil.snap" "facts --from evil.snap system" "query --from evil.snap --csv SELECT/**/*FROM/**/kernel"; do
	# shellcheck disable=SC2086
	GITHUB_ACTIONS=true "$ROCSTEADY" ${command//\/\*\*\// } >out 2>&1
	check "$command: $(python3 obeys.py "$SOURCE" <out)" [ -z "$(python3 obeys.py "$SOURCE" <out)" ]
done
GITHUB_ACTIONS=true "$ROCSTEADY" explain '::add-mask::no such file ##[add-path]x' >out 2>&1
check "a message: $(cat out)" [ -z "$(python3 obeys.py "$SOURCE" <out)" ]
mkdir -p rules/causes && printf '"##[add-path]/evil": x\n' >rules/causes/evil.yaml
GITHUB_ACTIONS=true "$ROCSTEADY-kb" lint rules >out 2>&1
check "a fault of the knowledge is told: $(cat out)" grep -qF '## [add-path]/evil' out
check "and is no command" [ -z "$(python3 obeys.py "$SOURCE" <out)" ]
printf 'ValueError: a ##[add-mask]x\n' >older.log
check "elsewhere a log is quoted as it is" grep -qF '##[add-mask]x' <("$ROCSTEADY" explain --no-machine older.log)
check "and on a runner parted" grep -qF '## [add-mask]x' <(GITHUB_ACTIONS=true "$ROCSTEADY" explain --no-machine older.log)

# ---- a repository with a wheel ----

mkdir tool repository && ln -s "$ROCSTEADY" tool/rocsteady && PATH=$WORK/tool:$PATH
python3 - "$SOURCE" <<'END'
import sys, zipfile
sys.path.insert(0, sys.argv[1] + "/tests/cli")
from targets_make import bundle, library
for name, gpus in [("lacks", ["gfx1100"]), ("has", ["gfx1100", "gfx1151"])]:
    with zipfile.ZipFile(f"{name}.whl", "w") as wheel:
        wheel.writestr("kernels/libattention.so", library(bundle(*gpus)))
END
printf '#!/bin/sh\nmkdir -p dist && cp "../$WHEEL" dist/kernels-1.0-py3-none-any.whl\n' >repository/build-wheel
printf '#!/bin/sh\ncat ../evil.log ../known.log >&2; exit 1\n' >repository/run-tests
chmod +x repository/*

# runs WORKFLOW ARGUMENT...: as a runner; its last line is what came of it.
runs() {
	local name=$1
	shift
	sed "s|^\( *\)with:|&\n\1  program: $ROCSTEADY|" "$SOURCE/examples/ci/$name.yml" >"$name.yml"
	"$SOURCE/tests/ci/runner.py" "$@" "$name.yml" repository >out && tail -n 1 out >result.json
}
said() { check "$1: $(cat result.json)" quietly jq -e "$2" result.json; }

WHEEL=lacks.whl runs wheel
said "a wheel that lacks gfx1151 fails" '.conclusion == "failure"'
said "the annotation names wheel, library and GPU" '.annotations == [{level: "error", title: "rocsteady targets", file: "dist/kernels-1.0-py3-none-any.whl", message: "libattention.so has no code for gfx1151."}]'
said "and the summary" '.summary | contains("libattention.so has no code for gfx1151.")'
WHEEL=has.whl runs wheel
said "one that has it passes" '.conclusion == "success" and .annotations == []'
sed '/require:/d' "$SOURCE/examples/ci/wheel.yml" | sed "s|^\( *\)with:|&\n\1  program: $ROCSTEADY|" >listed.yml
WHEEL=lacks.whl "$SOURCE/tests/ci/runner.py" listed.yml repository >out && tail -n 1 out >result.json
said "without require nothing fails" '.conclusion == "success" and .annotations == []'
check "and the GPUs are listed: $(cat out)" [ "$(grep -c 'gfx1100\|libattention.so' out)" -ge 2 ]
# shellcheck disable=SC2016
sed 's|require: .*|skip: "libatt*"\n          baseline: ../has.whl|' "$SOURCE/examples/ci/wheel.yml" | sed "s|^\( *\)with:|&\n\1  program: $ROCSTEADY|" >baseline.yml
WHEEL=lacks.whl "$SOURCE/tests/ci/runner.py" baseline.yml repository >out && tail -n 1 out >result.json
said "what is skipped is not lost" '.conclusion == "success"'
sed -i '/skip:/d' baseline.yml
WHEEL=lacks.whl "$SOURCE/tests/ci/runner.py" baseline.yml repository >out && tail -n 1 out >result.json
said "less than the last release fails" '.conclusion == "failure" and (.annotations[0].message | contains("lost gfx1151, which has.whl has"))'
runs explain
said "the failed tests stay failed" '.conclusion == "failure"'
said "their log is explained" '.annotations | map(select(.level == "error" and (.title // "" | startswith("The installed build has no code for this GPU")))) | length >= 1'
jq -e '.obeyed' result.json >obeyed_all
check "the tests' own output is obeyed, as without us, and nothing of ours" [ "$(sed -n '/^\[OWNER/,$p' out | sed '$d' | python3 obeys.py "$SOURCE" error,warning,notice,add-matcher)" = "" ]
runs runner-check
said "a runner without a ready GPU is told" '.conclusion == "failure" and (.annotations | length) >= 1'
check "by the check of its GPUs" grep -qx '\[Check the GPUs\]' out
check "and runs no test" [ "$(grep -c '^\[./run-tests\]' out)" = 0 ]

# ---- issues: titles that would like to be commands ----

cat >tool/gh <<'END'
#!/bin/sh
printf '%s\n' "$*" >>"$WORK/gh.args"
cat >"$WORK/gh.body"
END
chmod +x tool/gh
export WORK
known='hipErrorNoBinaryForGpu: Unable to find code object for all current devices!'
issue() { jq -n --arg title "$1" --arg body "$2" '{action: "opened", issue: {number: 17, $title, $body}}' >event.json; }
triage() {
	: >gh.args
	rm -f gh.body owned repository/owned
	issue "$1" "$2"
	runs triage --event-file event.json
}
i=0
# shellcheck disable=SC2016
for title in '$(touch owned) `touch owned` ";touch owned;" && touch owned | touch owned' "';touch owned;'" $'x\ntouch owned\n' \
	'${{ github.token }} $COMMENT ::set-output name=verdict::certain' $'EOF\ncomment<<EOF\nevil\nEOF' \
	$'verdict=nothing\nverdict<<x\nnothing\nx\n::add-mask::x%0A::add-mask::y' $'-- --body-file /etc/passwd * ~ !! @everyone #1 \e]0;x\a'; do
	i=$((i + 1))
	triage "$title" "$title"$'\n'"$known"$'\n'"Radeon RX 7900 XTX"$'\n'"$title"
	said "title $i passes" '.conclusion == "success"'
	check "title $i: one comment, on that issue" [ "$(cat gh.args)" = "issue comment 17 --body-file -" ]
	check "title $i runs nothing" [ ! -e owned ] && check "title $i runs nothing there" [ ! -e repository/owned ]
	check "title $i: the comment is ours" grep -q '^\*\*The installed build has no code for this GPU\*\* (`framework-lacks-arch`, certain)$' gh.body
	check "title $i: whole" grep -q '^<sub>Written by a program' gh.body
	check "title $i: nothing of it is obeyed: $(sed -n '/^\[Explain the text/,$p' out | sed '$d' | python3 obeys.py "$SOURCE")" [ "$(sed -n '/^\[Explain the text/,$p' out | sed '$d' | python3 obeys.py "$SOURCE")" = "" ]
done
triage "a question" "How do I install it?"
check "where nothing is certain nothing is posted" [ ! -s gh.args ]
triage "NVIDIA" $'Device 0: NVIDIA GeForce RTX 3090, compute capability 8.6\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB.'
check "nor of another vendor's GPU: $(cat gh.args)" [ ! -s gh.args ]
triage "no body" ""
jq 'del(.issue.body)' event.json >cut.json && mv cut.json event.json
runs triage --event-file event.json
said "an issue without a text passes" '.conclusion == "success"'
cat >text.yml <<END
jobs:
  text:
    steps:
      - uses: ./
        id: answer
        with:
          program: $ROCSTEADY
          text: "\$(touch owned) $known, GPU: Radeon RX 7900 XTX"
      - run: printf '%s|' "\$A" "\$B" "\$C" "\$D" "\$E" "\$F" >>"$WORK/outputs"
        env:
          A: \${{ steps.answer.outputs.verdict }}
          B: \${{ steps.answer.outputs.about }}
          C: \${{ steps.answer.outputs.cause }}
          D: \${{ steps.answer.outputs.labels }}
          E: \${{ steps.answer.outputs.fingerprint }}
          F: \${{ steps.answer.outputs.comment }}
END
"$SOURCE/tests/ci/runner.py" text.yml repository >out && tail -n 1 out >result.json
check "a text has all outputs: $(head -n 1 outputs)" grep -qE '^certain\|amd\|framework-lacks-arch\|amd,framework-lacks-arch\|[0-9a-f]{16}\|\*\*The installed' outputs
check "the example may do nothing but write issues" [ "$(python3 -c 'import sys, yaml; print(yaml.safe_load(open(sys.argv[1]))["permissions"])' "$SOURCE/examples/ci/triage.yml")" = "{'issues': 'write'}" ]
check "no script of the action or the example has a value in it" [ "$(python3 -c 'import sys, yaml
steps = yaml.safe_load(open(sys.argv[1] + "/action.yml"))["runs"]["steps"] + yaml.safe_load(open(sys.argv[1] + "/examples/ci/triage.yml"))["jobs"]["triage"]["steps"]
print(sum("${{" in step.get("run", "") for step in steps), sum("run" in step for step in steps) > 4)' "$SOURCE")" = "0 True" ]

# The program of a release, by the address that the forge would have.
release=forge/OWNER/rocsteady/releases/download/v9.9.9
mkdir -p "$release" && cp "$ROCSTEADY" "$release/rocsteady-linux-x86_64"
sum=$(sha256sum <"$ROCSTEADY" | cut -d' ' -f1)
for given in "$sum" "${sum/[0-9]/x}"; do
	sed "s|^\( *\)with:|&\n\1  sha256: $given|" "$SOURCE/examples/ci/wheel.yml" >wheel.yml
	WHEEL=has.whl "$SOURCE/tests/ci/runner.py" --event "server_url=file://$WORK/forge" --event action_ref=v9.9.9 wheel.yml repository | tail -n 1 >result.json
	said "downloaded with the sum $given" ".conclusion == \"$([ "$given" = "$sum" ] && echo success || echo failure)\""
done

# ---- the matcher, the hooks, GitLab ----

cat >run.yml <<END
jobs:
  run:
    steps:
      - uses: ./
        with:
          program: $ROCSTEADY
      - run: rocsteady run --no-preflight --dir "$WORK/night" -- sh -c 'cat ../known.log >&2; exit 1'
END
"$SOURCE/tests/ci/runner.py" run.yml repository >out && tail -n 1 out >result.json
said "the matcher makes an annotation of what run says" '[.annotations[] | select(.message | startswith("The installed build has no code"))] | length == 1'
check "the hook lets a healthy machine pass" "$SOURCE/examples/ci/job-started.sh" --from "$healthy"
"$SOURCE/examples/ci/job-started.sh" --from "$machine" >out
check "and refuses a sick one" [ $? = 1 ]
check "with the cause" grep -q '^::error title=No permission to use the GPU' out

# The hook and the action have one rule for what check ends with.
for status in 0 1 2 3 70 127; do
	printf '#!/bin/sh\n[ "$1" != check ] || exit %s\n' $status >ends && chmod +x ends
	ROCSTEADY_PROGRAM=$WORK/ends "$SOURCE/examples/ci/job-started.sh" >out && hook=success || hook=failure
	printf 'jobs:\n  gpu:\n    steps:\n      - uses: ./\n        with:\n          program: %s/ends\n          gpu: true\n' "$WORK" >gpu.yml
	"$SOURCE/tests/ci/runner.py" gpu.yml repository | tail -n 1 >result.json
	check "status $status: the job fails only if it is not ready" [ "$hook" = "$([ $status = 2 ] && echo failure || echo success)" ]
	said "status $status: the action does as the hook" ".conclusion == \"$hook\""
	check "status $status: what is unclear is a warning" [ "$(grep -c '^::warning ' out)" = $((status > 2)) ]
	said "status $status: of the action as well" "(.annotations | map(select(.level == \"warning\")) | length) == $((status > 2))"
done

# gitlab JOB PART: the lines of a job, in one shell.
gitlab() { python3 -c 'import sys, yaml; print("set -e"); print("\n".join(yaml.safe_load(open(sys.argv[1]))[sys.argv[2]][sys.argv[3]]))' "$SOURCE/examples/ci/gitlab-ci.yml" "$1" "$2" | (cd repository && bash); }
WHEEL=lacks.whl sh -c 'cd repository && ./build-wheel'
gitlab wheel-targets script >out && status=0 || status=$?
check "GitLab: a wheel that lacks gfx1151 fails" [ $status = 2 ]
gitlab wheel-targets after_script >out
check "and leaves SARIF" quietly jq -e '.runs[0].results[0].ruleId == "target-not-covered"' repository/targets.sarif
WHEEL=has.whl sh -c 'cd repository && ./build-wheel'
check "one that has it passes" quietly gitlab wheel-targets script
gitlab gpu-tests script >out 2>&1 && status=0 || status=$?
check "GitLab: the tests fail" [ $status = 1 ]
check "and their log is explained" grep -q framework-lacks-arch <(CI_JOB_STATUS=failed gitlab gpu-tests after_script)

# pre-commit: the entry with the arguments of the example and the files of a commit.
hook() { python3 -c 'import sys, yaml, re, subprocess
hook = yaml.safe_load(open(sys.argv[1] + "/.pre-commit-hooks.yaml"))[0]
used = yaml.safe_load(open(sys.argv[1] + "/examples/ci/pre-commit-config.yaml"))["repos"][0]["hooks"][0]
assert hook["id"] == used["id"]
files = [f for f in sys.argv[2:] if re.search(hook["files"], f)]
sys.exit(subprocess.run([*hook["entry"].split(), *used["args"], *files]).returncode if files else 0)' "$SOURCE" "$@"; }
hook README.md lacks.whl >out && status=0 || status=$?
check "the hook refuses a wheel that lacks gfx1151: $(cat out)" [ $status = 2 ]
check "and takes one that has it" quietly hook README.md has.whl
cp /bin/true libhost.so
check "one for the host alone is taken" quietly hook libhost.so
hook libhost.so lacks.whl >out && status=0 || status=$?
check "and does not hide another that lacks code" [ $status = 2 ]
head -c 200 has.whl >cut.whl
hook cut.whl >out && status=0 || status=$?
check "one that cannot be read is refused: $(cat out)" [ $status = 3 ]
finish
