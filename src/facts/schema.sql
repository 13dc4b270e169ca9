-- What rocsteady knows about one machine: the one source of names, types,
-- units and sentences. Tables are filled by collectors; the views at the end
-- are the public language of rules, `query`, JSON and the documents.
-- docs/schema.md is made from this file.
--
-- Of a table: the sentence behind its opening bracket says what a row is.
-- Which facts may be other ones a minute later is in data/passing-facts.txt.
-- Of a column: its sentence, with the unit in the name where there is one.
-- Ids of 64 bits are hexadecimal text, never integers. NULL is not known, and
-- then a row of `gap` says why; it is never zero and never "fine".

CREATE TABLE run ( -- This examination: one row.
	program TEXT NOT NULL, -- version of rocsteady
	root TEXT NOT NULL, -- what was examined: live, mounted, tree or snapshot
	wall_s INTEGER, -- when the machine was asked, seconds since 1970; "now" for every rule
	wall TEXT, -- the same as text, UTC
	uptime_s INTEGER, -- seconds since boot
	boot_id TEXT, -- the kernel's id of this boot, pseudonymous in a scrubbed snapshot
	hostname TEXT, -- name of the host, pseudonymous in a scrubbed snapshot
	scrubbed TEXT, -- what was replaced by pseudonyms; NULL if nothing was
	kb_digest TEXT, -- digest of the knowledge used
	job_wall_s INTEGER -- when the job began that is being watched; NULL: none is
);

CREATE TABLE gap ( -- Something that was asked for and not learned, or never asked.
	topic TEXT NOT NULL, -- a table, or table.column
	subject TEXT NOT NULL, -- the row it would have been in (a PCI address, a path), or empty for all
	standing TEXT NOT NULL, -- absent, denied, broken, stuck, busy or unasked
	detail TEXT, -- the error or the reason
	source TEXT -- path or question that gave no answer
);

