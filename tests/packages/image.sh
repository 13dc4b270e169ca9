#!/usr/bin/env bash
# The OCI images: the same digest and archive twice, nobody's rights, nothing in the small one but the program, and they answer.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
if ! command -v buildah >/dev/null; then
	skip "the image: buildah is not installed"
	finish
fi
export SOURCE_DATE_EPOCH=1700000000
blob() { echo "$WORK/image/blobs/sha256/${1#sha256:}"; }
as_nobody() { chroot --userspec=65534:65534 "$WORK/root" /"$@"; }

# image OPTION...: built twice, unpacked in $WORK/root, and asked as nobody.
image() {
	local first second manifest config layer
	first=$("$SOURCE/packaging/oci/build" "$@" "$PACKAGES" "$WORK/one") && sleep 1.1 &&
		second=$(umask 077 && "$SOURCE/packaging/oci/build" "$@" "$PACKAGES" "$WORK/two")
	echo "digests: $first $second"
	[[ $first == sha256:* ]] && [ "$first" = "$second" ] && good || bad "not the same digest twice"
	cmp "$WORK/one.tar" "$WORK/two.tar" && good || bad "not the same archive twice"
	rm -rf "$WORK/image" "$WORK/root"
	mkdir "$WORK/image" "$WORK/root" && tar -xf "$WORK/one.tar" -C "$WORK/image"
	manifest=$(blob "$(jq -r '.manifests[0].digest' "$WORK/image/index.json")")
	config=$(blob "$(jq -r .config.digest "$manifest")")
	jq .config "$config"
	echo "size: $(stat -c %s "$WORK/one.tar")"
	jq -e '.config | .User == "65534:65534" and .Entrypoint == ["/rocsteady"]' "$config" >/dev/null && good || bad "not as nobody, or another entry"
	for layer in $(jq -r '.layers[].digest' "$manifest"); do tar -xzf "$(blob "$layer")" -C "$WORK/root"; done
	mkdir -p "$WORK/root/tmp" && cp "$SOURCE/tests/machines/$ILL" "$WORK/root/tmp/ill.snap"
	chmod -R a+rX "$WORK"
	true_answers as_nobody
}

image
files=$(cd "$WORK/root" && find . -type f | sort | tr '\n' ' ')
[ "$files" = "./rocsteady ./tmp/ill.snap ./usr/share/doc/rocsteady/LICENSE ./usr/share/doc/rocsteady/rocsteady.spdx.json " ] && good || bad "other files: $files"

if [ ! -e "$PACKAGES/rocsteady-probe" ]; then
	skip "the image with the prober: no prober was built"
	finish
fi
image --probe
try 0 "libc6_" cat "$WORK/root/usr/share/doc/rocsteady/debian-packages"
try 64 "one question, please" as_nobody rocsteady-probe
finish
