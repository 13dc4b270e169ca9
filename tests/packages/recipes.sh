#!/usr/bin/env bash
# What is in packaging/ for distributions, read by the tools of their ecosystems; packaging/README.md says what is not built.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
has() { command -v "$1" >/dev/null || { skip "$1 is not installed" && false; }; }
chmod 755 "$WORK"

# A package from a tarball of this tree, made as nobody; installed in a root of its own, asked, verified and removed.
arch_package() {
	local version package
	version=$(sed -n "s/^  version: '\(.*\)',$/\1/p" "$SOURCE/meson.build")
	tar -C "$SOURCE" --exclude=./.git --exclude='./build*' --transform="s,^\.,rocsteady-$version," -czf "rocsteady-$version.tar.gz" .
	sed "s/^pkgver=.*/pkgver=$version/; s/^sha256sums=.*/sha256sums=($(sha256sum "rocsteady-$version.tar.gz" | cut -d' ' -f1))/" \
		"$SOURCE/packaging/arch/PKGBUILD" >PKGBUILD
	try 0 "Finished making: rocsteady $version-1" as_nobody makepkg --nodeps --nocolor
	package=rocsteady-$version-1-x86_64.pkg.tar.gz
	try 0 "usr/lib/rocsteady/rocsteady-probe" pacman --query --list --file "$package"
	mkdir -p root/var/lib/pacman
	in_root() { pacman --root "$PWD/root" --cachedir "$PWD/cache" --logfile "$PWD/log" --hookdir "$PWD/hooks" --gpgdir "$PWD/keys" --noconfirm "$@"; }
	try 0 "installing rocsteady" in_root --upgrade --nodeps --nodeps "$package"
	try 0 " 0 altered files" in_root --query --check --check rocsteady
	try 2 "framework-lacks-arch" root/usr/bin/rocsteady explain --no-machine - <<<"$TRACEBACK"
	as_nobody root/usr/bin/rocsteady probe --layer nodes 2>&1 | grep "not beside this program" && bad "it does not find its prober" || good
	try 0 "removing rocsteady" in_root --remove --nodeps --nodeps rocsteady
	[ ! -e root/usr ] && good || bad "removing it leaves files"
	# A tarball of other bytes than the recipe has the sum of.
	echo >>"rocsteady-$version.tar.gz"
	try 1 "One or more files did not pass the validity check" as_nobody makepkg --nodeps --nocolor --force
}

if has rpmspec; then
	try 0 "rocsteady-" rpmspec --query --queryformat '%{name}-%{version}' "$SOURCE/packaging/rpm/rocsteady.spec"
	sed 's/^Version:/Vresion:/' "$SOURCE/packaging/rpm/rocsteady.spec" >"$WORK/wrong.spec"
	try 1 "" rpmspec --query "$WORK/wrong.spec"
fi
if has makepkg && has pacman; then
	mkdir "$WORK/arch" && cp "$SOURCE/packaging/arch/PKGBUILD" "$WORK/arch/" && chown -R 65534 "$WORK/arch" && cd "$WORK/arch" || exit 1
	as_nobody() { setpriv --reuid=65534 --regid=65534 --clear-groups env -u CCACHE_DIR HOME="$WORK/arch" "$@"; }
	try 0 "depends = libarchive" as_nobody makepkg --printsrcinfo
	sed -i 's/^pkgver=/pkgver=0-/' PKGBUILD
	try 12 "pkgver" as_nobody makepkg --printsrcinfo
	if has bsdtar; then arch_package; fi
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
