# Sourced: eight GPUs as a tree, enough of each to be found and read.
make_gpus() { # make_gpus TREE
	local tree=$1 i address dir
	mkdir -p "$tree/sys/bus/pci/devices" "$tree/sys/class/drm" "$tree/proc"
	for i in 0 1 2 3 4 5 6 7; do
		address=0000:0$i:00.0
		dir=$tree/sys/devices/pci0000:00/$address
		mkdir -p "$dir/drm/renderD$((128 + i))"
		echo 0x120000 >"$dir/class"
		echo 0x1002 >"$dir/vendor"
		echo 0x74a1 >"$dir/device"
		echo 206158430208 >"$dir/mem_info_vram_total"
		echo 283000000 >"$dir/mem_info_vram_used"
		ln -s "../../../devices/pci0000:00/$address" "$tree/sys/bus/pci/devices/$address"
	done
}

# One of the eight never answers: whoever asks it sleeps in the kernel. What was
# asked of it is in $WORK/asked, its process is $DEAF.
make_deaf_gpu() { # make_deaf_gpu TREE
	[ "$(id -u)" = 0 ] || skip "mounting the deaf file system needs root"
	cc -O1 -o "$WORK/deaf-fs" "$SOURCE/tests/live/deaf-fs.c" || skip "no compiler"
	make_gpus "$1"
	SILENT=$1/sys/devices/pci0000:00/0000:03:00.0
	"$WORK/deaf-fs" "$SILENT" >"$WORK/asked" 2>&1 &
	DEAF=$!
	trap 'kill $DEAF 2>/dev/null; umount -l "$SILENT" 2>/dev/null; rm -rf "$WORK"' EXIT
	for _ in $(seq 50); do grep -q mounted "$WORK/asked" && break; sleep 0.1; done
	grep -q mounted "$WORK/asked" || skip "no FUSE here: $(cat "$WORK/asked")"
}
