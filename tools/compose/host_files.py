"""What a machine holds apart from its GPUs: host, process, driver, variables, log, container."""

import datetime

import klog
from gpu_files import may_open
from products import GIB


# ---- the host ----

def cpuinfo(cpu):
    flags = ("fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat clflush mmx fxsr "
             "sse sse2 ht syscall nx mmxext fxsr_opt pdpe1gb rdtscp lm constant_tsc rep_good "
             "nopl nonstop_tsc cpuid extd_apicid aperfmperf rapl pni pclmulqdq monitor ssse3 fma "
             "cx16 sse4_1 sse4_2 x2apic movbe popcnt aes xsave avx f16c rdrand lahf_lm")
    if cpu.hypervisor:
        flags = flags.replace(" lahf_lm", " hypervisor lahf_lm")
    out = []
    for i in range(min(cpu.cores * cpu.sockets, 6)):
        out.append(
            f"processor\t: {i}\nvendor_id\t: {cpu.vendor}\ncpu family\t: {cpu.family}\n"
            f"model\t\t: {cpu.model_number}\nmodel name\t: {cpu.model}\nstepping\t: "
            f"{cpu.stepping}\nmicrocode\t: 0xa20120e\ncpu MHz\t\t: 2200.000\ncache size\t: 512 KB\n"
            f"physical id\t: 0\nsiblings\t: {cpu.cores}\ncore id\t\t: {i}\ncpu cores\t: "
            f"{cpu.cores // 2}\napicid\t\t: {i}\ninitial apicid\t: {i}\nfpu\t\t: yes\n"
            f"fpu_exception\t: yes\ncpuid level\t: 16\nwp\t\t: yes\nflags\t\t: {flags}\n"
            f"bugs\t\t: sysret_ss_attrs\nbogomips\t: 6800.00\n\n")
    return "".join(out)


