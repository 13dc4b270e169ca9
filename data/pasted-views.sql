-- What the statements of data/pasted-facts.sql read: a line that somebody pasted, with its values beside it. To make and
-- drop them for each text would have every statement prepared anew.

CREATE TEMP VIEW IF NOT EXISTS pasted AS
SELECT e.signature, e.nth, e.source,
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'mode') AS mode,
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'acl') AS acl,
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'owner') AS owner,
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'group') AS "group",
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'path') AS path,
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'uid') AS uid,
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'groups') AS groups,
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'engine') AS engine,
	(SELECT value FROM main.event_value v WHERE v.signature = e.signature AND v.nth = e.nth AND v.name = 'node') AS node
FROM main.event e WHERE e.signature LIKE 'pasted-%' OR e.signature = 'dev-kfd-missing';

-- The first user who is not root, for a text often has both. id says more than groups: the number, too.
CREATE TEMP VIEW IF NOT EXISTS pasted_user AS
SELECT CAST(uid AS INTEGER) AS uid, source,
	' ' || coalesce(replace(replace(replace(groups, '(', ' '), ')', ' '), ',', ' '), '') || ' ' AS groups
FROM pasted WHERE (signature = 'pasted-id' AND CAST(uid AS INTEGER) <> 0)
	OR (signature = 'pasted-groups' AND instr(' ' || groups || ' ', ' root ') = 0)
ORDER BY signature <> 'pasted-id', nth LIMIT 1;

-- ROCR_VISIBLE_DEVICES and the list that counts what it leaves, within three lines of each other: of one environment.
CREATE TEMP VIEW IF NOT EXISTS pasted_masks AS
SELECT r.value AS rocr, r.source AS rocr_source, n.value AS name, h.value AS value, h.source AS source
FROM main.event_value r JOIN main.event_value h ON h.signature = 'pasted-hip-mask' AND h.name = 'value'
JOIN main.event_value n ON n.signature = h.signature AND n.nth = h.nth AND n.name = 'name'
JOIN main.event a ON a.signature = r.signature AND a.nth = r.nth JOIN main.event b ON b.signature = h.signature AND b.nth = h.nth
WHERE r.signature = 'pasted-rocr-mask' AND r.name = 'value'
	AND abs(a.line - b.line) <= 3
ORDER BY n.value = 'CUDA_VISIBLE_DEVICES', r.nth, h.nth LIMIT 1;

-- The interface over which RCCL starts, where others cannot reach it: its address is of the link alone, or it belongs to the
-- containers of one host; and the first other interface with an address that can be routed.
CREATE TEMP VIEW IF NOT EXISTS pasted_bootstrap AS
SELECT i.value AS interface, a.value AS address, i.source AS source, i.nth AS nth,
	coalesce((SELECT value FROM main.event_value WHERE signature = 'pasted-rccl-interface' AND name = 'interface' ORDER BY nth LIMIT 1),
		(SELECT value FROM main.event_value WHERE signature = 'pasted-interface' AND name IN ('interface', 'device') ORDER BY nth LIMIT 1)) AS other
FROM main.event_value i JOIN main.event_value a ON a.signature = i.signature AND a.nth = i.nth AND a.name = 'address'
WHERE i.signature = 'pasted-rccl-bootstrap' AND i.name = 'interface'
	AND (a.value GLOB '169.254.*' OR a.value GLOB 'fe80:*' OR i.value GLOB 'docker*' OR i.value GLOB 'virbr*' OR i.value GLOB 'cni*'
		OR i.value GLOB 'br-*' OR i.value GLOB 'lxc*' OR i.value GLOB 'lxd*' OR i.value GLOB 'podman*')
ORDER BY i.nth LIMIT 1;
