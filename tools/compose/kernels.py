"""Kernel versions: which files and keys a driver of that age has.

`driver` is the version that decides: that of the kernel, or of the amdgpu-dkms that
replaces its driver. Key orders are those of kfd_topology.c (6.1, 6.8, 6.12, 7.x) as the
public captures show them.
"""

NODE_KEYS = (
    "cpu_cores_count simd_count mem_banks_count caches_count io_links_count p2p_links_count "
    "cpu_core_id_base simd_id_base max_waves_per_simd lds_size_in_kb gds_size_in_kb num_gws "
    "wave_front_size array_count simd_arrays_per_engine cu_per_simd_array simd_per_cu "
    "max_slots_scratch_cu gfx_target_version vendor_id device_id location_id domain "
    "drm_render_minor hive_id num_sdma_engines num_sdma_xgmi_engines num_sdma_queues_per_engine "
    "num_cp_queues cwsr_size ctl_stack_size"
).split()
GPU_KEYS = (
    "max_engine_clk_fcompute local_mem_size fw_version capability capability2 debug_prop "
    "sdma_fw_version unique_id num_xcc"
).split()

# The first driver version that has a key.
KEY_SINCE = {
    "p2p_links_count": (6, 0),
    "debug_prop": (6, 5),
    "num_xcc": (6, 5),
    "cwsr_size": (6, 14),
    "ctl_stack_size": (6, 14),
    "capability2": (6, 17),
}


class Kernel:
    def __init__(self, release, build, driver=None, dkms=None, srcversion="", compiler="gcc"):
        self.release = release
        self.build = build  # what stands behind the compiler in /proc/version
        numbers = release.split("-")[0].split(".")
        self.version = (int(numbers[0]), int(numbers[1]))
        self.dkms = dkms  # "6.10.5", or None for the kernel's own driver
        self.driver = driver or self.version
        self.srcversion = srcversion
        self.compiler = compiler

    def has(self, key):
        return self.driver >= KEY_SINCE.get(key, (0, 0))

    def node_keys(self, gpu):
        keys = NODE_KEYS + (GPU_KEYS if gpu else [])
        return [k for k in keys if self.has(k)] + ["max_engine_clk_ccompute"]

    def properties(self, values, gpu):
        return "".join(f"{key} {values.get(key, 0)}\n" for key in self.node_keys(gpu))

    def link(self, kind, source, target, weight, low, high, flags, engines=3):
        lines = [
            ("type", kind), ("version_major", 0), ("version_minor", 0), ("node_from", source),
            ("node_to", target), ("weight", weight), ("min_latency", 0), ("max_latency", 0),
            ("min_bandwidth", low), ("max_bandwidth", high), ("recommended_transfer_size", 0),
        ]
        if self.driver >= (6, 10):
            lines.append(("recommended_sdma_engine_id_mask", engines))
        lines.append(("flags", flags))
        return "".join(f"{key} {value}\n" for key, value in lines)


UBUNTU_2204_68_DKMS = Kernel(
    "6.8.0-45-generic", "#45~22.04.1-Ubuntu SMP PREEMPT_DYNAMIC Wed Sep 11 15:25:05 UTC 2",
    driver=(6, 8), dkms="6.8.5", srcversion="7A6E5C1D2F0B9438A1C6D27")
UBUNTU_2204_515_DKMS = Kernel(
    "5.15.0-122-generic", "#132-Ubuntu SMP Thu Aug 29 13:45:52 UTC 2024",
    driver=(6, 8), dkms="6.8.5", srcversion="93F1B20C77AA5D6E418B0C2")
UBUNTU_2204_515_DKMS_63 = Kernel(
    "5.15.0-130-generic", "#140-Ubuntu SMP Wed Dec 18 17:59:53 UTC 2024",
    driver=(6, 10), dkms="6.10.5", srcversion="5B1F0D66C2A97E30D41F8A9")
UBUNTU_2404_68 = Kernel(
    "6.8.0-79-generic", "#79-Ubuntu SMP PREEMPT_DYNAMIC Tue Aug 12 14:42:46 UTC 2025",
    srcversion="6CCB5408246071AC9F63359")
UBUNTU_2404_68_DKMS = Kernel(
    "6.8.0-60-generic", "#63-Ubuntu SMP PREEMPT_DYNAMIC Tue Apr 15 19:04:15 UTC 2025",
    driver=(6, 12), dkms="6.12.12", srcversion="C0E49A17B3D25F8866E0A14")
UBUNTU_2404_614_OEM = Kernel(
    "6.14.0-1014-oem", "#14-Ubuntu SMP PREEMPT_DYNAMIC Mon Oct 13 14:05:35 UTC 2025",
    srcversion="1D9E07F34CB2A58860F21EE")
UBUNTU_2604_70 = Kernel(
    "7.0.0-29-generic", "#29-Ubuntu SMP PREEMPT_DYNAMIC Thu Sep  3 11:02:16 UTC 2026",
    srcversion="E2B6A0917F5C34D8810BA4D")
DEBIAN_12_61 = Kernel(
    "6.1.0-25-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.106-3 (2024-08-26)",
    srcversion="4F08C6D19E7AB3520D6B91C")
DEBIAN_13_612 = Kernel(
    "6.12.57+deb13-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.12.57-1 (2025-11-05)",
    srcversion="A7715E09D3C28B46F0913DE")
FEDORA_42_616 = Kernel(
    "6.16.10-200.fc42.x86_64", "#1 SMP PREEMPT_DYNAMIC Thu Oct  2 18:40:16 UTC 2025")
ARCH_617 = Kernel("6.17.7-arch1-1", "#1 SMP PREEMPT_DYNAMIC Sun, 02 Nov 2025 17:27:05 +0000")
TUMBLEWEED_617 = Kernel(
    "6.17.7-1-default", "#1 SMP PREEMPT_DYNAMIC Mon Nov  3 06:24:20 UTC 2025 (a6d10c4)")
RHEL_9_DKMS = Kernel(
    "5.14.0-503.11.1.el9_5.x86_64", "#1 SMP PREEMPT_DYNAMIC Wed Oct 9 12:31:30 EDT 2024",
    driver=(6, 10), dkms="6.10.5", srcversion="0CC2F9D51A7E834B6D90F17")
GENTOO_612 = Kernel("6.12.41-gentoo", "#2 SMP PREEMPT_DYNAMIC Sat Aug 23 09:14:52 UTC 2025")
WSL2_66 = Kernel(
    "6.6.87.2-microsoft-standard-WSL2", "#1 SMP PREEMPT_DYNAMIC Thu Jun  5 18:30:46 UTC 2025")
