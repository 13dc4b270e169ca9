# Libraries for another system than this one, static, from Debian's sources: read by
# windows-libraries and wasm-libraries, which say what is made with which compiler.
#
# Wanted: $dir, where all of it is kept; compile (an array: compiler and flags) and
# archiver (one, too).
# shellcheck shell=bash disable=SC2154
made=$dir/made
objects=$dir/objects

# fetch PACKAGE... As tools/samples/fetch does: lists of its own, from the archive of this machine's apt.
fetch() {
	local code address
	code=$(. /etc/os-release && echo "$VERSION_CODENAME")
	address=$("$here/../debian-archive")
	mkdir -p "$dir"/apt/lists/partial "$dir"/apt/cache/archives/partial
	echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $address $code main" >"$dir/apt/sources.list"
	local options=(-qq -o Dir::Etc::sourcelist="$dir/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
		-o Dir::State::lists="$dir/apt/lists" -o Dir::Cache="$dir/apt/cache" -o APT::Sandbox::User=root
		-o Acquire::Retries=3 -o Acquire::Languages=none)
	apt-get "${options[@]}" update
	rm -rf "$dir/sources.part" && mkdir "$dir/sources.part" # renamed when it is whole
	(cd "$dir/sources.part" && apt-get "${options[@]}" source "$@")
	mv "$dir/sources.part" "$dir/sources"
}

# library NAME FLAG... -- FILE...
library() {
	local name=$1 flags=() file
	shift
	while [ "$1" != -- ]; do
		flags+=("$1")
		shift
	done
	shift
	mkdir -p "$objects/$name"
	printf '%s\0' "$@" | xargs -0 -P "$(nproc)" -I{} sh -c 'f=$1; shift; exec "$@" -c "$f" -o "$0/$(basename "$f").o"' \
		"$objects/$name" {} "${compile[@]}" -O2 -ffile-prefix-map="$dir/=" "${flags[@]}"
	rm -f "$made/lib/lib$name.a"
	"${archiver[@]}" rcsD "$made/lib/lib$name.a" "$objects/$name"/*.o
}

# pc NAME LIBRARY VERSION FLAG...
pc() {
	local name=$1 library=$2 version=$3
	shift 3
	printf 'Name: %s\nDescription: %s\nVersion: %s\nCflags: -I%s/include %s\nLibs: -L%s/lib -l%s\n' \
		"$name" "$name" "$version" "$made" "$*" "$made" "$library" >"$made/pc/$name.pc"
}

# make_sqlite FLAG...
make_sqlite() {
	cd "$dir"/sources/sqlite3-*/
	[ -e sqlite3.c ] || { ./configure --disable-tcl --disable-readline >&2 && make sqlite3.c >&2; }
	cp sqlite3.h "$made/include/"
	library sqlite3 -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_ENABLE_MATH_FUNCTIONS "$@" -- "$PWD/sqlite3.c"
	pc sqlite3 sqlite3 "$(cat VERSION)"
}

# make_pcre2 FLAG...
make_pcre2() {
	local skip='dftables|fuzzsupport|jit_match|jit_misc|jit_test|jit_neon|jit_simd|printint|pcre2demo|pcre2grep|pcre2posix|pcre2test|ucptables'
	cd "$dir"/sources/pcre2-*/src
	cp pcre2.h.generic pcre2.h && cp config.h.generic config.h && cp pcre2_chartables.c.dist pcre2_chartables.c
	cp pcre2.h "$made/include/"
	library pcre2-8 -DHAVE_CONFIG_H -DPCRE2_CODE_UNIT_WIDTH=8 -DPCRE2_STATIC -DSUPPORT_UNICODE "$@" -I. -- \
		$(ls "$PWD"/pcre2_*.c | grep -Ev "$skip")
	pc libpcre2-8 pcre2-8 10.42 -DPCRE2_STATIC
}

make_yaml() {
	cd "$dir"/sources/libyaml-*/
	cp include/yaml.h "$made/include/"
	library yaml -DYAML_DECLARE_STATIC -DYAML_VERSION_MAJOR=0 -DYAML_VERSION_MINOR=2 -DYAML_VERSION_PATCH=5 \
		'-DYAML_VERSION_STRING="0.2.5"' -Iinclude -- "$PWD"/src/*.c
	pc yaml-0.1 yaml 0.2.5 -DYAML_DECLARE_STATIC
}

# The reading half.
make_zstd() {
	cd "$dir"/sources/libzstd-*/lib
	cp zstd.h zstd_errors.h "$made/include/"
	library zstd -DZSTD_DISABLE_ASM -- "$PWD"/common/*.c "$PWD"/decompress/*.c
	pc libzstd zstd 1.5.4
}

# make_all SOURCE-PACKAGES COMMAND...: once; two runs may share the samples. Prints the Meson
# cross file that `cross` writes; builds are made again when it changes.
make_all() {
	local packages=$1 command
	shift
	mkdir -p "$made"/{include,lib,pc}
	exec 9>"$dir/lock" && flock 9
	if [ ! -e "$made/done" ]; then
		# shellcheck disable=SC2086 # words
		[ -d "$dir/sources" ] || fetch $packages >&2
		for command in "$@"; do
			# shellcheck disable=SC2086 # words
			(set -e; $command)
		done
		touch "$made/done"
	fi
	cross | cmp -s - "$made/cross.txt" || cross >"$made/cross.txt"
	echo "$made/cross.txt"
}
