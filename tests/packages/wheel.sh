#!/usr/bin/env bash
# The wheel: well formed, the same bits twice, and installed by pip under two
# Pythons and by uv, with the programs on PATH.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
mkdir "$WORK/one" "$WORK/two"
wheel=$("$SOURCE/tools/package/wheel" "$PACKAGES" "$WORK/one")
"$SOURCE/tools/package/wheel" "$PACKAGES" "$WORK/two" >/dev/null
echo "size: $(stat -c %s "$wheel") $(basename "$wheel")"
cmp "$wheel" "$WORK"/two/*.whl && good || bad "two wheels differ"
cp "$SOURCE/tests/machines/$ILL" /tmp/ill.snap

# here PYTHON NAME: in a venv of this machine
here() {
	local venv=$WORK/$2
	try 0 "" "$1" -m venv "$venv"
	try 0 "" "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$wheel"
	echo "$("$venv/bin/python" --version): $(head -c 4 "$venv/bin/rocsteady" | tail -c 3)"
	[ "$(head -c 4 "$venv/bin/rocsteady")" = $'\177ELF' ] && good || bad "the script is not the program itself"
	true_answers env PATH="$venv/bin:/usr/bin"
	try 0 "" "$venv/bin/python" -m pip uninstall --quiet --yes rocsteady
	[ ! -e "$venv/bin/rocsteady" ] && good || bad "uninstall left the program behind"
}

there() {
	if ! root_of "$1" python3-venv; then
		skip "no root of $1 to be had"
		return
	fi
	cp "$wheel" "$WORK/$1/tmp/"
	try 0 "Python 3." chroot "$WORK/$1" python3 --version
	try 0 "" chroot "$WORK/$1" python3 -m venv /v
	try 0 "" chroot "$WORK/$1" /v/bin/pip install --quiet --disable-pip-version-check --no-index "/tmp/$(basename "$wheel")"
	true_answers chroot "$WORK/$1" env PATH=/v/bin:/usr/bin
}

with_uv() {
	if ! python3 -m pip install --quiet --disable-pip-version-check --target "$WORK/uv" uv; then
		skip "no uv from pip"
		return
	fi
	true_answers env UV_CACHE_DIR="$WORK/uv-cache" UV_TOOL_DIR="$WORK/uv-tools" UV_OFFLINE=1 \
		"$WORK/uv/bin/uvx" --quiet --no-index --from "$wheel"
}

here /usr/bin/python3 venv
there trixie
with_uv
rm -f /tmp/ill.snap
finish
