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