def meminfo(m):
    total = m.mem_total_kib
    rows = [("MemTotal", total), ("MemFree", total * 7 // 10), ("MemAvailable", total * 8 // 10),
            ("Buffers", 214_000), ("Cached", total // 10), ("SwapCached", 0),
            ("SwapTotal", 8_388_604), ("SwapFree", 8_388_604), ("Shmem", 120_400)]
    lines = [f"{name + ':':<16}{value:>8} kB" for name, value in rows]
    return "\n".join(lines + ["HugePages_Total:       0", "Hugepagesize:       2048 kB"])


def host_files(m, t):
    k, cpus = m.kernel, m.cpu.cores * m.cpu.sockets
    t.files_in("/proc", {
        "cmdline": m.cmdline, "meminfo": meminfo(m), "cpuinfo": cpuinfo(m.cpu),
        "version": f"Linux version {k.release} (builder@workbench) (gcc, GNU ld) {k.build}"})
    t.files_in("/proc/sys/kernel", {
        "osrelease": k.release, "hostname": "workbench", "numa_balancing":
        str(m.numa_balancing if m.cpu.sockets > 1 else 0), "dmesg_restrict":
        str(m.distribution.restrict)})
    t.file("/proc/sys/kernel/random/boot_id", m.boot_id)
    t.files_in("/proc/sys/vm", {"overcommit_memory": "0", "max_map_count": "65530"})
    t.link("/etc/os-release", "../usr/lib/os-release")
    t.file("/usr/lib/os-release", m.distribution.os_release)
    t.files_in("/sys/devices/system/cpu", {"online": f"0-{cpus - 1}", "possible": f"0-{cpus - 1}"})
    t.file("/sys/devices/system/node/online", "0" if m.cpu.sockets == 1 else
           f"0-{m.cpu.sockets - 1}")
    t.link("/sys/class/dmi/id", "../../devices/virtual/dmi/id")
    b = m.board
    t.files_in("/sys/devices/virtual/dmi/id", {
        "sys_vendor": b.vendor, "product_name": b.product, "board_vendor": b.board_vendor or None,
        "board_name": b.board or None, "bios_version": b.bios, "bios_date": b.bios_date})
    t.dir("/sys/class/iommu")
    t.dir("/sys/bus/pci/devices")
    if m.iommu:
        iommu_files(m, t)
    clock = datetime.datetime.fromtimestamp(m.wall, datetime.timezone.utc)
    t.ask("clock", f"wall {m.wall} {clock:%Y-%m-%dT%H:%M:%SZ}\nuptime {m.uptime}")
    t.ask("machine", "x86_64")
    t.ask("space /dev/shm", f"size {m.memory * GIB // 2}\nfree {m.memory * GIB // 2 - 4096}")
    t.dir("/dev/shm")


def iommu_files(m, t):
    amd = m.cpu.vendor == "AuthenticAMD"
    for i in range(m.cpu.sockets * (4 if m.cpu.sockets > 1 else 1)):
        name = f"ivhd{i}" if amd else f"dmar{i}"
        at = (f"/sys/devices/pci0000:{i * 0x20:02x}/0000:{i * 0x20:02x}:00.2/iommu/{name}" if amd
              else f"/sys/devices/virtual/iommu/{name}")
        t.dir(at)
        t.link_to(f"/sys/class/iommu/{name}", at)


# ---- the judged process ----

LIMITS = """Limit                     Soft Limit           Hard Limit           Units     
Max cpu time              unlimited            unlimited            seconds   
Max file size             unlimited            unlimited            bytes     
Max data size             unlimited            unlimited            bytes     
Max stack size            8388608              unlimited            bytes     
Max core file size        0                    unlimited            bytes     
Max resident set          unlimited            unlimited            bytes     
Max processes             {processes:<20} {processes:<20} processes 
Max open files            1024                 1048576              files     
Max locked memory         {memlock:<20} {memlock:<20} bytes     
Max address space         unlimited            unlimited            bytes     
Max file locks            unlimited            unlimited            locks     
Max pending signals       {processes:<20} {processes:<20} signals   
Max msgqueue size         819200               819200               bytes     
Max nice priority         0                    0                    
Max realtime priority     0                    0                    
Max realtime timeout      unlimited            unlimited            us        
"""

MOUNTS = """22 27 0:21 / /sys rw,nosuid,nodev,noexec,relatime shared:7 - sysfs sysfs rw
23 27 0:22 / /proc rw,nosuid,nodev,noexec,relatime shared:13 - proc proc rw
24 27 0:5 / /dev rw,nosuid,relatime shared:2 - devtmpfs udev rw,mode=755,inode64
26 24 0:23 / /dev/shm rw,nosuid,nodev shared:3 - tmpfs tmpfs rw,inode64
27 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro
30 22 0:27 / /sys/fs/cgroup rw,nosuid,nodev,noexec,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate
"""


def group_ids(m):
    known = {"render": m.distribution.render, "video": m.distribution.video}
    ids = sorted({known[g] for g in m.user.groups} | set(m.user.others) | {m.user.gid})
    return [0] if m.user.root else ids


def status(m, command, pid, uid, gid, groups):
    return (f"Name:\t{command}\nUmask:\t0002\nState:\tS (sleeping)\nTgid:\t{pid}\nPid:\t{pid}\n"
            f"PPid:\t1\nUid:\t{uid}\t{uid}\t{uid}\t{uid}\nGid:\t{gid}\t{gid}\t{gid}\t{gid}\n"
            f"FDSize:\t256\nGroups:\t{' '.join(map(str, groups))} \nNSpid:\t{pid}\nThreads:\t1\n"
            f"NoNewPrivs:\t0\nSeccomp:\t0\n")


def process_dir(m, t, where, pid, command, uid, gid, groups, cgroup):
    t.files_in(where, {
        "status": status(m, command, pid, uid, gid, groups), "comm": command, "cgroup": cgroup,
        "limits": LIMITS.format(processes=m.memory * 4000, memlock=m.mem_total_kib // 8 * 1024),
        "mountinfo": MOUNTS, "uid_map": f"{0:>10} {0:>10} {4294967295:>10}"})
    for name, number in (("pid", 4026531836), ("user", 4026531837), ("cgroup", 4026531835),
                         ("mnt", 4026531841)):
        t.link(f"{where}/ns/{name}", f"{name}:[{number}]")


def process_files(m, t):
    u = m.user
    groups = group_ids(m)
    uid, gid = (0, 0) if u.root else (u.uid, u.gid)
    slice_ = f"0::/user.slice/user-{uid}.slice/session-3.scope"
    process_dir(m, t, m.process, m.own_proc, "bash" if u.sudo else "rocsteady", uid, gid, groups,
                slice_)
    if u.sudo:
        process_dir(m, t, "/proc/self", 5211, "rocsteady", 0, 0, [0], slice_)
    process_dir(m, t, "/proc/1", 1, "systemd", 0, 0, [], "0::/init.scope")
    if not u.privileged:
        for name in ("pid", "user", "cgroup", "mnt"):
            t.refuse("link", f"/proc/1/ns/{name}", "EACCES")
    for pid, (owner, command) in m.processes.items():
        process_dir(m, t, f"/proc/{pid}", pid, command, owner, owner, [owner],
                    f"0::/user.slice/user-{owner}.slice/session-3.scope")
    how = "calling user of sudo" if u.sudo else "this process"
    name = "root" if u.root else u.name
    t.ask("identity", f"how {how}\nprocess {m.process}\nuid {uid}\ngid {gid}\ngroups "
                      f"{' '.join(map(str, groups))}\nuser {name}\nhome {u.home}")
    t.ask("group render", str(m.distribution.render))
    t.ask("group video", str(m.distribution.video))
    t.file("/sys/fs/cgroup/cgroup.controllers", "cpuset cpu io memory hugetlb pids rdma misc")


# ---- the driver ----

PARAMETERS = dict(
    aspm="-1", async_gfx_ring="1", audio="-1", bad_page_threshold="-1", cwsr_enable="1", dc="-1",
    dcdebugmask="0", debug_evictions="N", discovery="-1", dpm="-1", exp_hw_support="0",
    fw_load_type="-1", gartsize="4294967295", gpu_recovery="-1", gttsize="-1",
    halt_if_hws_hang="0", hws_gws_support="N", ip_block_mask="4294967295", job_hang_limit="0",
    lockup_timeout="", mcbp="-1", mes="0", moverate="-1", msi="-1",
    no_queue_eviction_on_vm_fault="0", no_system_mem_limit="N", noretry="-1", num_kcq="-1",
    pcie_gen_cap="0", pcie_lane_cap="0", pcie_p2p="Y", ppfeaturemask="4294950911",
    queue_preemption_timeout_ms="9000", ras_enable="-1", ras_mask="4294967295",
    reset_method="-1", runpm="-1", sched_hw_submission="2", sched_jobs="32", sched_policy="0",
    sg_display="-1", tmz="-1", use_xgmi_p2p="1", virtual_display="(null)", vis_vramlimit="0",
    vm_block_size="-1", vm_fault_stop="0", vm_fragment_size="-1", vm_size="-1",
    vm_update_mode="-1", vramlimit="0")
ROOT_ONLY = ("gttsize", "gartsize", "vramlimit", "vis_vramlimit", "moverate")


KFD_MINOR = (((6, 16), 18), ((6, 12), 17), ((6, 10), 16), ((6, 5), 14), ((0, 0), 11))


def ttm_files(m, t, module):
    limit = m.pages_limit or m.mem_total_kib * 1024 // 2 // 4096
    t.files_in(f"/sys/module/{module}", {"initstate": "live", "taint": "OE" if
                                         module != "ttm" else "\n"})
    t.files_in(f"/sys/module/{module}/parameters", {
        "pages_limit": str(limit), "page_pool_size": str(limit), "dma32_pages_limit": "524288"})


def dkms_files(m, t):
    """What DKMS has installed for this kernel; the build number is invented."""
    if m.kernel.dkms:
        top, version = "/var/lib/dkms/amdgpu", m.kernel.dkms + "-2084815.22.04"
        t.dir(f"{top}/{version}")
        t.link(f"{top}/kernel-{m.kernel.release}-x86_64", f"{version}/{m.kernel.release}/x86_64")


def driver_files(m, t):
    modules = ["nvme 61440 3 - Live 0x0000000000000000"]
    top = "/sys/module/amdgpu"
    t.dir("/sys/module")
    if m.module_loaded:
        t.files_in(top + "/parameters", dict(PARAMETERS, **m.parameters))
        if not m.builtin:
            taint = "OE" if m.kernel.dkms else "\n"
            dkms_files(m, t)
            t.files_in(top, {"initstate": "live", "version": m.kernel.dkms,
                             "srcversion": m.kernel.srcversion or "0F3D5E7A9B1C2D4E6F80A13",
                             "taint": taint})
            modules.insert(0, "amdgpu 19935232 21 - Live 0x0000000000000000")
        if not m.user.privileged:
            for name in ROOT_ONLY:
                t.refuse("file", f"{top}/parameters/{name}", "EACCES")
        for module in ("amdttm", "amdkcl") if m.kernel.dkms else ("ttm",):
            if module == "amdkcl":
                t.files_in("/sys/module/amdkcl", {"initstate": "live", "taint": "OE",
                                                  "srcversion": "1B7C07E5D9F4A6620C39E81"})
            else:
                ttm_files(m, t, module)
            if not m.builtin:
                modules.append(f"{module} 110592 1 amdgpu, Live 0x0000000000000000")
        t.dir("/sys/bus/pci/drivers/amdgpu")
    t.file("/proc/modules", "\n".join(modules))
    default = {"blacklist.conf": "# modules that cause harm when they load by themselves\n"
                                 "blacklist evbug\nblacklist usbmouse\n"}
    for path, text in dict({f"/etc/modprobe.d/{n}": v for n, v in default.items()},
                           **m.modprobe).items():
        t.file(path, text)
    t.file("/usr/lib/modprobe.d/aliases.conf", "# aliases for old hardware\n"
                                               "alias net-pf-10 off\n")
    if m.distribution.id in ("ubuntu", "debian"):
        t.link("/lib", "usr/lib")
    there = m.module_loaded and any(c.driver == "amdgpu" for c in m.cards)
    minor = next(v for since, v in KFD_MINOR if m.kernel.driver >= since)
    t.ask("kfd-version", "!ENOENT" if not there else f"1 {minor}" if may_open(m) else "!EACCES")


# ---- variables, services, ROCm ----

BASHRC = """# ~/.bashrc: executed by bash(1) for non-login shells.
case $- in
    *i*) ;;
      *) return;;
esac
HISTCONTROL=ignoreboth
alias ll='ls -alF'
"""


def environment(m, t):
    u = m.user
    path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
    if m.rocm and m.distribution.rocm_in_opt:
        path = "/opt/rocm/bin:" + path
    variables = {"HOME": u.home, "LANG": "en_US.UTF-8", "PATH": path, "SHELL": u.shell,
                 "TERM": "xterm-256color"}
    variables.update(u.environment)
    t.ask("environment", "".join(f"{k}={v}\n" for k, v in variables.items()))
    t.file("/etc/environment", 'PATH="/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:'
                               '/bin"')
    t.file("/etc/profile", "# system-wide .profile for the Bourne shell\n"
                           "for i in /etc/profile.d/*.sh; do . \"$i\"; done\n")
    t.file("/etc/profile.d/vte.sh", "# nothing of ours\n")
    t.file(f"{u.home}/.bashrc", BASHRC)
    t.file(f"{u.home}/.profile", 'if [ -n "$BASH_VERSION" ]; then . "$HOME/.bashrc"; fi\n')
    for name, text in m.homes.items():
        t.file(f"{u.home}/{name}", text)
    for name, text in m.etc.items():
        t.file(f"/etc/{name}", text)


def service_files(m, t):
    """Units in the system slice: the usual ones, and what a description adds."""
    top = "/sys/fs/cgroup/system.slice"
    for unit, pid in (("cron.service", 811), ("dbus.service", 812), ("ssh.service", 901)):
        t.file(f"{top}/{unit}/cgroup.procs", str(pid))
    for unit, s in m.services.items():
        t.file(f"{top}/{unit}/cgroup.procs", str(s["pid"]) if s.get("pid") else "")
        t.file(f"/etc/systemd/system/{unit}", s["text"])
        for name, text in s.get("drops", {}).items():
            t.file(f"/etc/systemd/system/{unit}.d/{name}", text)
        if s.get("pid"):
            process_dir(m, t, f"/proc/{s['pid']}", s["pid"], s["command"], s["uid"], s["uid"],
                        s["groups"], f"0::/system.slice/{unit}")


def rocm_libraries(t, version, info):
    """The runtime, whose file name carries the version; the math libraries are not modelled."""
    major, minor, patch = (int(part) for part in version.split("."))
    lib = f"/opt/rocm-{version}/lib"
    name = f"libamdhip64.so.{major}.{minor}.{major}{minor:02d}{patch:02d}"
    t.ask(f"libraries {lib}", f"dir {lib}\nversion {info}\nlibrary {name} 25812416")
    t.ask(f"code {lib}/{name}",
          f"size 25812416\nkind shared-library\nsoname libamdhip64.so.{major}\n"
          f"needed libamd_comgr.so.{2 if major < 7 else 3}\nneeded libhsa-runtime64.so.1\n"
          f"runpath $ORIGIN\ndefines hip_{major}.{minor}\nfound index\nbundles 0")


def rocm_files(m, t):
    t.dir("/opt")
    t.ask("environments", m.environments)
    multiarch = m.distribution.id in ("debian", "ubuntu")
    t.ask("libraries /usr/lib/x86_64-linux-gnu",
          "dir /usr/lib/x86_64-linux-gnu" if multiarch else "!ENOENT")
    t.ask("libraries /usr/lib64", "dir /usr/lib64")
    if not m.distribution.rocm_in_opt or not m.rocm:
        return
    for version in m.rocm:
        info = f"{version}-{66 if version[0] == '6' else 43}"
        t.file(f"/opt/rocm-{version}/.info/version", info)
        rocm_libraries(t, version, info)
    t.link("/etc/alternatives/rocm", f"/opt/rocm-{m.rocm[-1]}")
    t.link("/opt/rocm", "/etc/alternatives/rocm")


# ---- the kernel log and who uses the GPUs ----

def logs(m, t):
    began = m.wall - m.uptime
    lines = sorted(klog.boot(m) + m.later, key=lambda line: line[0])
    boots = list(m.earlier) + [(m.boot_id, began, lines)]
    denied = m.distribution.restrict and not m.user.privileged
    t.ask("kernel-log", m.ring or ("!EPERM" if denied else klog.ring_text(lines)))
    if not m.distribution.journal:
        t.ask("kernel-journal", "!ENOENT")
    elif m.journal_readable:
        t.ask("kernel-journal", klog.journal_text(boots))
    else:
        t.ask("kernel-journal", "!EACCES")
    syslog = m.distribution.id in ("ubuntu", "rhel") and m.journal_readable
    t.ask("kernel-file", klog.file_text(boots) if syslog else
          ("!EACCES" if m.distribution.id in ("ubuntu", "rhel") else "!ENOENT"))
    clients(m, t)


def clients(m, t):
    if not any(c.driver == "amdgpu" for c in m.cards):
        t.ask("drm-clients", "!ENOENT")
        return
    out = []
    for i, (pid, uid, command, address, kib) in enumerate(m.clients):
        out.append(f"process {pid} {uid} {command}\ndrm-driver:\tamdgpu\ndrm-client-id:\t{40 + i}\n"
                   f"drm-pdev:\t{address}\ndrm-total-vram:\t{kib} KiB\n"
                   f"drm-resident-vram:\t{kib} KiB\ndrm-memory-vram:\t{kib} KiB\n"
                   f"drm-memory-gtt:\t2048 KiB\ndrm-memory-cpu:\t0 KiB\n")
    out.append(f"denied {0 if m.user.privileged else 131}\n")
    t.ask("drm-clients", "".join(out))


# ---- a container around it all ----

def container_files(m, t):
    """What a process sees from within: the host's /sys, its own everything else."""
    ident = "3f8a1c2e9d40b7765e21f0c9a8d4b3e2716f5a09c8d7e6b5a4f3c2d1e0b9a877"
    podman = m.container.startswith("podman")
    t.file("/run/.containerenv" if podman else "/.dockerenv",
           'engine="podman-5.4.2"\nname="work"\nrootless=1\n' if podman else "")
    t.remove("/etc/modprobe.d")
    t.remove("/usr/lib/modprobe.d")
    t.dir("/etc/modprobe.d")
    t.remove("/sys/fs/cgroup/system.slice")
    limit = str(m.memory * GIB * 3 // 4)
    t.files_in("/sys/fs/cgroup", {
        "memory.max": "max" if podman else limit, "memory.current": "2147483648",
        "memory.swap.max": "max", "pids.max": "max",
        "memory.events": "low 0\nhigh 0\nmax 0\noom 0\noom_kill 0\noom_group_kill 0"})
    mounts = (
        "812 640 0:61 / / rw,relatime master:297 - overlay overlay rw,lowerdir=/l/A,upperdir=/d\n"
        "813 812 0:64 / /proc rw,nosuid,nodev,noexec,relatime - proc proc rw\n"
        "814 812 0:65 / /dev rw,nosuid - tmpfs tmpfs rw,size=65536k,mode=755,inode64\n"
        "816 812 0:67 / /sys ro,nosuid,nodev,noexec,relatime - sysfs sysfs ro\n"
        "817 816 0:27 / /sys/fs/cgroup ro,nosuid,nodev,noexec,relatime - cgroup2 cgroup rw\n"
        "818 814 0:68 / /dev/shm rw,nosuid,nodev,noexec,relatime - tmpfs shm rw,size=65536k\n")
    own = (f"/run/user/1000/containers/overlay-containers/{ident}/userdata" if podman else
           f"/var/lib/docker/containers/{ident}")
    for i, name in enumerate(("resolv.conf", "hostname", "hosts")):
        mounts += (f"{825 + i} 812 259:2 {own}/{name} /etc/{name} rw,relatime - ext4 "
                   "/dev/nvme0n1p2 rw,errors=remount-ro\n")
    t.ask("space /dev/shm", "size 67108864\nfree 67108864")
    for where in ("/proc/self", "/proc/1"):
        t.files_in(where, {"mountinfo": mounts, "cgroup": "0::/"})
        for name, number in (("pid", 4026533312), ("mnt", 4026533309), ("cgroup", 4026533313)):
            t.link(f"{where}/ns/{name}", f"{name}:[{number}]")
            t.records.pop(("link", f"{where}/ns/{name}"), None)
    t.records.pop(("link", "/proc/1/ns/user"), None)
    t.file("/proc/1/comm", "bash")
    if podman:
        for where in ("/proc/self", "/proc/1"):
            t.file(f"{where}/uid_map", "         0       1000          1\n"
                                       "         1     524288      65536\n")
            t.link(f"{where}/ns/user", "user:[4026533305]")
    else:
        t.file("/proc/sys/kernel/hostname", ident[:12])
    for ask in ("kernel-journal", "kernel-file"):
        t.ask(ask, "!ENOENT")
    t.ask("kernel-log", "!EPERM")
