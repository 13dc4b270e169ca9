#!/usr/bin/env bash
# The Debian package: built by dpkg-buildpackage on this host (bookworm), lintian
# clean, installed by apt with what it depends on in clean roots of three suites.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT

build() {
	local tree=$WORK/build/rocsteady
	mkdir -p "$tree"
	tar -C "$SOURCE" --exclude=./.git --exclude='./build*' -cf - . | tar -xf - -C "$tree"
	echo '$ dpkg-buildpackage -Pnocheck,pkg.rocsteady.one --unsigned-source --unsigned-changes --build=binary'
	(cd "$tree" && PATH=/usr/lib/ccache:$PATH DEB_BUILD_OPTIONS=nocheck dpkg-buildpackage -d -Pnocheck,pkg.rocsteady.one --unsigned-source --unsigned-changes --build=binary) >"$WORK/build.log" 2>&1 ||
		{ tail -n 30 "$WORK/build.log"; return 1; }
	deb=$(ls "$WORK"/build/rocsteady_*_amd64.deb)
	echo "size: $(stat -c %s "$deb") $(basename "$deb")"
}

# What is known of today's lintian stands in debian/rocsteady.lintian-overrides with its reason.
clean() {
	local said
	echo '$ lintian --fail-on error,warning'
	said=$(lintian --allow-root --fail-on error,warning "$WORK"/build/*.changes 2>&1) && good || bad "lintian: $said"
}

# completes ROOT: each shell finds its script by itself, as after a login.
completes() {
	try 0 "rocsteady" chroot "$1" bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader rocsteady; complete -p rocsteady'
	try 0 "_rocsteady" chroot "$1" zsh -fc 'autoload -U compinit && compinit -D && print -- $_comps[rocsteady]'
	try 0 "check" chroot "$1" env HOME=/tmp fish -c 'fish -n /usr/share/fish/vendor_completions.d/rocsteady.fish && complete -C "rocsteady che"'
}

# The root has the lists with which it was made; apt fetches what is missing.
install_in() {
	local root=$WORK/$1
	if ! root_of "$@"; then
		skip "no root of $1 to be had"
		return
	fi
	cp "$deb" "$root/tmp/rocsteady.deb"
	cp /etc/resolv.conf /etc/hosts "$root/etc/"
	mkdir -p "$root/etc/apt/apt.conf.d" && apt-config dump | grep -i 'proxy' >"$root/etc/apt/apt.conf.d/00host" || true
	if [ "$1" != sid ]; then # nothing out of date is taken for the others
		! grep -rqi 'check-valid-until' "$root/etc/apt" && good || bad "$1: the date of its Release is not checked"
	fi
	chroot "$root" sh -c 'apt-get -qq update && apt-get -qq -y --no-install-recommends install $(dpkg -I /tmp/rocsteady.deb | sed -n "s/^ Depends: //p" | sed "s/ *([^)]*)//g; s/,//g")' >"$WORK/depends.log" 2>&1
	tree "$root" >"$WORK/before"
	try 0 "Setting up rocsteady" chroot "$root" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get -y --no-install-recommends -o DPkg::Options::="--path-include=/usr/share/doc/rocsteady/*" install /tmp/rocsteady.deb 2>&1 | tail -n 5'
	try 0 '"static": false' chroot "$root" rocsteady --version --json
	true_answers chroot "$root"
	try 64 "one question, please" chroot "$root" /usr/libexec/rocsteady-probe
	cp "$SOURCE/debian/tests/documents" "$root/tmp/" && try 0 "documents: whole" chroot "$root" sh /tmp/documents
	[ $# = 1 ] || completes "$root"
	passes /usr/bin chroot "$root"
	rm -rf "$root/run/rocsteady"
	try 0 "rocsteady-gate.timer" chroot "$root" dpkg -L rocsteady
	[ -z "$(find "$root/etc/systemd" -name 'rocsteady*' 2>/dev/null)" ] && good || bad "a unit is enabled by the package"
	try 0 "Removing rocsteady" chroot "$root" apt-get -y purge rocsteady
	tree "$root" >"$WORK/after"
	diff "$WORK/before" "$WORK/after" && good || bad "purge does not leave the tree as it was"
	rm -rf "$root"
}

if build; then
	good
	clean
	install_in bookworm bash-completion fish zsh
	install_in trixie
	install_in sid
else
	bad "the package does not build"
fi
finish
