#!/usr/bin/env bash
# What is for CI services and coding agents of others, judged by their own schemas, tools and clients, as far as the
# registries have them.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
cd "$SOURCE" || exit 1
if python3 -m venv "$WORK/v" && "$WORK/v/bin/pip" install --quiet --disable-pip-version-check check-jsonschema pre-commit mcp; then
	schema() { try 0 "ok" "$WORK/v/bin/check-jsonschema" "$@"; }
	schema --builtin-schema vendor.github-actions action.yml
	schema --builtin-schema vendor.github-workflows examples/ci/{wheel,explain,runner-check}.yml .github/workflows/*.yml
	schema --builtin-schema vendor.gitlab-ci --data-transform gitlab-ci examples/ci/gitlab-ci.yml
	schema --check-metaschema docs/*.schema.json
	try 0 "" "$WORK/v/bin/pre-commit" validate-manifest .pre-commit-hooks.yaml
	try 0 "" "$WORK/v/bin/pre-commit" validate-config examples/ci/pre-commit-config.yaml
	mkdir "$WORK/open"
	try 0 "every tool answers" "$WORK/v/bin/python" tests/cli/mcp_official.py "$PACKAGES/rocsteady" "$WORK/open"
else
	skip "no check-jsonschema, pre-commit and mcp from pip"
fi
if command -v npm >/dev/null && npm install --silent --prefix "$WORK/n" @microsoft/sarif-multitool >/dev/null 2>&1; then
	"$PACKAGES/rocsteady" targets --require gfx1100 --format sarif -o "$WORK/t.sarif" "$PACKAGES/rocsteady" README.md
	# It ends with 0 whatever it finds: an error is a line, and must be there of a file that has one.
	judge() { "$WORK/n/node_modules/.bin/sarif-multitool" validate "$1" | tee "$WORK/said" && grep -q "Analysis completed" "$WORK/said"; }
	judge "$WORK/t.sarif" && ! grep ": error SARIF" "$WORK/said" && good || bad "SARIF has errors"
	jq '.runs[0].results[0].ruleIndex = 99' "$WORK/t.sarif" >"$WORK/wrong.sarif"
	judge "$WORK/wrong.sarif" && grep -q ": error SARIF" "$WORK/said" && good || bad "a wrong file has no error"
else
	skip "no sarif-multitool from npm"
fi
finish
