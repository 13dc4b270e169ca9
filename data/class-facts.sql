-- What a machine has of all that a node class can state, for `rocsteady expect`: made
-- beside the tables of src/facts/schema.sql when that command asks. The names are
-- those of src/parse/expect.c.

CREATE TEMP VIEW class_fact AS -- What this machine has of all that a node class can state; of integrated GPUs only their number.
SELECT '' AS subject, -- PCI address, or empty for the node
	'gpus' AS name, -- as in expect.conf
	printf('%d', count(g.address)) AS value, -- as expect.conf would state it
	'/sys/bus/pci/devices' AS source, -- path
	min(h.origin) AS origin -- observed, stated, log or probed
FROM host h LEFT JOIN gpu g WHERE h.pci_functions IS NOT NULL AND NOT EXISTS (SELECT 1 FROM gap WHERE topic = 'gpu' AND standing <> 'absent')
GROUP BY h.source
UNION ALL SELECT '', 'memory_gib', printf('%.0f', h.memory_total_bytes / 1073741824.0), h.source, h.origin
FROM host h WHERE h.memory_total_bytes IS NOT NULL
UNION ALL SELECT '', 'kernel', h.kernel, h.source, h.origin FROM host h WHERE h.kernel <> ''
UNION ALL SELECT '', 'driver', iif(d.packaging = 'dkms', d.version, 'kernel-' || h.kernel), d.source, d.origin
FROM driver d JOIN host h WHERE d.name = 'amdgpu' AND d.loaded = 1 AND d.packaging IN ('dkms', 'in-tree')
UNION ALL SELECT g.address, 'compute_partition', g.compute_partition, g.source, g.origin
FROM gpu g WHERE g.compute_partition <> '' AND g.integrated = 0
UNION ALL SELECT g.address, 'memory_partition', g.memory_partition, g.source, g.origin
FROM gpu g WHERE g.memory_partition <> '' AND g.integrated = 0
UNION ALL SELECT g.address, 'vram_gib', printf('%.0f', g.vram_total_bytes / 1073741824.0), g.source, g.origin
FROM gpu g WHERE g.vram_total_bytes IS NOT NULL AND g.integrated = 0
UNION ALL SELECT g.address, 'vbios', g.vbios, g.source, g.origin FROM gpu g WHERE g.vbios <> '' AND g.integrated = 0
UNION ALL SELECT f.address, 'firmware.' || f.name, f.version, f.source, f.origin
FROM firmware f JOIN gpu g ON g.address = f.address WHERE g.integrated = 0 AND f.version <> '0x00000000'
UNION ALL SELECT p.gpu, 'pcie_width', printf('%d', p.width), p.source, p.origin
FROM pcie p JOIN gpu g ON g.address = p.gpu WHERE p.slot = 1 AND p.width IS NOT NULL AND (g.class LIKE '12%' OR g.class LIKE '0380%')
UNION ALL SELECT p.gpu, 'pcie_gts', printf('%g', p.speed_gts), p.source, p.origin
FROM pcie p JOIN gpu g ON g.address = p.gpu WHERE p.slot = 1 AND p.speed_gts IS NOT NULL AND (g.class LIKE '12%' OR g.class LIKE '0380%')
UNION ALL SELECT '', 'nics', printf('%d', count(DISTINCT p.address)), '/sys/class/infiniband', min(p.origin)
FROM rdma_port p WHERE p.virtual_function = 0
	AND NOT EXISTS (SELECT 1 FROM gap WHERE topic = 'rdma_port' AND standing <> 'absent') HAVING count(*) > 0
UNION ALL SELECT DISTINCT p.address, 'nic', p.address, '/sys/class/infiniband', p.origin FROM rdma_port p WHERE p.virtual_function = 0
UNION ALL SELECT p.address, 'nic_gbps', printf('%g', p.rate_gbps), p.source, p.origin
FROM rdma_port p WHERE p.virtual_function = 0 AND p.state = 'ACTIVE' AND p.rate_gbps IS NOT NULL
UNION ALL SELECT DISTINCT '', 'kernel_arg.' || k.name, coalesce(k.value, 'set'), k.source, k.origin FROM kernel_arg k
WHERE coalesce(k.value, 'set') NOT GLOB '*[^-A-Za-z0-9._:+~=,/@%]*' AND k.value IS NOT '' AND (k.name IN ('iommu', 'amd_iommu', 'intel_iommu', 'pci',
	'pcie_aspm', 'numa_balancing', 'mitigations', 'transparent_hugepage', 'hugepages', 'hugepagesz', 'default_hugepagesz', 'isolcpus', 'nohz_full',
	'processor.max_cstate') OR k.name GLOB 'amdgpu.*' OR EXISTS (SELECT 1 FROM expected e WHERE e.name = 'kernel_arg.' || k.name))
UNION ALL SELECT '', 'sysctl.kernel.numa_balancing', printf('%d', h.numa_balancing), h.source, h.origin FROM host h WHERE h.numa_balancing IS NOT NULL
UNION ALL SELECT '', e.name, e.here, e.source, e.origin FROM expected e WHERE e.here IS NOT NULL AND e.name <> 'sysctl.kernel.numa_balancing';

CREATE TEMP VIEW class_unread AS -- What could not be read of that, and so is missing in a class that is recorded.
SELECT topic, -- as in gap
	subject, -- as in gap
	source -- as in gap
FROM gap WHERE standing <> 'absent'
	AND substr(topic, 1, instr(topic || '.', '.') - 1) IN ('host', 'driver', 'gpu', 'firmware', 'pcie', 'rdma_port', 'kernel_arg')
	AND topic NOT LIKE 'pcie.atomics%' AND topic NOT IN ('pcie.acs', 'pcie.port', 'driver.dkms_version');

CREATE TEMP VIEW class_table AS -- The table of facts that answers a name of a node class.
SELECT column1 AS name, -- as in expect.conf; * is any text
	column2 AS topic -- table
FROM (VALUES ('gpus', 'gpu'), ('vram_gib', 'gpu'), ('vbios', 'gpu'), ('*_partition', 'gpu'), ('firmware.*', 'firmware'),
	('pcie_*', 'pcie'), ('nic*', 'rdma_port'), ('driver', 'driver'), ('kernel', 'host'), ('memory_gib', 'host'),
	('kernel_arg.*', 'kernel_arg'), ('sysctl.*', 'expected.here'));

CREATE TEMP VIEW class_state AS -- Each line of what is expected of this machine, beside what it has.
SELECT e.name AS name, -- as in expect.conf
	e.text AS expected, -- as it is written there
	coalesce((SELECT group_concat(DISTINCT f.value) FROM class_fact f WHERE f.name = e.name AND (e.name <> 'nic' OR f.value = e.text)),
		iif(EXISTS (SELECT 1 FROM class_table t JOIN class_unread u ON u.topic || '.' GLOB t.topic || '.*' WHERE e.name GLOB t.name),
			'not read', 'missing')) AS here, -- what this machine has, with commas where GPUs or ports differ; missing; not read
	e.source AS source, -- the option, or the file
	e.origin AS origin -- expected
FROM expected e;
