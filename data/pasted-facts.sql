-- Output of tools that somebody pasted into a text, as rows of the tables that a machine fills, so that the same rules
-- judge both. What a signature of kb/signatures/pasted.yaml met stands in event and event_value; at most 8 different lines
-- of each are kept. Run once for a text without a machine. A column that the text does not show stays NULL.
-- The views pasted and pasted_user are those of data/pasted-views.sql.

INSERT INTO main.identity (how, uid, source, origin)
SELECT 'the text', uid, source, 'log' FROM pasted_user;

-- ls -l /dev/kfd /dev/dri: a name without its directory is completed. Only root has a number that is the same everywhere.
-- Whether the user has the group is known if id or groups was pasted, and there is no access list that could name the user.
INSERT INTO main.device_node (path, kind, mode, uid, in_group, source, origin)
SELECT CASE WHEN p.path LIKE '/dev/%' THEN p.path WHEN p.path = 'kfd' THEN '/dev/kfd' ELSE '/dev/dri/' || p.path END,
	'c',
	printf('0%d%d%d', 4 * (substr(p.mode, 2, 1) = 'r') + 2 * (substr(p.mode, 3, 1) = 'w'),
		4 * (substr(p.mode, 5, 1) = 'r') + 2 * (substr(p.mode, 6, 1) = 'w'),
		4 * (substr(p.mode, 8, 1) = 'r') + 2 * (substr(p.mode, 9, 1) = 'w')),
	CASE p.owner WHEN 'root' THEN 0 END,
	CASE WHEN p.acl = '+' THEN NULL
		ELSE (SELECT instr(u.groups, ' ' || p."group" || ' ') > 0 FROM pasted_user u) END,
	p.source, 'log'
FROM pasted p WHERE p.signature = 'pasted-node' AND p.path IS NOT NULL ORDER BY p.nth;

-- ls: cannot access '/dev/kfd'.
INSERT INTO main.device_node (path, open_result, source, origin)
SELECT node, 'ENOENT', source, 'log' FROM pasted WHERE signature = 'dev-kfd-missing' AND node = '/dev/kfd' LIMIT 1;

-- docker run without --device: inside there is no /dev/kfd.
INSERT INTO main.container (kind, source, origin)
SELECT engine, source, 'log' FROM pasted WHERE signature = 'pasted-run-without-devices' AND nth = 0 AND engine IS NOT NULL;
INSERT INTO main.device_node (path, open_result, source, origin)
SELECT '/dev/kfd', 'ENOENT', source, 'log' FROM pasted p
WHERE signature = 'pasted-run-without-devices' AND nth = 0
	AND NOT EXISTS (SELECT 1 FROM main.device_node d WHERE d.path = '/dev/kfd');

-- env, export: where the loader looks first. What was stated for it stands.
INSERT INTO main.env (subject, name, value, source, origin)
SELECT 'identity', 'LD_LIBRARY_PATH', v.value, v.source, 'log' FROM main.event_value v
WHERE v.signature = 'pasted-library-path' AND v.nth = 0 AND instr(v.value, 'rocm')
	AND NOT EXISTS (SELECT 1 FROM main.env e WHERE e.name = 'LD_LIBRARY_PATH');

-- lsmod.
INSERT INTO main.driver (name, loaded, source, origin)
SELECT 'amdgpu', 1, source, 'log' FROM pasted WHERE signature = 'pasted-module' AND nth = 0;

-- uname, collect_env, dmesg: what was said of the kernel and the system.
INSERT INTO main.host (kernel, distribution_name, source, origin)
SELECT k.value, (SELECT value FROM main.statement WHERE name = 'os' LIMIT 1), k.source, k.origin
FROM main.statement k WHERE k.name = 'kernel' LIMIT 1;

-- rocminfo to its end, with CPUs among its agents and no GPU: ROCm counts none.
INSERT INTO main.statement (name, value, source, origin)
SELECT 'gpu_count', '0', min(v.source), 'log' FROM main.event_value v WHERE v.signature = 'pasted-agent'
	AND EXISTS (SELECT 1 FROM main.event e WHERE e.signature = 'pasted-agents-end')
HAVING max(v.value = 'CPU') AND NOT max(v.value = 'GPU');
