#!/usr/bin/env bash
# The wheel: well formed, the same bits twice, and installed by pip under the
# Pythons that are here, one with musl and by uv, with the programs on PATH and the package.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
export PYTHONDONTWRITEBYTECODE=1 # what Python compiles is not ours
mkdir "$WORK/one" "$WORK/two"
wheel=$("$SOURCE/tools/package/wheel" "$PACKAGES" "$WORK/one")
"$SOURCE/tools/package/wheel" "$PACKAGES" "$WORK/two" >/dev/null
echo "size: $(stat -c %s "$wheel") $(basename "$wheel")"
cmp "$wheel" "$WORK"/two/*.whl && good || bad "two wheels differ"
cp "$SOURCE/tests/machines/$ILL" "$WORK/ill.snap"

# here PYTHON NAME: in a venv of this machine
here() {
	local venv=$WORK/$2
	try 0 "" "$1" -m venv "$venv"
	tree "$venv" >"$WORK/before"
	try 0 "" "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-index "$wheel"
	echo "$("$venv/bin/python" --version): $(head -c 4 "$venv/bin/rocsteady" | tail -c 3)"
	[ "$(head -c 4 "$venv/bin/rocsteady")" = $'\177ELF' ] && good || bad "the script is not the program itself"
	true_answers env PATH="$venv/bin:/usr/bin"
	package_answers env PATH=/usr/bin:/bin "$venv/bin/python"
	passes "$venv/bin" env ROCSTEADY_HOOK_VERDICT="$WORK/run/verdict"
	try 0 "fleet/systemd/rocsteady-gate.timer" "$venv/bin/python" -m pip show --files rocsteady
	try 0 "" "$venv/bin/python" -m pip uninstall --quiet --yes rocsteady
	tree "$venv" >"$WORK/after"
	diff "$WORK/before" "$WORK/after" && good || bad "uninstall does not leave the tree as it was"
	with_pytest "$venv"
}

# package_answers PYTHON...: the package finds its program, which is not on PATH, and answers.
package_answers() {
	try 0 "all answers are right" "$@" - "$SNAP" <"$SOURCE/tests/python/installed.py"
	try 2 "framework-lacks-arch" "$@" -m rocsteady explain --no-machine - <<<"$TRACEBACK"
}

# with_pytest VENV: the newest pytest loads the plugin by its entry point; off without its option.
with_pytest() {
	if ! "$1/bin/python" -m pip install --quiet --disable-pip-version-check pytest "$wheel"; then
		skip "$("$1/bin/python" --version): no pytest from pip"
		return
	fi
	mkdir -p "$WORK/tests"
	printf 'def test_gpu(gpu_ready):\n    raise RuntimeError("HIP error: no kernel image is available for execution on the device")\n' \
		>"$WORK/tests/test_gpu.py"
	try 1 "1 failed" "$1/bin/python" -m pytest -p no:cacheprovider "$WORK/tests"
	try 0 "rocsteady-strict" "$1/bin/python" -m pytest --help
	mv "$1/bin/rocsteady" "$WORK/program"
	printf '#!/bin/sh\nexec "%s" "$@" --from "%s"\n' "$WORK/program" "$WORK/ill.snap" >"$1/bin/rocsteady"
	chmod 755 "$1/bin/rocsteady"
	try 0 "device-permission" env PATH=/usr/bin:/bin "$1/bin/python" -m pytest -p no:cacheprovider -rs --rocsteady "$WORK/tests"
	mv "$WORK/program" "$1/bin/rocsteady"
}

# pythons: of this machine, one of each version that the package is for.
pythons() {
	local version python
	for version in 3.9 3.10 3.11 3.12 3.13; do
		python=/usr/bin/python$version
		[ -x "$python" ] || python=$(find ~/.pyenv/versions -path "*/$version.*/bin/python3" 2>/dev/null | sort | head -n 1)
		if [ -x "$python" ]; then
			here "$python" "venv-$version"
		else
			skip "Python $version is not on this machine"
		fi
	done
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
	package_answers chroot "$WORK/$1" /v/bin/python
}

# In a root with nothing but musl, its Python and pip, which takes the wheel by its tag for musl.
with_musl() {
	local tar root=$WORK/musl
	if ! tar=$("$SOURCE/tools/package/musl-root" 2>"$WORK/musl.log"); then
		tail -n 5 "$WORK/musl.log"
		skip "no root with musl to be had"
		return
	fi
	mkdir "$root" && tar -xf "$tar" -C "$root" && mknod -m 666 "$root/dev/null" c 1 3 && mknod -m 666 "$root/dev/urandom" c 1 9
	cp "$wheel" "$root/tmp/" && cp "$SOURCE/tests/machines/$ILL" "$root/tmp/ill.snap"
	in_musl() { env -i PATH=/v/bin:/usr/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1 /usr/sbin/chroot "$root" "$@"; }
	try 0 "musllinux_1_2_x86_64" in_musl python3 -c 'from pip._vendor.packaging.tags import sys_tags; print(*{tag.platform for tag in sys_tags()})'
	try 0 "" in_musl python3 -m venv --without-pip --system-site-packages /v
	try 0 "" in_musl /v/bin/python -m pip install --quiet --disable-pip-version-check --no-index "/tmp/$(basename "$wheel")"
	true_answers in_musl
	package_answers in_musl /v/bin/python
	try 0 "rocsteady " in_musl /v/bin/python -m rocsteady --version
}

with_uv() {
	if ! python3 -m pip install --quiet --disable-pip-version-check --target "$WORK/uv" uv; then
		skip "no uv from pip"
		return
	fi
	true_answers env UV_CACHE_DIR="$WORK/uv-cache" UV_TOOL_DIR="$WORK/uv-tools" UV_OFFLINE=1 \
		"$WORK/uv/bin/uvx" --quiet --no-index --from "$wheel"
	export UV_CACHE_DIR=$WORK/uv-cache UV_OFFLINE=1
	try 0 "" "$WORK/uv/bin/uv" venv --quiet --python /usr/bin/python3 "$WORK/uv-venv"
	try 0 "" "$WORK/uv/bin/uv" pip install --quiet --no-index --python "$WORK/uv-venv/bin/python" "$wheel"
	package_answers env PATH=/usr/bin:/bin "$WORK/uv-venv/bin/python"
}

there trixie
with_musl
SNAP=$WORK/ill.snap
pythons
with_uv
finish
