#!/usr/bin/env bash
# The OCI image: the same digest twice, nobody's rights, nothing in it but the program, and it answers.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
if ! command -v buildah >/dev/null; then
	skip "the image: buildah is not installed"
	finish
fi
export SOURCE_DATE_EPOCH=1700000000
first=$("$SOURCE/packaging/oci/build" "$PACKAGES" "$WORK/one") && sleep 1.1 && second=$("$SOURCE/packaging/oci/build" "$PACKAGES" "$WORK/two")
echo "digests: $first $second"
[[ $first == sha256:* ]] && [ "$first" = "$second" ] && good || bad "not the same digest twice"
mkdir "$WORK/image" "$WORK/root" && tar -xf "$WORK/one.tar" -C "$WORK/image"
blob() { echo "$WORK/image/blobs/sha256/${1#sha256:}"; }
manifest=$(blob "$(jq -r '.manifests[0].digest' "$WORK/image/index.json")")
config=$(blob "$(jq -r .config.digest "$manifest")")
jq .config "$config"
echo "size: $(stat -c %s "$WORK/one.tar")"
jq -e '.config | .User == "65534:65534" and .Entrypoint == ["/rocsteady"]' "$config" >/dev/null && good || bad "not as nobody, or another entry"
for layer in $(jq -r '.layers[].digest' "$manifest"); do tar -xzf "$(blob "$layer")" -C "$WORK/root"; done
files=$(cd "$WORK/root" && find . -type f | sort | tr '\n' ' ')
[ "$files" = "./rocsteady ./usr/share/doc/rocsteady/LICENSE ./usr/share/doc/rocsteady/rocsteady.spdx.json " ] && good || bad "other files: $files"
mkdir "$WORK/root/tmp" && cp "$SOURCE/tests/machines/$ILL" "$WORK/root/tmp/ill.snap"
chmod -R a+rX "$WORK"
as_nobody() { chroot --userspec=65534:65534 "$WORK/root" /"$@"; }
true_answers as_nobody
finish
