#!/usr/bin/env bash
# The list of linked parts: it is SPDX 2.3, names every library that is in the
# program, and a part without a licence line, or with one not allowed, is refused.
. "$(dirname "$0")/lib.sh"
trap 'rm -rf "$WORK"' EXIT
sbom=$PACKAGES/rocsteady.spdx.json
jq -r '.packages[] | "\(.name) \(.versionInfo) \(.licenseConcluded)"' "$sbom"
holds() {
	echo "$ jq '$1'"
	jq -e "$1" "$sbom" >/dev/null && good || bad "not so: $1"
}
holds '.spdxVersion == "SPDX-2.3" and .dataLicense == "CC0-1.0"'
holds '[.packages[].name] | contains(["sqlite3", "pcre2", "zlib", "libzstd", "libarchive", "libsodium", "glibc"])'
holds 'all(.packages[]; .versionInfo != "" and .licenseConcluded != "NOASSERTION")'
holds '([.packages[].SPDXID] | length) == ([.packages[].SPDXID] | unique | length)'
holds '([.relationships[] | select(.relationshipType == "STATIC_LINK")] | length) + 1 == (.packages | length)'
[ "$(jq -r '.packages[0].checksums[0].checksumValue' "$sbom")" = "$(sha256sum <"$PACKAGES/rocsteady" | cut -d' ' -f1)" ] &&
	good || bad "the digest is not that of the program"

# Planted: without its line, and with a licence that is not on the list.
refuses() {
	mkdir -p "$WORK/tool" && cp "$SOURCE/tools/package/sbom" "$WORK/tool/"
	sed "$1" "$SOURCE/tools/package/licences.tsv" >"$WORK/tool/licences.tsv"
	try 1 "$2" "$WORK/tool/sbom" --map "$PACKAGES/build/rocsteady.map" --version 0 "$PACKAGES/rocsteady"
}
refuses '/^pcre2/d' "is of pcre2, which has no line"
refuses 's/^pcre2\tBSD-3-Clause/pcre2\tAGPL-3.0-only/' "pcre2 is under AGPL-3.0-only, which is not on the list"
finish
