-- What is compared by its size between devices of a class, not by being the same (rocsteady outliers): a value differs
-- if it lies above the median by so many deviations, and by so much at least. The deviation is 1.4826 times the median
-- distance from the median, which is the standard deviation where values are normal.
--
-- Each statement gives rows of (class, name, node, device, value); temp.member says which class a node is in. Heat and
-- power are compared between GPUs that work, and between those that rest: a node with a job is no outlier.

CREATE TEMP VIEW counter_limit AS SELECT column1 AS name, -- as below, before a comma
	column2 AS deviations, -- above the median
	column3 AS least -- distance from it
FROM (VALUES ('PCIe replays', 8, 1000), ('ECC errors corrected', 8, 100), ('lost RDMA links', 8, 10),
	('junction temperature', 8, 15), ('power', 8, 100));

CREATE TEMP VIEW counted_device AS
SELECT m.class AS class, 'PCIe replays' AS name, g.node AS node, g.address AS device, g.pcie_replays AS value
FROM gpu g JOIN temp.member m ON m.node = g.node WHERE g.pcie_replays IS NOT NULL
UNION ALL SELECT m.class, 'ECC errors corrected', r.node, r.address, sum(r.correctable)
FROM ras r JOIN temp.member m ON m.node = r.node WHERE r.correctable IS NOT NULL GROUP BY r.node, r.address
UNION ALL SELECT m.class, 'lost RDMA links', p.node, p.address, sum(p.link_downed)
FROM rdma_port p JOIN temp.member m ON m.node = p.node WHERE p.link_downed IS NOT NULL GROUP BY p.node, p.address
UNION ALL SELECT m.class, iif(s.name = 'junction', 'junction temperature', 'power') || CASE WHEN g.busy_percent IS NULL THEN ', load unknown'
		WHEN g.busy_percent >= 50 THEN ', at work' ELSE ', at rest' END, s.node, s.address, s.value
FROM sensor s JOIN temp.member m ON m.node = s.node JOIN gpu g ON g.node = s.node AND g.address = s.address
WHERE s.name IN ('junction', 'power');