CREATE TABLE host ( -- The machine: one row.
	kernel TEXT, -- release of the running Linux; NULL and no gap: the system is Windows
	architecture TEXT, -- as uname -m has it
	distribution TEXT, -- ID of os-release; windows
	distribution_version TEXT, -- VERSION_ID of os-release; of Windows its version: 10.0.26100.4652
	distribution_name TEXT, -- PRETTY_NAME of os-release
	cpu TEXT, -- model name of the first processor
	cpu_vendor TEXT, -- vendor id of the first processor
	cpus INTEGER, -- processors online
	numa_nodes INTEGER, -- memory nodes online
	numa_balancing INTEGER, -- automatic page migration, 0 is off
	hypervisor INTEGER, -- 1 if the processor says that it is virtual
	vendor TEXT, -- system vendor, from DMI
	product TEXT, -- system product, from DMI
	board TEXT, -- board, from DMI
	bios_version TEXT, -- firmware version, from DMI
	bios_date TEXT, -- firmware date, from DMI
	memory_total_bytes INTEGER, -- RAM the kernel manages
	memory_available_bytes INTEGER, -- RAM that can be had without swapping
	swap_total_bytes INTEGER, -- swap space; of Windows what its page files add to the commit limit
	swap_free_bytes INTEGER, -- swap space not in use
	pci_functions INTEGER, -- functions on the PCI bus, of any kind
	iommu_units INTEGER, -- IOMMUs in use, 0 if off or absent
	source TEXT NOT NULL, -- where the row was read
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE kernel_arg ( -- A word of the kernel's command line.
	position INTEGER NOT NULL, -- 0 is the first
	name TEXT NOT NULL, -- up to the equals sign
	value TEXT, -- behind it; NULL without one
	source TEXT NOT NULL, -- file
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE driver ( -- A kernel driver that matters here: amdgpu, and its memory manager ttm; on Windows the display driver.
	name TEXT NOT NULL, -- module name; on Windows the service of the display driver: amdwddmg
	loaded INTEGER NOT NULL, -- 1 if it is in the kernel now
	builtin INTEGER, -- 1 if it is part of the kernel image
	state TEXT, -- initstate: live, coming, going
	version TEXT, -- module version; the distribution's own amdgpu has none
	srcversion TEXT, -- checksum of its source
	packaging TEXT, -- dkms, in-tree; on Windows the edition: Adrenalin
	dkms_version TEXT, -- of the module that DKMS has installed for the running kernel, without its build number (amdgpu only)
	dkms_sources TEXT, -- versions that DKMS has sources of, blank-separated (amdgpu only)
	kfd_major INTEGER, -- KFD interface version, from the ioctl (amdgpu only)
	kfd_minor INTEGER, -- KFD interface version, minor
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE module_parameter ( -- A parameter in force of amdgpu, ttm or amdttm.
	module TEXT NOT NULL, -- module name
	name TEXT NOT NULL, -- parameter name
	value TEXT NOT NULL, -- as the kernel prints it
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE module_rule ( -- A line of modprobe.d or of the command line about a GPU driver.
	kind TEXT NOT NULL, -- blacklist, install, options, softdep
	module TEXT NOT NULL, -- module name
	value TEXT, -- the command, the options or the dependencies
	source TEXT NOT NULL, -- file:line
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE gpu ( -- A display or accelerator function on the PCI bus, of AMD.
	address TEXT NOT NULL, -- PCI address, the subject of findings
	vendor_id TEXT NOT NULL, -- four hexadecimal digits
	device_id TEXT, -- four hexadecimal digits
	subsystem_vendor_id TEXT, -- four hexadecimal digits
	subsystem_device_id TEXT, -- four hexadecimal digits
	revision TEXT, -- two hexadecimal digits
	class TEXT, -- PCI class, six hexadecimal digits
	product TEXT, -- name of the product, from the card or the table of ids
	driver TEXT, -- kernel driver bound to it; NULL and no gap: none
	gfx TEXT, -- instruction set, as KFD says (gfx1100); the true one, without overrides. On Windows what the product is sold as
	integrated INTEGER, -- 1 if it is part of a processor
	virtual_function INTEGER, -- 1 if it is an SR-IOV virtual function, here or in a guest
	numa_node INTEGER, -- memory node it hangs on; -1: the firmware does not say
	card TEXT, -- DRM card node, card0
	render TEXT, -- DRM render node, renderD128
	vram_total_bytes INTEGER, -- dedicated memory; on an APU the carve-out
	vram_used_bytes INTEGER, -- in use by anyone
	visible_vram_total_bytes INTEGER, -- the part the host can reach
	visible_vram_used_bytes INTEGER, -- in use of that part
	gtt_total_bytes INTEGER, -- host memory the GPU may map; NULL and no gap: Windows has no such limit
	gtt_used_bytes INTEGER, -- in use of that
	vram_vendor TEXT, -- maker of the memory chips
	bar0_bytes INTEGER, -- size of the memory window; with resizable BAR as large as the VRAM
	vbios TEXT, -- firmware version of the board
	unique_id TEXT, -- id of the chip, 16 hexadecimal digits
	serial TEXT, -- serial number of the board
	product_number TEXT, -- part number of the board
	power_state TEXT, -- runtime power state: active, suspended, unsupported
	power_control TEXT, -- on: never suspended by itself; auto
	display_attached INTEGER, -- 1 if a monitor is connected
	boot_vga INTEGER, -- 1 if the firmware's console was on it
	compute_partition TEXT, -- SPX, DPX, TPX, QPX, CPX
	memory_partition TEXT, -- NPS1, NPS2, NPS4, NPS8
	hive_id TEXT, -- id of its xGMI hive, 16 hexadecimal digits; NULL without one
	iommu_group INTEGER, -- IOMMU group; NULL and no gap: no IOMMU translates for it
	iommu_type TEXT, -- identity (iommu=pt), DMA, DMA-FQ
	busy_percent INTEGER, -- share of time with work
	pcie_replays INTEGER, -- transfers repeated on its link since boot
	bad_pages_retired INTEGER, -- VRAM pages out of use
	bad_pages_pending INTEGER, -- VRAM pages to be taken out of use at the next reset
	bad_pages_failed INTEGER, -- VRAM pages that could not be taken out of use
	source TEXT NOT NULL, -- directory in sysfs
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE other_gpu ( -- A display or accelerator function of another maker: programs may be meant for that one.
	address TEXT NOT NULL, -- PCI address
	vendor_id TEXT NOT NULL, -- four hexadecimal digits: 10de is NVIDIA, 8086 Intel, 1a03 a console of servers
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE agent ( -- A GPU as the compute driver (KFD) offers it: one per partition. On Windows one that the display driver drives.
	node INTEGER NOT NULL, -- KFD node number, as HSA_OVERRIDE_GFX_VERSION_<node> counts; on Windows ours, cards first: how HIP counts there is not known
	gpu_id INTEGER, -- KFD's number, in the names of per-process files
	address TEXT, -- PCI address of its function
	partition INTEGER, -- 0, 1, ... of those on the same function
	gfx TEXT, -- instruction set (gfx942); NULL where an old kernel does not say
	simds INTEGER, -- SIMD units
	compute_units INTEGER, -- SIMD units by those of one compute unit
	wave_size INTEGER, -- threads of a wave
	max_waves_per_simd INTEGER, -- waves that fit a SIMD unit
	lds_kib INTEGER, -- local data share of a work group
	xccs INTEGER, -- compute dies
	max_clock_mhz INTEGER, -- highest engine clock
	mec_firmware INTEGER, -- version of the compute microcode (MEC)
	sdma_firmware INTEGER, -- version of the copy-engine microcode
	capability TEXT, -- capability bits, hexadecimal
	sramecc INTEGER, -- 1 if SRAM ECC is on: sramecc+ in a target id
	memory_ecc INTEGER, -- 1 if the driver handles ECC errors of its memory
	svm INTEGER, -- 1 if shared virtual memory is offered
	queue_reset INTEGER, -- 1 if single queues can be reset
	memory_bytes INTEGER, -- size of its memory banks; on an APU what it may map
	memory_visible INTEGER, -- 1 if the host can reach all of it (large BAR)
	hive_id TEXT, -- xGMI hive, 16 hexadecimal digits; NULL without one
	unique_id TEXT, -- id of the chip, 16 hexadecimal digits
	device_id TEXT, -- PCI device id, four hexadecimal digits
	render_minor INTEGER, -- minor number of its render node
	name TEXT, -- KFD's name
	source TEXT NOT NULL, -- directory in sysfs
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE firmware ( -- A firmware of a GPU.
	address TEXT NOT NULL, -- PCI address
	name TEXT NOT NULL, -- mec, mes, sdma, smc, ...
	version TEXT NOT NULL, -- hexadecimal, as the driver prints it
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE ras ( -- Error counts of a block of a GPU since boot.
	address TEXT NOT NULL, -- PCI address
	block TEXT NOT NULL, -- umc (memory), sdma, gfx, xgmi_wafl, ...
	correctable INTEGER, -- errors corrected
	uncorrectable INTEGER, -- errors not corrected
	deferred INTEGER, -- errors not corrected and not consumed yet; NULL: this block does not count them, only umc of newer kernels does
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE sensor ( -- A temperature or power reading of a GPU.
	address TEXT NOT NULL, -- PCI address
	name TEXT NOT NULL, -- edge, junction, mem, power, power_cap, power_cap_default
	value REAL NOT NULL, -- degrees Celsius or watts
	unit TEXT NOT NULL, -- C or W
	critical REAL, -- where the driver begins to throttle or shuts down
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE pcie ( -- A PCI function on the way from the processor to a GPU, the GPU included.
	gpu TEXT NOT NULL, -- PCI address of the GPU at the end
	hop INTEGER NOT NULL, -- 0 is the GPU, 1 the bridge above it, ...
	address TEXT NOT NULL, -- PCI address of this function
	vendor_id TEXT, -- four hexadecimal digits; 1002 above the GPU: a switch on its own card
	device_id TEXT, -- four hexadecimal digits
	slot INTEGER, -- 1 if its link leaves the card: what the slot gives. Below it the links are the card's own
	port INTEGER, -- 0, 1 an endpoint, 4 a root port, 5 and 6 the upper and lower ports of a switch, 9 part of the root
	speed_gts REAL, -- transfers a second and lane now, in 10^9
	width INTEGER, -- lanes now
	max_speed_gts REAL, -- what this function could do
	max_width INTEGER, -- lanes it could use
	atomics_route INTEGER, -- 1 if it passes atomics on (a bridge): it routes them and does not block them
	atomics_32 INTEGER, -- 1 if it completes 32-bit atomics
	atomics_64 INTEGER, -- 1 if it completes 64-bit atomics
	atomics_request INTEGER, -- 1 if it may send atomics (an endpoint)
	acs INTEGER, -- access control bits in force; redirects peer traffic to the processor if 4 or 8 is set
	source TEXT NOT NULL, -- directory in sysfs
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE nic ( -- A network interface of a PCI function; bridges, bonds and container ends are left out.
	address TEXT NOT NULL, -- PCI address of its function
	name TEXT NOT NULL, -- enp65s0np0
	up INTEGER, -- 1 if somebody wants it to work (ip link set up), 0 if it was taken down
	operstate TEXT, -- up, down, unknown, ...
	carrier INTEGER, -- 1 if it has a link; NULL and no gap: it is not up
	link_ups INTEGER, -- how often its link came since boot
	link_downs INTEGER, -- how often its link went since boot
	speed_mbps INTEGER, -- speed of the link, 10^6 bits a second; NULL and no gap: it has no link
	source TEXT NOT NULL, -- directory in sysfs
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE rdma_port ( -- A port of a network card that offers RDMA, InfiniBand or Ethernet.
	address TEXT NOT NULL, -- PCI address of its function
	device TEXT NOT NULL, -- mlx5_0, ionic_0, bnxt_re0
	port INTEGER NOT NULL, -- 1, 2, ...
	virtual_function INTEGER NOT NULL, -- 1 if it is an SR-IOV virtual function; of those only the state is asked
	link_layer TEXT, -- InfiniBand, Ethernet
	state TEXT, -- ACTIVE: jobs can use it; INIT, ARMED: its subnet manager has yet to set it up; DOWN
	phys_state TEXT, -- LinkUp, Polling, Disabled, ...; an Ethernet port without a link says Disabled too
	rate_gbps REAL, -- 10^9 bits a second, of all lanes; without a link it means nothing
	lanes INTEGER, -- lanes in use
	link_downed INTEGER, -- how often its link failed, since the counters were reset; not all cards count
	vendor_id TEXT, -- four hexadecimal digits
	device_id TEXT, -- four hexadecimal digits
	subsystem_device_id TEXT, -- four hexadecimal digits: which board it is
	source TEXT NOT NULL, -- directory in sysfs
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE pcie_error ( -- A kind of error that a GPU, an RDMA card or the port above one has reported since boot (AER).
	device TEXT NOT NULL, -- PCI address of the GPU or the card
	address TEXT NOT NULL, -- PCI address of the function that reported it: the device or the port above
	severity TEXT NOT NULL, -- fatal, nonfatal, correctable
	name TEXT NOT NULL, -- DLP, CmpltTO, UnsupReq, RxErr, ...
	count INTEGER NOT NULL, -- how often, at least 1
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE pcie_path ( -- The way from the processor to a GPU or an RDMA card.
	device TEXT NOT NULL, -- PCI address of the GPU or the card
	path TEXT NOT NULL, -- its directory behind all links, which names every port on the way: /sys/devices/pci0000:00/0000:00:01.1/0000:01:00.0
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE memory_controller ( -- A memory controller of the host as the kernel watches it (EDAC); on MI300A its memory is the GPU's too.
	name TEXT NOT NULL, -- mc0, mc1, ...
	kind TEXT, -- as the driver calls it
	uncorrectable INTEGER, -- errors not corrected, since boot or since the counters were reset
	correctable INTEGER, -- errors corrected
	source TEXT NOT NULL, -- directory in sysfs
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE agent_link ( -- A connection from a GPU agent, as KFD describes it; of partitions only the first one's.
	node_from INTEGER NOT NULL, -- KFD node
	node_to INTEGER NOT NULL, -- KFD node; a processor is one too
	kind TEXT NOT NULL, -- pcie, xgmi or the number of another type
	peer INTEGER NOT NULL, -- 1 if it is in p2p_links: over the bus, with peer access
	weight INTEGER, -- distance; 15 is one xGMI hop, 20 one PCIe hop
	min_bandwidth INTEGER, -- MB a second, 0: not said
	max_bandwidth INTEGER, -- MB a second
	atomics_32 INTEGER, -- 1 if 32-bit atomics pass
	atomics_64 INTEGER, -- 1 if 64-bit atomics pass
	coherent INTEGER, -- 1 if caches stay coherent over it
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE device_node ( -- A device node that ROCm opens.
	path TEXT NOT NULL, -- /dev/kfd, /dev/dri/renderD128, /dev/dxg
	address TEXT, -- PCI address of its GPU; NULL for /dev/kfd
	kind TEXT, -- c: a character device, as it should be
	major INTEGER, -- device number
	minor INTEGER, -- device number
	mode TEXT, -- permission bits, octal
	uid INTEGER, -- owner
	gid INTEGER, -- owning group
	acl TEXT, -- entries of the access list that name somebody
	in_group INTEGER, -- 1 if the judged user has the owning group
	open_result TEXT, -- opened, or ENOENT, EACCES, EPERM, ...; for the judged user
	card INTEGER, -- 1 if the card node of the same GPU is in /dev/dri; NULL: not known which one that is
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE identity ( -- Who is judged: one row.
	how TEXT NOT NULL, -- this process, calling user of sudo, user, process, unit, container
	uid INTEGER, -- effective user id
	gid INTEGER, -- effective group id
	user TEXT, -- name, pseudonymous in a scrubbed snapshot
	home TEXT, -- home directory
	process TEXT, -- the process whose groups and variables are used
	source TEXT NOT NULL, -- question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE identity_group ( -- A group of the judged user.
	gid INTEGER NOT NULL, -- number
	name TEXT, -- render, video, or NULL for one that does not matter here
	source TEXT NOT NULL, -- question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE known_group ( -- A group that gives access to GPUs, as this system numbers it.
	name TEXT NOT NULL, -- render, video
	gid INTEGER NOT NULL, -- number
	source TEXT NOT NULL, -- question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE env ( -- A variable in the environment of the judged process or of a service.
	subject TEXT NOT NULL, -- identity, or the name of a service unit
	name TEXT NOT NULL, -- name
	value TEXT NOT NULL, -- value; empty is not unset
	source TEXT NOT NULL, -- question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE env_setter ( -- A line of a start-up file that sets a variable.
	name TEXT NOT NULL, -- name
	value TEXT, -- value; NULL where the line only exports
	exported INTEGER NOT NULL, -- 1 if programs started later inherit it
	scope TEXT NOT NULL, -- system, user, or the unit it is for
	source TEXT NOT NULL, -- file:line
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE service ( -- A service that uses GPUs, found without being asked for.
	unit TEXT NOT NULL, -- unit name
	pid INTEGER, -- its first process; NULL if it does not run
	uid INTEGER, -- user it runs as
	user TEXT, -- User= of its unit file
	groups TEXT, -- group ids of the process, blank-separated
	group_name TEXT, -- Group= of its unit file
	supplementary TEXT, -- SupplementaryGroups= of its unit file
	private_devices INTEGER, -- 1 if PrivateDevices= hides /dev/kfd and /dev/dri from it
	device_policy TEXT, -- DevicePolicy= of its unit file: auto, closed, strict
	device_allow TEXT, -- DeviceAllow= of its unit file, blank-separated
	memlock TEXT, -- LimitMEMLOCK= of its unit file
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE container ( -- Whether this runs in a container or under WSL: one row.
	kind TEXT NOT NULL, -- none, docker, podman, kubernetes, lxc, systemd-nspawn, apptainer, other, wsl
	rootless INTEGER, -- 1 if its root is not the host's
	own_pids INTEGER, -- 1 if it counts processes by itself: host pids mean nothing here
	own_dev INTEGER, -- 1 if /dev is not the kernel's devtmpfs: its nodes were put there one by one
	wsl_version INTEGER, -- 1 or 2 under WSL
	source TEXT NOT NULL, -- what gave it away
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE wsl_host ( -- WSL on a machine with Windows: one row where a service of it is registered.
	service TEXT NOT NULL, -- WSLService of the package, or LxssManager, which is a part of Windows
	disabled INTEGER, -- 1 if the service may not be started
	version TEXT, -- of the package: 2.6.1.0; NULL without one
	virtual_machines INTEGER, -- 1 if the service vmcompute is registered: WSL 2 needs it
	source TEXT NOT NULL, -- key
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE wsl_distribution ( -- A distribution of WSL that Windows has registered for the judged user.
	wsl_version INTEGER NOT NULL, -- 1 or 2; only 2 has a GPU
	is_default INTEGER NOT NULL, -- 1: `wsl` starts this one
	flavor TEXT, -- ubuntu, debian; NULL before WSL 2.4
	os_version TEXT, -- 24.04; NULL before WSL 2.4
	source TEXT NOT NULL, -- key
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE resource_limit ( -- A limit on the judged process. NULL is unlimited.
	name TEXT NOT NULL, -- memlock, nofile, cgroup-memory, shm, ...; of Windows commit, gpu-timeout, path-length
	soft INTEGER, -- in force
	hard INTEGER, -- as far as the user may raise it
	used INTEGER, -- in use, where that is known
	unit TEXT NOT NULL, -- bytes, count, seconds or characters
	source TEXT NOT NULL, -- path or question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE vram_owner ( -- Who holds the memory of a GPU, in four shares.
	address TEXT NOT NULL, -- PCI address
	share TEXT NOT NULL, -- kfd: a compute process; kfd-outside: one of another pid namespace; drm: a graphics client; rest
	pid INTEGER, -- process; of kfd-outside the number on the host
	command TEXT, -- its name, where it may be looked up
	bytes INTEGER NOT NULL, -- VRAM held
	orphaned INTEGER, -- of the rest: 1 if nothing else can hold it, 0 if the driver or somebody seen may
	source TEXT NOT NULL, -- path or question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE kernel_log ( -- A line of the kernel log that the table of classes knows.
	seq INTEGER NOT NULL, -- order of reading
	boot TEXT NOT NULL, -- this, earlier, or unknown
	wall_s INTEGER, -- when, seconds since 1970
	uptime_us INTEGER, -- when, microseconds since that boot
	level INTEGER, -- 0 emergency ... 7 debug
	class TEXT NOT NULL, -- slug, for life
	severity TEXT NOT NULL, -- info, warning, problem
	address TEXT, -- PCI address in the line
	detail TEXT, -- values of the pattern's holes: name=value, blank-separated
	text TEXT NOT NULL, -- the line
	source TEXT NOT NULL, -- question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE cxx_headers ( -- A GCC of the system, where compilers at run time (hiprtc) look for C++ headers: in the newest.
	gcc TEXT NOT NULL, -- version, as its directory is called
	triple TEXT NOT NULL, -- x86_64-linux-gnu
	present INTEGER NOT NULL, -- 1 if there are C++ headers of that version
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE rocm_install ( -- A ROCm on this machine: in /opt, of the distribution, in Python wheels, in conda.
	prefix TEXT NOT NULL, -- directory
	version TEXT NOT NULL, -- as its .info/version, manifest or package has it
	kind TEXT, -- opt, distribution, wheel, conda, hip-sdk
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE statement ( -- Something that somebody said of the machine, or that a log or Windows tells of it.
	name TEXT NOT NULL, -- gpu, gfx, rocm, framework, version, os, system, kernel, torch, ...
	value TEXT NOT NULL, -- as it was said
	version TEXT, -- the first version number in it
	source TEXT NOT NULL, -- file:line, or the option
	origin TEXT NOT NULL DEFAULT 'stated' -- observed, stated, log or probed
);

CREATE TABLE setting ( -- A setting that a text shows or asks about, or a program's advice to make one, of those that the knowledge knows.
	form TEXT NOT NULL, -- variable, kernel, flag or command
	name TEXT NOT NULL, -- HSA_ENABLE_SDMA, amdgpu.noretry, --no-half, or the words of a command
	value TEXT, -- behind it; NULL where none is named
	how TEXT NOT NULL, -- set; asked: the text speaks of it and does not say that it is set; advised: a program says to set it
	source TEXT NOT NULL, -- file:line
	origin TEXT NOT NULL DEFAULT 'log' -- observed, stated, log or probed
);

CREATE TABLE expected ( -- What this machine is meant to have: --expect, or /etc/rocsteady/expect.conf on it.
	name TEXT NOT NULL, -- as in rocsteady-expect(1); gpus: AMD GPUs on the PCI bus, integrated ones among them
	value INTEGER, -- the number; NULL and no gap: it is a word
	text TEXT NOT NULL, -- the number or the word, as it is written
	here TEXT, -- what the kernel has of a sysctl; of other names NULL
	source TEXT NOT NULL, -- the option, or the file
	origin TEXT NOT NULL DEFAULT 'expected' -- expected
);

CREATE TABLE event ( -- A line of a log that a signature knows; of many equal ones a few.
	signature TEXT NOT NULL, -- id
	nth INTEGER NOT NULL, -- 0 is the first of this signature
	kind TEXT NOT NULL, -- failure, warning, hint, remark, harmless, context
	program TEXT NOT NULL, -- who prints it
	line INTEGER NOT NULL, -- where, from 1
	last_line INTEGER NOT NULL, -- where this signature was met last
	count INTEGER NOT NULL, -- how often this signature was met
	text TEXT NOT NULL, -- the line
	source TEXT NOT NULL, -- file:line
	origin TEXT NOT NULL DEFAULT 'log' -- observed, stated, log or probed
);

CREATE TABLE event_value ( -- A value in the line of an event.
	signature TEXT NOT NULL, -- id
	nth INTEGER NOT NULL, -- of the event
	name TEXT NOT NULL, -- group of the pattern
	value TEXT NOT NULL, -- as it stands there
	bytes INTEGER, -- the same in bytes, where it is a size
	source TEXT NOT NULL, -- file:line
	origin TEXT NOT NULL DEFAULT 'log' -- observed, stated, log or probed
);

CREATE TABLE walk ( -- A walk through the GPU stack by processes that may die (rocsteady probe): one row if there was one.
	level INTEGER NOT NULL, -- how deep it went, 1 to 3
	wall_s INTEGER NOT NULL, -- when, seconds since 1970
	like TEXT NOT NULL, -- whose libraries answered: system, torch@PATH, pid@N, libraries@PATH
	options TEXT NOT NULL, -- what to give rocsteady probe for the same libraries and level: --like torch@PATH -l 3; may be empty
	source TEXT NOT NULL, -- question
	origin TEXT NOT NULL DEFAULT 'probed' -- observed, stated, log or probed
);

CREATE TABLE probe ( -- A question of a walk, and how it ended.
	position INTEGER NOT NULL, -- order in the walk, 0 is the first
	layer TEXT NOT NULL, -- nodes, hsa, hip, memory, copy, kernel, rocblas, hipblas, hipblaslt, miopen, rccl, peer or torch
	question TEXT NOT NULL, -- hip.init, memory.malloc, rocblas.handle, ...
	subject TEXT NOT NULL, -- PCI address of the GPU, two with > between them, or empty for the machine
	variant TEXT NOT NULL, -- all: every GPU visible; alone: only this one
	ending TEXT NOT NULL, -- answered, refused, wrong, missing, crashed, exited, timeout, slow, stuck or skipped
	number INTEGER, -- status of the call that refused, signal of a crash, status of an exit
	name TEXT, -- the same by its name in the library's header
	call TEXT, -- last call into a library that was begun
	place TEXT, -- library and offset in which it crashed
	file TEXT, -- library that answered
	ms INTEGER NOT NULL, -- how long it took
	said TEXT, -- the last lines that it wrote to standard error, with / between them
	source TEXT NOT NULL, -- command that asks it again
	origin TEXT NOT NULL DEFAULT 'probed' -- observed, stated, log or probed
);

CREATE TABLE probe_value ( -- A value that a question of a walk gave.
	question TEXT NOT NULL, -- of the probe
	subject TEXT NOT NULL, -- of the probe
	variant TEXT NOT NULL, -- of the probe
	name TEXT NOT NULL, -- free, total, a number of a device, ...
	value TEXT NOT NULL, -- as it was given
	number INTEGER, -- the same where it is one
	source TEXT NOT NULL, -- command that asks it again
	origin TEXT NOT NULL DEFAULT 'probed' -- observed, stated, log or probed
);

CREATE TABLE library ( -- A library of ROCm or of a framework, once for each real file.
	path TEXT NOT NULL, -- real path
	name TEXT NOT NULL, -- rocblas, amdhip64, hsa-runtime64, torch_hip, ...: without lib, .so and .dll, and of a DLL without the release in its name
	soname TEXT, -- its own name for the loader; the major number is the ABI
	version TEXT, -- by file name, version node or package; never by searching its text
	size_bytes INTEGER, -- of the file
	environment TEXT, -- prefix of the Python environment or application it belongs to; NULL: the system's
	install TEXT, -- prefix of the ROCm install it belongs to; NULL: none
	target_set INTEGER, -- its targets, in target_set; NULL: it holds no device code
	bundles INTEGER, -- bundles in it
	ccob INTEGER, -- highest version of its compressed bundles; NULL: none is compressed
	code_object_version INTEGER, -- highest one seen
	kpack_missing INTEGER, -- archives of kernels that it names and that are not there or hold nothing for it
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE target_set ( -- A target of a set; libraries with the same targets share a set.
	set_id INTEGER NOT NULL, -- number, of this examination only
	target TEXT NOT NULL, -- target id as in the file: gfx90a:xnack-
	bundles INTEGER NOT NULL, -- bundles that hold it
	of_bundles INTEGER NOT NULL, -- bundles there are
	source TEXT NOT NULL, -- path of the first library with this set
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE kernel_dir ( -- What a directory of kernels (rocblas/library, aotriton.images, ...) has for one GPU target.
	path TEXT NOT NULL, -- directory
	kind TEXT NOT NULL, -- rocblas, hipblaslt, hipsparselt, miopen, aotriton
	environment TEXT, -- prefix of the Python environment or application it belongs to; NULL: the system's
	install TEXT, -- prefix of the ROCm install it belongs to; NULL: none
	gfx TEXT, -- target; a family as gfx11xx for AOTriton; NULL: there is nothing for any
	indexed INTEGER, -- 1 if an index names it: without one rocBLAS aborts; NULL: there is one that could not be read
	tuned INTEGER, -- files of tuned code
	fallback INTEGER, -- files of code that is slow and runs
	helper INTEGER, -- other files for it
	missing INTEGER, -- parts that its index names and that are not there
	whole INTEGER NOT NULL DEFAULT 1, -- 0 if a part of the directory was not looked at: what is not found may be there
	source TEXT NOT NULL, -- directory
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE environment ( -- A place with frameworks in it: a Python environment or an application.
	prefix TEXT NOT NULL, -- directory
	kind TEXT NOT NULL, -- venv, conda, uv, pipx, pyenv, system, user, application
	python TEXT, -- version of its Python, 3.12
	active INTEGER, -- 1 if the judged process uses it: VIRTUAL_ENV, CONDA_PREFIX, or the first in its PATH; NULL where there is no process, as in a tree
	service TEXT, -- unit that runs from it; NULL: none
	source TEXT NOT NULL, -- path or question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE framework ( -- A framework or application that computes on GPUs.
	environment TEXT NOT NULL, -- prefix
	name TEXT NOT NULL, -- torch, tensorflow, jax, onnxruntime, bitsandbytes, flash-attn, vllm, ollama, llama.cpp, ...
	version TEXT, -- 2.4.1+rocm6.1
	tag TEXT, -- behind the plus sign: rocm6.1, cu121, cpu
	build TEXT, -- rocm, cuda or cpu: what it can compute on; NULL: not known
	hip TEXT, -- HIP it was built with
	cuda TEXT, -- CUDA it was built with
	path TEXT, -- directory or file of it
	main TEXT, -- real path of the library that holds its kernels; NULL: none
	editable TEXT, -- directory of the sources it is run from; NULL: it was installed
	shadowed TEXT, -- prefix of an environment in which Python finds another one first; NULL: none
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE package ( -- A Python package beside a framework that must fit it.
	environment TEXT NOT NULL, -- prefix
	name TEXT NOT NULL, -- normalised: lower case, - for _ and .
	version TEXT NOT NULL, -- as its metadata has it
	tag TEXT, -- behind the plus sign
	requires TEXT, -- what it demands of a framework, as torch==2.4.1; NULL: nothing
	fits INTEGER, -- 1 if what is installed meets all that it demands of packages here and the torch it was built for, 0 if not; NULL: nothing could be judged
	misfit TEXT, -- the first demand that is not met, and what is there: torch==2.4.1, not 2.5.1+rocm6.2
	source TEXT NOT NULL, -- path
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

CREATE TABLE load ( -- A library that the loader would look for on behalf of a framework, and what it would find.
	environment TEXT NOT NULL, -- prefix
	framework TEXT NOT NULL, -- name
	wanted TEXT NOT NULL, -- the name asked for: librocblas.so.5
	wanted_by TEXT NOT NULL, -- file that asks
	path TEXT, -- real path of what is found; NULL: nothing
	how TEXT NOT NULL, -- preload, loaded, rpath, ld_library_path, runpath, cache, default, path (asked for with a slash) or missing; of Windows preload (AMD's wheels), beside (the DLL that asks), program (its directory), added (by add_dll_directory), system (System32), search_path (PATH) or missing
	elsewhere TEXT, -- of a missing one: the same name in a directory off the loader's path
	other_major TEXT, -- of a missing one: the same library with another major number
	source TEXT NOT NULL, -- question
	origin TEXT NOT NULL DEFAULT 'observed' -- observed, stated, log or probed
);

-- Public views. Every table above is public under its own name; the views
-- below answer questions that join them.

CREATE VIEW explained AS -- One row where a text is explained and not a machine checked: a line of it is known, or something is stated of its machine. A machine states what it has observed.
SELECT 1 AS given, -- 1
	'text' AS source, -- text
	'log' AS origin -- log
WHERE EXISTS (SELECT 1 FROM event) OR EXISTS (SELECT 1 FROM statement WHERE origin <> 'observed');

CREATE VIEW no_gpu AS -- One row if this host has no AMD GPU: the PCI bus was read and holds none, KFD shows none, and Windows lends none through /dev/dxg.
SELECT h.pci_functions AS pci_functions, -- functions on the PCI bus, of any kind
	coalesce((SELECT e.value FROM expected e WHERE e.name = 'gpus'), -1) AS expected, -- GPUs it is meant to have; -1: nobody said
	'/sys/bus/pci/devices' AS source, -- the directory that was read
	h.origin AS origin -- observed, stated, log or probed
FROM host h
WHERE h.pci_functions IS NOT NULL AND NOT EXISTS (SELECT 1 FROM gpu) AND NOT EXISTS (SELECT 1 FROM agent)
	AND NOT EXISTS (SELECT 1 FROM device_node d WHERE d.path = '/dev/dxg')
	AND NOT EXISTS (SELECT 1 FROM gap x WHERE x.topic IN ('gpu', 'agent', 'device_node', 'expected') AND x.standing <> 'absent');

CREATE VIEW nic_absent AS -- An RDMA card that is expected and not there, if as many of those that are named are absent as there are too few; else the bus is numbered anew, and nobody knows which.
SELECT x.text AS address, -- PCI address that the node class names
	x.source AS source, -- the option, or the file
	x.origin AS origin -- expected
FROM expected x WHERE x.name = 'nic' AND x.text NOT IN (SELECT address FROM rdma_port)
	AND (SELECT count(*) FROM expected y WHERE y.name = 'nic' AND y.text NOT IN (SELECT address FROM rdma_port))
		= (SELECT e.value FROM expected e WHERE e.name = 'nics') - (SELECT count(DISTINCT p.address) FROM rdma_port p WHERE p.virtual_function = 0);

CREATE VIEW gpu_name AS -- What a GPU is called in every report: its number as programs count, its product, its address; a partition of one has a row of its own.
SELECT n.subject AS subject, -- PCI address; of a partition the address, a slash and its number
	n.numbers AS numbers, -- "5", or "40-47" of one with partitions, where no variable hides a GPU; NULL: the compute driver does not offer it
	coalesce(nullif(trim(replace(replace(replace(replace(g.product, 'AMD ', ''), 'Instinct ', ''), 'Radeon ', ''), ' OAM', '')), ''), 'AMD GPU') AS product, -- without the words that all have
	CASE WHEN n.numbers IS NULL THEN '' WHEN instr(n.numbers, '-') THEN 'GPUs ' || n.numbers || ' (' ELSE 'GPU ' || n.numbers || ' (' END
		|| coalesce(nullif(trim(replace(replace(replace(replace(g.product, 'AMD ', ''), 'Instinct ', ''), 'Radeon ', ''), ' OAM', '')), ''), 'AMD GPU')
		|| iif(n.numbers IS NULL, ' (', ', ') || n.subject || ')' AS name, -- "GPU 5 (MI300X, 0000:a7:00.0)"
	(SELECT g.serial FROM run r WHERE r.scrubbed IS NULL) AS serial, -- serial number of the board; NULL: not known, or a pseudonym
	g.source AS source, -- directory in sysfs
	g.origin AS origin -- observed, stated, log or probed
FROM (SELECT d.address AS subject, d.address AS address, CASE WHEN count(a.number) = 0 THEN NULL
			WHEN min(a.number) = max(a.number) THEN '' || min(a.number) ELSE min(a.number) || '-' || max(a.number) END AS numbers FROM gpu d LEFT JOIN (SELECT x.address AS address, (SELECT count(*) FROM agent b WHERE b.node < x.node) AS number FROM agent x) a ON a.address = d.address
		GROUP BY d.address
	UNION ALL SELECT a.address || '/' || a.partition, a.address, '' || a.number
		FROM (SELECT x.address AS address, x.partition AS partition, (SELECT count(*) FROM agent b WHERE b.node < x.node) AS number FROM agent x) a
		WHERE a.partition > 0 OR EXISTS (SELECT 1 FROM agent b WHERE b.address = a.address AND b.partition > 0)) n
JOIN gpu g ON g.address = n.address
WHERE n.address GLOB '*:*';

CREATE VIEW visible_devices AS -- The four variables that hide GPUs: one row each, set or not.
SELECT n.name AS name, -- variable
	CASE WHEN e.value = '' THEN 'empty' WHEN e.name IS NOT NULL THEN 'set'
		WHEN (SELECT max(topic) FROM gap WHERE topic = 'env' AND standing <> 'absent') = 'env' THEN NULL
		ELSE 'unset' END AS state, -- unset, empty or set; NULL where the environment is not known
	e.value AS value, -- value, if set
	coalesce(e.source, 'environment') AS source, -- question
	coalesce(e.origin, 'observed') AS origin -- observed, stated, log or probed
FROM (SELECT 'ROCR_VISIBLE_DEVICES' AS name UNION ALL SELECT 'HIP_VISIBLE_DEVICES'
	UNION ALL SELECT 'CUDA_VISIBLE_DEVICES' UNION ALL SELECT 'GPU_DEVICE_ORDINAL') n
LEFT JOIN env e ON e.name = n.name AND e.subject = 'identity';

CREATE VIEW vram AS -- Memory of each GPU with its shares.
SELECT g.address AS address, -- PCI address
	g.vram_total_bytes AS total_bytes, -- dedicated memory
	g.vram_used_bytes AS used_bytes, -- in use by anyone
	g.vram_total_bytes - g.vram_used_bytes AS free_bytes, -- not in use
	(SELECT sum(bytes) FROM vram_owner o WHERE o.address = g.address AND share = 'kfd') AS kfd_bytes, -- compute processes seen here; NULL: none is known
	(SELECT sum(bytes) FROM vram_owner o WHERE o.address = g.address AND share = 'kfd-outside') AS outside_bytes, -- compute processes of another pid namespace; NULL: none is known
	(SELECT sum(bytes) FROM vram_owner o WHERE o.address = g.address AND share = 'drm') AS drm_bytes, -- graphics clients; NULL: none is known
	(SELECT sum(bytes) FROM vram_owner o WHERE o.address = g.address AND share = 'rest') AS rest_bytes, -- nobody's known
	g.source AS source, -- directory in sysfs
	g.origin AS origin -- observed, stated, log or probed
FROM gpu g;

CREATE VIEW vram_held AS -- Who holds memory of a GPU, as far as it is worth telling: 100 MiB or more, and what is nobody's known only where there is somebody or the GPU is nine tenths full.
SELECT o.address AS address, -- PCI address
	o.share AS share, -- as vram_owner.share
	o.pid AS pid, -- as vram_owner.pid
	o.command AS command, -- as vram_owner.command
	o.bytes AS bytes, -- held
	o.orphaned AS orphaned, -- as vram_owner.orphaned
	o.source AS source, -- path or question
	o.origin AS origin -- observed, stated, log or probed
FROM vram_owner o
WHERE o.bytes >= 104857600 AND (o.address IN (SELECT address FROM vram_owner WHERE share <> 'rest' AND bytes >= 104857600)
	OR o.address IN (SELECT address FROM gpu WHERE vram_used_bytes > 0.9 * vram_total_bytes));

CREATE VIEW env_told AS -- Variables that change how programs compute: without those of every session, of schedulers and of environments.
SELECT e.subject AS subject, -- identity, or the name of a service unit
	e.name AS name, -- name
	e.value AS value, -- value; empty is not unset
	e.source AS source, -- question
	e.origin AS origin -- observed, stated, log or probed
FROM env e
WHERE e.name NOT IN ('PATH', 'HOME', 'SHELL', 'LANG', 'TERM', 'XDG_SESSION_TYPE', 'LD_LIBRARY_PATH', 'PYTHONPATH', 'VIRTUAL_ENV',
		'CONDA_PREFIX', 'CONDA_DEFAULT_ENV', 'INVOCATION_ID', 'container')
	AND e.name NOT LIKE 'WSL%' AND e.name NOT LIKE 'SLURM%' AND e.name NOT LIKE 'KUBERNETES%';

CREATE VIEW env_setter_told AS -- Lines of start-up files that set such a variable.
SELECT s.name AS name, -- name
	s.exported AS exported, -- as env_setter.exported
	s.source AS source, -- file:line
	s.origin AS origin -- observed, stated, log or probed
FROM env_setter s WHERE s.name NOT IN ('LD_LIBRARY_PATH', 'PYTHONPATH', 'VIRTUAL_ENV');

CREATE VIEW probe_break AS -- The first question of a walk that was not answered, for the machine and for each GPU.
SELECT p.subject AS subject, -- PCI address, two with > between them, or empty for the machine
	p.layer AS layer, -- layer that breaks
	p.question AS question, -- and the question in it
	p.variant AS variant, -- all or alone
	p.ending AS ending, -- how it ended
	p.number AS number, -- status or signal
	p.name AS name, -- its name
	p.position AS position, -- of that row of probe
	p.source AS source, -- command that asks it again
	p.origin AS origin -- observed, stated, log or probed
FROM probe p
WHERE p.ending NOT IN ('answered', 'skipped')
	AND p.position = (SELECT min(q.position) FROM probe q WHERE q.subject = p.subject AND q.ending NOT IN ('answered', 'skipped'));

CREATE VIEW walk_verdict AS -- What a walk says as a whole: one row if there was one.
SELECT w.level AS level, -- how deep it went
	CASE WHEN EXISTS (SELECT 1 FROM no_gpu) AND NOT EXISTS (SELECT 1 FROM probe p WHERE p.ending = 'answered')
			THEN (SELECT iif(n.expected = 0, 'none', 'missing') FROM no_gpu n)
		WHEN EXISTS (SELECT 1 FROM probe_break) THEN 'breaks'
		WHEN EXISTS (SELECT 1 FROM probe p WHERE p.ending = 'answered' AND p.subject <> '') THEN 'works'
		WHEN EXISTS (SELECT 1 FROM probe p WHERE p.ending = 'answered')
			AND NOT EXISTS (SELECT 1 FROM probe p WHERE p.ending = 'skipped')
			AND (SELECT count(*) FROM probe p WHERE p.question = 'hip.devices')
				<= (SELECT count(*) FROM probe_value v WHERE v.question = 'hip.devices') THEN 'works'
		ELSE 'nothing' END AS verdict, -- works; breaks; missing: no AMD GPU is on the PCI bus; none: and none is expected; nothing: no GPU was asked
	w.source AS source, -- question
	w.origin AS origin -- observed, stated, log or probed
FROM walk w;

CREATE VIEW vram_full AS -- A GPU whose memory others have taken: less than 1 GiB is free, and less than a quarter.
SELECT g.address AS address, -- PCI address
	g.vram_total_bytes - g.vram_used_bytes AS free_bytes, -- what is left
	g.source AS source, -- directory in sysfs, or the command that asked HIP
	g.origin AS origin -- observed, stated, log or probed
FROM gpu g WHERE g.integrated = 0 AND g.vram_total_bytes - g.vram_used_bytes < min(1073741824, g.vram_total_bytes / 4)
UNION ALL SELECT substr(f.subject, 1, 12), f.number, f.source, f.origin
FROM probe_value f LEFT JOIN probe_value t ON t.question = f.question AND t.subject = f.subject AND t.variant = f.variant AND t.name = 'total'
WHERE f.question = 'memory.info' AND f.name = 'free' AND f.number < min(1073741824, coalesce(t.number / 4, 1073741824));

CREATE VIEW probe_failure AS -- A question of a walk that was put and not answered, on a host with a GPU.
SELECT p.position AS position, -- of that row of probe
	p.layer AS layer, -- layer that it belongs to
	p.question AS question, -- and its name
	p.subject AS subject, -- PCI address, two with > between them, or empty for the machine
	CASE p.ending WHEN 'refused' THEN coalesce(p."call", p.question) || ' answers ' || coalesce(p.name || ' (' || p.number || ')', p.number, 'no')
		WHEN 'wrong' THEN coalesce(p."call", p.question) || ' returns wrong results'
		WHEN 'missing' THEN 'no library or function for it'
		WHEN 'crashed' THEN coalesce(p."call", p.question) || ' is killed by signal ' || coalesce(p.number, '?') || coalesce(' in ' || p.place, '')
		WHEN 'exited' THEN coalesce(p."call", p.question) || ' exits the process with code ' || coalesce(p.number, '?')
		WHEN 'timeout' THEN coalesce(p."call", p.question) || ' did not return within ' || round(p.ms / 1000.0, 1) || ' s'
		WHEN 'slow' THEN coalesce(p."call", p.question) || ' is still running after ' || round(p.ms / 1000.0, 1) || ' s'
		WHEN 'stuck' THEN coalesce(p."call", p.question) || ' hangs in the driver, and its process cannot be killed'
		ELSE p.ending END AS sentence, -- what happened, without the name of the layer
	CASE WHEN p.ending = 'missing' THEN iif(p.layer IN ('nodes', 'hsa', 'hip'), 'no-runtime', 'no-library')
		WHEN p.ending = 'slow' THEN 'starved'
		WHEN p.ending = 'crashed' AND p.number IN (1, 2, 3, 9, 15) THEN 'killed'
		WHEN (p.ending IN ('refused', 'timeout') OR p.ending IN ('crashed', 'exited')
			AND p.question NOT IN ('hsa.init', 'hip.init', 'hip.devices', 'memory.info', 'kernel.compile', 'torch.import')) AND (
			p.subject = '' AND p.layer <> 'nodes' AND EXISTS (SELECT 1 FROM vram_full)
			OR substr(p.subject, 1, 12) IN (SELECT address FROM vram_full)
			OR substr(p.subject, instr(p.subject, '>') + 1, 12) IN (SELECT address FROM vram_full)) THEN 'vram-full'
		ELSE 'fault' END AS standing, -- fault; or what kept it from being one: no-runtime, no-library, killed (from outside), starved (of the processor), vram-full (by others: refusals and time-outs, and a crash of what allocates)
	p.said AS said, -- the last lines that it wrote to standard error
	p.source AS source, -- command that asks it again
	p.origin AS origin -- observed, stated, log or probed
FROM probe p
WHERE p.ending NOT IN ('answered', 'skipped')
	AND NOT EXISTS (SELECT 1 FROM walk_verdict v WHERE v.verdict IN ('missing', 'none'));

CREATE VIEW left_out AS -- A GPU that KFD drives, whose render node opens, and that a layer of a walk does not list; unlisted older ones are no news of HIP.
SELECT d.address AS address, -- PCI address
	p.layer AS layer, -- hsa or hip
	iif(p.layer = 'hsa', 'ROCr', 'HIP') AS runtime, -- the library that lists
	p.source AS source, -- command that asks it again
	p.origin AS origin -- observed, stated, log or probed
FROM (SELECT substr(a.address, 1, 10) AS place, min(a.address) AS address, count(*) AS gpus, sum(g.gfx GLOB 'gfx[678]??') AS old
	FROM agent a JOIN gpu g ON g.address = a.address
	JOIN device_node o ON o.path = '/dev/dri/renderD' || a.render_minor AND o.open_result = 'opened'
	WHERE g.integrated = 0 OR (SELECT min(x.integrated) FROM gpu x) = 1
	GROUP BY place) d
JOIN probe p ON p.question = 'hsa.init' OR p.question = 'hip.devices' AND coalesce(d.old, 0) = 0
WHERE p.ending = 'answered' AND p.variant = 'all'
	AND (SELECT sum(substr(v.value, 1, 10) = d.place) FROM probe_value v
		WHERE v.question = p.question AND v.variant = p.variant AND v.name GLOB '[0-9]*') < d.gpus;

CREATE VIEW device AS -- A GPU as the loader of device code takes it, with what the judged process sets: one per partition.
SELECT a.node AS node, -- KFD node number
	a.address AS address, -- PCI address
	a.gfx AS gfx, -- instruction set, the true one
	gfx_device(a.gfx, a.sramecc, x.value) AS id, -- target id: gfx942:sramecc+:xnack-; a feature that varies is left out
	o.value AS override, -- HSA_OVERRIDE_GFX_VERSION, of this node or of all; NULL: not set, or Windows, which does not read it
	gfx_effective(gfx_device(a.gfx, a.sramecc, x.value), o.value) AS effective, -- target id that code is chosen for; NULL: ROCm finds no GPU with this override
	coalesce(g.integrated, 1) = 0
		OR (SELECT count(*) FROM agent b LEFT JOIN gpu d ON d.address = b.address WHERE coalesce(d.integrated, 0) = 0)
			= (coalesce(g.integrated, 0) = 0)
		AND (SELECT count(*) FROM gpu d LEFT JOIN host h WHERE (d.driver = 'amdgpu' OR h.distribution = 'windows') AND coalesce(d.integrated, 0) = 0)
			<= (coalesce(g.integrated, 0) = 0)
		AND (SELECT count(*) FROM gap WHERE topic IN ('agent', 'gpu') AND standing <> 'absent') = 0 AS meant, -- 1 if programs are meant for it: not integrated, or there is no other, as far as is known
	a.source AS source, -- directory in sysfs
	a.origin AS origin -- observed, stated, log or probed
FROM agent a LEFT JOIN gpu g ON g.address = a.address
LEFT JOIN env x ON x.subject = 'identity' AND x.name = 'HSA_XNACK'
LEFT JOIN env o ON o.subject = 'identity' AND o.name = coalesce(
	(SELECT n.name FROM env n WHERE n.subject = 'identity' AND n.name = 'HSA_OVERRIDE_GFX_VERSION_' || a.node),
	'HSA_OVERRIDE_GFX_VERSION') AND coalesce((SELECT h.distribution FROM host h), '') <> 'windows';

CREATE VIEW set_fit AS -- A set of targets that has code for a kind of device, under the HIP of a framework.
SELECT t.set_id AS set_id, -- in target_set
	d.effective AS device, -- target id, as device.effective
	h.hip AS hip, -- version of the runtime; empty: not known
	max(t.bundles) AS bundles, -- bundles with code that runs
	max(t.of_bundles) AS of_bundles, -- bundles there are
	min(t.source) AS source, -- path of the first library with this set
	min(t.origin) AS origin -- observed, stated, log or probed
FROM target_set t, (SELECT DISTINCT effective FROM device WHERE effective IS NOT NULL) d,
	(SELECT DISTINCT coalesce(hip, '') AS hip FROM framework WHERE coalesce(build, 'rocm') = 'rocm') h
WHERE gfx_runs(t.target, d.effective, h.hip) IS NOT NULL
GROUP BY t.set_id, d.effective, h.hip;

CREATE VIEW library_fit AS -- A library with device code that a framework would load, for each kind of device.
SELECT f.environment AS environment, -- prefix
	f.name AS framework, -- name
	l.path AS path, -- real path
	l.name AS name, -- rocblas, torch_hip, ...
	l.path = coalesce(f.main, '') AS main, -- 1 if it is the one that holds the framework's own kernels
	d.effective AS device, -- target id, as device.effective
	s.bundles AS bundles, -- bundles with code that runs there; NULL: none
	l.bundles AS of_bundles, -- bundles there are
	CASE WHEN l.path IN (SELECT subject FROM gap) THEN 1 ELSE 0 END AS hidden, -- 1 if a part of it could not be read: code that is not found may be there
	l.source AS source, -- path
	l.origin AS origin -- observed, stated, log or probed
FROM framework f
JOIN (SELECT environment, framework, path FROM load WHERE path IS NOT NULL
	UNION SELECT environment, name, main FROM framework WHERE main IS NOT NULL) x
	ON x.environment = f.environment AND x.framework = f.name
JOIN library l ON l.path = x.path AND (l.target_set IS NOT NULL OR l.kpack_missing > 0)
JOIN (SELECT DISTINCT effective FROM device WHERE effective IS NOT NULL) d
LEFT JOIN set_fit s ON s.set_id = l.target_set AND s.device = d.effective AND s.hip = coalesce(f.hip, '')
WHERE coalesce(f.build, 'rocm') = 'rocm';

CREATE VIEW blas_fit AS -- What the rocBLAS that a framework would load has for each kind of device.
SELECT x.environment AS environment, -- prefix
	x.framework AS framework, -- name
	d.effective AS device, -- target id, as device.effective
	k.path AS path, -- directory of its kernels
	CASE max(CASE WHEN k.gfx IS NULL OR gfx_runs(k.gfx, d.effective) IS NULL OR k.indexed = 0 OR k.tuned + k.fallback = 0 THEN 1 - k.whole
		WHEN k.indexed IS NULL THEN 1 ELSE 2 END) WHEN 0 THEN 0 WHEN 2 THEN 1 END AS runs, -- 1 if there are kernels; without any it aborts; NULL: not known
	max(CASE WHEN gfx_runs(k.gfx, d.effective) IS NOT NULL THEN k.tuned ELSE 0 END) AS tuned, -- files of tuned code
	max(CASE WHEN gfx_runs(k.gfx, d.effective) IS NOT NULL THEN k.fallback ELSE 0 END) AS fallback, -- files of code that is slow and runs
	max(CASE WHEN gfx_runs(k.gfx, d.effective) IS NOT NULL THEN k.missing ELSE 0 END) AS missing, -- parts that the index names and that are not there: a product that needs one fails
	min(k.source) AS source, -- directory
	min(k.origin) AS origin -- observed, stated, log or probed
FROM load x
JOIN library l ON l.path = x.path AND l.name = 'rocblas'
JOIN kernel_dir k ON k.kind = 'rocblas' AND k.environment IS l.environment AND k.install IS l.install
JOIN (SELECT DISTINCT effective FROM device WHERE effective IS NOT NULL) d
GROUP BY x.environment, x.framework, d.effective, k.path;

CREATE VIEW framework_fit AS -- Whether a framework would run on each kind of device here.
SELECT f.environment AS environment, -- prefix
	f.name AS framework, -- name
	f.version AS version, -- as framework.version
	f.build AS build, -- rocm, cuda, cpu; NULL: not known
	d.effective AS device, -- target id, as device.effective
	d.meant AS meant, -- 1 if programs are meant for such a device, as device.meant
	coalesce(c.libraries, 0) AS libraries, -- libraries with device code that it would load
	coalesce(c.served, 0) AS served, -- of them: those with code for the device
	c.code AS code, -- 1 if its own kernels have code for the device; NULL: not known
	b.runs AS blas, -- 1 if its rocBLAS has kernels for the device; NULL: not known, or it loads none
	b.tuned AS blas_tuned, -- files of tuned ones
	CASE WHEN f.build IN ('cpu', 'cuda') THEN 'not'
		WHEN m.missing > 0 OR c.code = 0 OR b.runs = 0 THEN 'not'
		WHEN c.code IS NULL OR b.unread > 0 THEN 'unknown'
		WHEN b.tuned = 0 OR b.missing > 0 OR c.served < c.libraries THEN 'partly'
		ELSE 'runs' END AS verdict, -- runs, partly, not, unknown
	CASE WHEN f.build IN ('cpu', 'cuda') THEN 'a build for ' || CASE f.build WHEN 'cpu' THEN 'processors' ELSE 'CUDA' END
		WHEN m.missing > 0 THEN 'lacks the library ' || m.wanted
		WHEN c.code = 0 THEN 'has no code for ' || d.processor
		WHEN b.runs = 0 THEN 'its rocBLAS has no kernels for ' || d.processor
		WHEN c.code IS NULL THEN 'its code could not be read'
		WHEN b.unread > 0 THEN 'the index of its rocBLAS could not be read'
		WHEN b.missing > 0 THEN 'its rocBLAS lacks ' || b.missing || CASE b.missing WHEN 1 THEN ' file' ELSE ' files' END || ' for ' || d.processor
		WHEN b.tuned = 0 THEN 'its rocBLAS has only slow kernels for ' || d.processor
		WHEN c.served < c.libraries THEN c.unserved || ' has no code for ' || d.processor
		ELSE 'has code for ' || d.processor || CASE c.libraries WHEN 1 THEN '' ELSE ' in all ' || c.libraries || ' libraries it loads' END
		END AS why, -- in words
	f.source AS source, -- path
	f.origin AS origin -- observed, stated, log or probed
FROM framework f
JOIN (SELECT effective, substr(effective, 1, instr(effective || ':', ':') - 1) AS processor, max(meant) AS meant FROM device WHERE effective IS NOT NULL GROUP BY effective) d
LEFT JOIN (SELECT environment, framework, device, count(*) AS libraries, count(bundles) AS served,
	max(CASE WHEN main THEN CASE WHEN bundles IS NOT NULL THEN 1 WHEN hidden = 0 THEN 0 END END) AS code, min(CASE WHEN bundles IS NULL THEN name END) AS unserved FROM library_fit
	GROUP BY environment, framework, device) c
	ON c.environment = f.environment AND c.framework = f.name AND c.device = d.effective
LEFT JOIN (SELECT environment, framework, count(*) AS missing, min(wanted) AS wanted
	FROM load WHERE how = 'missing' GROUP BY environment, framework) m
	ON m.environment = f.environment AND m.framework = f.name
LEFT JOIN (SELECT environment, framework, device, max(runs) AS runs, max(tuned) AS tuned, max(missing) AS missing,
	count(*) - count(runs) AS unread FROM blas_fit GROUP BY environment, framework, device) b
	ON b.environment = f.environment AND b.framework = f.name AND b.device = d.effective;

CREATE VIEW environment_fit AS -- Which environment would work on which kind of device, and whether a failure there matters.
WITH fit AS MATERIALIZED (SELECT * FROM framework_fit)
SELECT e.prefix AS environment, -- prefix
	e.kind AS kind, -- venv, conda, uv, pipx, system, user, application
	t.framework AS framework, -- name
	t.version AS version, -- of the framework
	t.build AS build, -- rocm, cuda, cpu; NULL: not known
	t.device AS device, -- target id, as device.effective
	t.meant AS meant, -- 1 if programs are meant for such a device, as device.meant
	t.libraries AS libraries, -- libraries with device code that it would load
	t.served AS served, -- of them: those with code for the device
	t.code AS code, -- 1 if its own kernels have code for the device; NULL: not known
	t.blas AS blas, -- 1 if its rocBLAS has kernels for the device; NULL: not known, or it loads none
	t.blas_tuned AS blas_tuned, -- files of tuned ones
	t.verdict AS verdict, -- runs, partly, not, unknown
	t.why AS why, -- in words
	coalesce(e.active, 0) = 1 OR e.service IS NOT NULL AS used, -- 1 if the judged process or a service uses it
	CASE WHEN e.active = 1 OR e.service IS NOT NULL THEN 1
		WHEN EXISTS (SELECT 1 FROM fit o WHERE o.framework = t.framework AND o.environment <> t.environment
			AND o.meant = 1 AND o.verdict IN ('runs', 'partly')) THEN 0
		WHEN EXISTS (SELECT 1 FROM fit o WHERE o.framework = t.framework AND o.environment <> t.environment
			AND o.meant = 1 AND o.verdict = 'unknown') OR EXISTS (SELECT 1 FROM gap WHERE topic IN ('framework', 'package'))
			THEN NULL
		ELSE 1 END AS counts, -- 1 if a failure there is one of this machine: it is in use, or no other environment with this framework works; NULL: not known
	t.source AS source, -- path
	t.origin AS origin -- observed, stated, log or probed
FROM fit t JOIN environment e ON e.prefix = t.environment;
