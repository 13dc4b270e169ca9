#!/usr/bin/env bash
# Frameworks that real tools have installed here: pip, uv, pipx, dpkg. Each is
# named as it is, without running it. Packages come from the registry and the
# archive that pip and apt of this machine use; without them, skipped.
. "$(dirname "$0")/lib.sh"

trap 'rm -rf "$WORK"' EXIT
TREE=$WORK/tree
mkdir -p "$TREE/opt" "$WORK/pip"
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore UV_CACHE_DIR=$WORK/uv-cache UV_PYTHON_DOWNLOADS=never
unset VIRTUAL_ENV CONDA_PREFIX PYTHONPATH
python=$(command -v python3) || skip "there is no Python"
"$python" -m venv "$WORK/tools" 2>/dev/null || skip "Python cannot make environments here"
timeout 60 "$WORK/tools/bin/pip" -q install uv pipx 2>/dev/null || skip "the registry cannot be reached"
timeout 60 "$WORK/tools/bin/pip" -q download --no-deps -d "$WORK/pip" sageattention==1.0.6 jax==0.4.30 jax-rocm60-plugin==0.5.0 numpy 2>/dev/null ||
	skip "the registry cannot be reached, or has no wheel for this Python"
version=$("$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])')

says() { # says ANSWER ROOT SQL
	local got
	got=$("$ROCSTEADY" query --root "$2" "$3")
	got=$(sed 1d <<<"$got" | sed 's/[[:space:]]\+/ /g; s/^ //; s/ $//')
	[ "$got" = "$1" ] || { echo "  got:  $got"; echo "  want: $1"; return 1; }
}

# pip, in a venv: jax with the plugin for ROCm, and a package that is Triton code
"$python" -m venv --without-pip "$TREE/opt/pip"
"$WORK/tools/bin/pip" -q --python "$TREE/opt/pip/bin/python" install --no-index --no-deps "$WORK"/pip/*.whl
check "jax computes on ROCm through its plugin" says "jax 0.4.30 rocm" "$TREE" \
	"SELECT name, version, build FROM framework WHERE environment = '/opt/pip' AND name = 'jax'"
check "Triton code is of no build" says "sageattention 1.0.6" "$TREE" \
	"SELECT name, version, build FROM framework WHERE environment = '/opt/pip' AND name = 'sageattention'"
check "the venv and its Python" says "/opt/pip venv $version" "$TREE" \
	"SELECT prefix, kind, python FROM environment WHERE prefix = '/opt/pip'"
check "the plugin's demand is not met: its other half is not installed" says "1" "$TREE" \
	"SELECT count(*) FROM package WHERE environment = '/opt/pip' AND name = 'jax-rocm60-plugin' AND fits IS NULL"

# The same files without their RECORD are found by their directories.
rm "$TREE"/opt/pip/lib/python*/site-packages/sageattention-*.dist-info/RECORD
check "a package without RECORD" says "sageattention 1.0.6" "$TREE" \
	"SELECT name, version FROM framework WHERE environment = '/opt/pip' AND name = 'sageattention'"

# an editable install: its sources are named and not followed
mkdir -p "$WORK/src/vllm"
printf '[project]\nname = "vllm"\nversion = "0.6.3"\n[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n' >"$WORK/src/pyproject.toml"
if "$WORK/tools/bin/pip" -q --python "$TREE/opt/pip/bin/python" install --no-deps -e "$WORK/src" 2>/dev/null; then
	check "an editable install" says "vllm 0.6.3 file://$WORK/src" "$TREE" \
		"SELECT name, version, editable FROM framework WHERE name = 'vllm'"
fi

# conda: the same site beside conda's own records
mkdir -p "$TREE/opt/conda/envs/ml/conda-meta" "$TREE/opt/conda/envs/ml/bin" "$TREE/opt/conda/conda-meta"
cp -r "$TREE/opt/pip/lib" "$TREE/opt/conda/envs/ml/lib"
echo '{"build": "h1", "channel": "conda-forge", "name": "python", "version": "'"$version"'.1"}' \
	>"$TREE/opt/conda/envs/ml/conda-meta/python-$version.1-h1.json"
check "conda" says "conda jax rocm" "$TREE" \
	"SELECT kind, name, build FROM environment JOIN framework ON environment = prefix WHERE prefix LIKE '%/ml' AND name = 'jax'"

# uv, by links into its cache, on this host
if [ -x "$WORK/tools/bin/uv" ]; then
	"$WORK/tools/bin/uv" -q venv --python "$python" "$WORK/uv" &&
		"$WORK/tools/bin/uv" -q pip install --python "$WORK/uv/bin/python" --offline --no-index --no-deps --link-mode symlink "$WORK"/pip/*.whl
	[ -L "$WORK/uv/lib/python$version/site-packages/jax/version.py" ] || echo "uv made no links"
	live() { VIRTUAL_ENV=$WORK/uv PATH=$WORK/uv/bin:$PATH "$ROCSTEADY" query "$1" | sed 1d | sed 's/[[:space:]]\+/ /g; s/ $//'; }
	check "uv's links are followed" [ "$(live "SELECT version, build FROM framework WHERE environment = '$WORK/uv' AND name = 'jax'")" = "0.4.30 rocm" ]
	check "it is the one in use" [ "$(live "SELECT kind, active FROM environment WHERE prefix = '$WORK/uv'")" = "uv 1" ]
fi

# pipx: an application's venv, with a framework in it
if [ -x "$WORK/tools/bin/pipx" ]; then
	PIPX_HOME=$WORK/pipx PIPX_BIN_DIR=$WORK/bin PIPX_DEFAULT_PYTHON=$python timeout 60 "$WORK/tools/bin/pipx" install -q pycowsay >/dev/null 2>&1 &&
		PIPX_HOME=$WORK/pipx PIPX_BIN_DIR=$WORK/bin timeout 60 "$WORK/tools/bin/pipx" inject -q pycowsay "$WORK"/pip/sageattention-*.whl >/dev/null 2>&1 &&
		mkdir -p "$TREE/root/.local/share" && cp -r "$WORK/pipx/venvs/pycowsay" "$TREE/opt/pycowsay" &&
		check "pipx" says "sageattention 1.0.6" "$TREE" \
			"SELECT name, version FROM framework WHERE environment = '/opt/pycowsay'"
fi

# Debian's torch: a build for processors, whose libraries are links into /usr/lib
mkdir "$WORK/deb" "$WORK/debian"
if command -v dpkg >/dev/null && (cd "$WORK/deb" && chmod 777 . && timeout 60 apt-get -qq download python3-torch libtorch1.13 >/dev/null 2>&1); then
	for deb in "$WORK"/deb/*.deb; do dpkg -x "$deb" "$WORK/debian"; done
	check "Debian's torch is for processors" says "/usr torch cpu /usr/lib/x86_64-linux-gnu/libtorch_cpu.so.1.13.0" "$WORK/debian" \
		"SELECT environment, name, build, main FROM framework"
	check "its kind" says "system" "$WORK/debian" "SELECT kind FROM environment WHERE prefix = '/usr'"
else
	echo "Debian's torch was not to be had"
fi

# A snapshot of the live host says the same as the host did.
VIRTUAL_ENV=$WORK/uv "$ROCSTEADY" snapshot -o "$WORK/host.snap" >/dev/null 2>&1
check "a snapshot gives the same frameworks" diff \
	<(VIRTUAL_ENV=$WORK/uv "$ROCSTEADY" query "SELECT name, version, build FROM framework ORDER BY 1, 2") \
	<("$ROCSTEADY" query --from "$WORK/host.snap" "SELECT name, version, build FROM framework ORDER BY 1, 2")
finish
