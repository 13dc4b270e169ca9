#!/usr/bin/env bash
# What is in packaging/ for distributions, read by the tools of their ecosystems; packaging/README.md says what is not built.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
has() { command -v "$1" >/dev/null || { skip "$1 is not installed" && false; }; }
chmod 755 "$WORK"

if has rpmspec; then
	try 0 "rocsteady-" rpmspec --query --queryformat '%{name}-%{version}' "$SOURCE/packaging/rpm/rocsteady.spec"
	sed 's/^Version:/Vresion:/' "$SOURCE/packaging/rpm/rocsteady.spec" >"$WORK/wrong.spec"
	try 1 "" rpmspec --query "$WORK/wrong.spec"
fi
if has makepkg && has pacman; then
	mkdir "$WORK/arch" && cp "$SOURCE/packaging/arch/PKGBUILD" "$WORK/arch/" && chown -R 65534 "$WORK/arch" && cd "$WORK/arch" || exit 1
	as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env HOME="$WORK/arch" "$@"; }
	try 0 "depends = libarchive" as_nobody makepkg --printsrcinfo
	sed -i 's/^pkgver=/pkgver=0-/' PKGBUILD
	try 12 "pkgver" as_nobody makepkg --printsrcinfo
	cd "$SOURCE" || exit 1
fi
if has sos; then
	mkdir "$WORK/sos" && cp -r "$(/usr/bin/python3 -c 'import sos, os; print(os.path.dirname(sos.__file__))')" "$WORK/sos/" &&
		cp "$SOURCE/packaging/sos/rocm.py" "$WORK/sos/sos/report/plugins/"
	# sos has a PATH of its own; the program is put before it.
	try 0 "Finished running plugins" env PYTHONPATH="$WORK/sos" /usr/bin/python3 -c 'import sys
from sos import SoS
from sos.policies.debian import DebianPolicy
DebianPolicy.PATH = sys.argv[1] + ":" + DebianPolicy.PATH
SoS(["report", "--batch", "-o", "rocm", "--tmp-dir", sys.argv[2], "--build"]).execute()' "$PACKAGES" "$WORK/sos"
	try 0 "rocsteady-snapshot 1" cat "$WORK"/sos/sosreport-*/sos_commands/rocm/rocsteady.snap
fi
if python3 -m venv "$WORK/v" && "$WORK/v/bin/pip" install --quiet --disable-pip-version-check py-rattler-build; then
	try 0 "rocsteady" "$WORK/v/bin/python" -c 'import sys, rattler_build as r
compilers = {"c_stdlib": ["sysroot"], "c_stdlib_version": ["2.17"], "c_compiler": ["gcc"], "c_compiler_version": ["14"]}
recipe = r.Stage0Recipe.from_yaml(open(sys.argv[1]).read())
print(*[v.recipe for v in recipe.render(r.VariantConfig(compilers), r.RenderConfig(platform=r.PlatformConfig(target_platform="linux-64")))])' \
		"$SOURCE/packaging/conda/recipe.yaml"
else
	skip "no py-rattler-build from pip"
fi
finish
