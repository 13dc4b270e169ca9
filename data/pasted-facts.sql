-- Output of tools that somebody pasted into a text, as rows of the tables that a machine fills, so that the same rules
-- judge both. What a signature of kb/signatures/pasted.yaml met stands in event and event_value; at most 8 different lines
-- of each are kept. Run once for a text without a machine. A column that the text does not show stays NULL.
-- A statement without whose gate it has no rows is not prepared; gates are those of kb/gate.h, before the first statement ran.
-- The views pasted and pasted_user are those of data/pasted-views.sql.

-- gate: event.signature pasted-id pasted-groups
INSERT INTO main.identity (how, uid, source, origin)
SELECT 'the text', uid, source, 'log' FROM pasted_user;

-- ls -l /dev/kfd /dev/dri: a name without its directory is completed. Only root has a number that is the same everywhere; ls -n shows numbers.
-- Whether the user has the group is known if id or groups was pasted, and there is no access list that could name the user.
-- gate: event.signature pasted-node
INSERT INTO main.device_node (path, kind, mode, uid, gid, in_group, source, origin)
SELECT CASE WHEN p.path LIKE '/dev/%' THEN p.path WHEN p.path = 'kfd' THEN '/dev/kfd' ELSE '/dev/dri/' || p.path END,
	'c',
	printf('0%d%d%d', 4 * (substr(p.mode, 2, 1) = 'r') + 2 * (substr(p.mode, 3, 1) = 'w'),
		4 * (substr(p.mode, 5, 1) = 'r') + 2 * (substr(p.mode, 6, 1) = 'w'),
		4 * (substr(p.mode, 8, 1) = 'r') + 2 * (substr(p.mode, 9, 1) = 'w')),
	CASE WHEN p.owner IN ('root', '0') THEN 0 END,
	CASE WHEN p."group" GLOB '[0-9]*' THEN CAST(p."group" AS INTEGER) WHEN p."group" = 'root' THEN 0 END,
	CASE WHEN p.acl = '+' THEN NULL
		ELSE (SELECT instr(u.groups, ' ' || p."group" || ' ') > 0 FROM pasted_user u) END,
	p.source, 'log'
FROM pasted p WHERE p.signature = 'pasted-node' AND p.path IS NOT NULL ORDER BY p.nth;

-- ls: cannot access '/dev/kfd'.
-- gate: event.signature dev-kfd-missing
INSERT INTO main.device_node (path, open_result, source, origin)
SELECT node, 'ENOENT', source, 'log' FROM pasted WHERE signature = 'dev-kfd-missing' AND node = '/dev/kfd' LIMIT 1;

-- docker run without --device: inside there is no /dev/kfd.
-- gate: event.signature pasted-run-without-devices
INSERT INTO main.container (kind, source, origin)
SELECT engine, source, 'log' FROM pasted WHERE signature = 'pasted-run-without-devices' AND nth = 0 AND engine IS NOT NULL;
-- gate: event.signature pasted-run-without-devices
INSERT INTO main.device_node (path, open_result, source, origin)
SELECT '/dev/kfd', 'ENOENT', source, 'log' FROM pasted p
WHERE signature = 'pasted-run-without-devices' AND nth = 0
	AND NOT EXISTS (SELECT 1 FROM main.device_node d WHERE d.path = '/dev/kfd');

-- env, export: where the loader looks first. What was stated for it stands.
-- gate: event.signature pasted-library-path
INSERT INTO main.env (subject, name, value, source, origin)
SELECT 'identity', 'LD_LIBRARY_PATH', v.value, v.source, 'log' FROM main.event_value v
WHERE v.signature = 'pasted-library-path' AND v.nth = 0 AND instr(v.value, 'rocm')
	AND NOT EXISTS (SELECT 1 FROM main.env e WHERE e.name = 'LD_LIBRARY_PATH');

-- env, a compose file, a command: two lists of GPUs that stand together, and a program that sees none. What was stated stands.
-- gate: event.signature pasted-rocr-mask; event.signature pasted-hip-mask
INSERT INTO main.env (subject, name, value, source, origin)
SELECT 'identity', n.name, n.value, n.source, 'log' FROM (
	SELECT 'ROCR_VISIBLE_DEVICES' AS name, rocr AS value, rocr_source AS source FROM pasted_masks
	UNION ALL SELECT name, value, source FROM pasted_masks) n
WHERE NOT EXISTS (SELECT 1 FROM main.env e WHERE e.name GLOB '*_VISIBLE_DEVICES')
	AND EXISTS (SELECT 1 FROM main.event f WHERE f.signature IN ('hip-no-device', 'hip-none-found-words', 'device-count-zero',
		'list-count-zero', 'hint-no-gpu', 'hip-invalid-ordinal'));

-- The log of RCCL: where it starts over an interface that the others cannot reach, and which one they can.
-- gate: event.signature pasted-rccl-bootstrap
INSERT INTO main.statement (name, value, source, origin)
SELECT 'bootstrap_interface', interface || ' (' || address || ')', source, 'log' FROM pasted_bootstrap;
-- gate: event.signature pasted-rccl-bootstrap; event.signature pasted-rccl-interface pasted-interface
INSERT INTO main.statement (name, value, source, origin)
SELECT 'routable_interface', other, source, 'log' FROM pasted_bootstrap WHERE other IS NOT NULL AND other <> interface;

-- rocm-smi, amd-smi: the mode of a GPU that is divided. A device with a half, a third, a quarter or an eighth of the card's
-- memory is a part of it; what is reserved is less than a tenth. Only where every card that is named can be divided.
-- gate: event.signature pasted-partition-mode fact-partitioned
INSERT INTO main.statement (name, value, source, origin)
SELECT 'compute_partition', value, source, 'log' FROM main.event_value
WHERE signature IN ('pasted-partition-mode', 'fact-partitioned') AND name = 'compute' ORDER BY nth LIMIT 1;
-- gate: statement.name gpu; event.signature torch-out-of-memory torch-out-of-memory-old torch-out-of-memory-rest pasted-device-memory
INSERT INTO main.statement (name, value, source, origin)
SELECT 'divided_capacity', m.value || ', and a whole ' || c.card || ' ' || c.gib || ' GiB', m.source, 'log'
FROM main.event_value m JOIN (SELECT 'MI300X' AS card, 192 AS gib UNION ALL SELECT 'MI325X', 256
	UNION ALL SELECT 'MI350X', 288 UNION ALL SELECT 'MI355X', 288) c
JOIN (SELECT 2 AS parts UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 8) p
	ON m.bytes BETWEEN c.gib * 966367641 / p.parts AND c.gib * 1095216660 / p.parts
WHERE m.name = 'total' AND m.signature IN ('torch-out-of-memory', 'torch-out-of-memory-old',
		'torch-out-of-memory-rest', 'pasted-device-memory')
	AND EXISTS (SELECT 1 FROM main.statement g WHERE g.name = 'gpu' AND g.value LIKE '%' || c.card || '%')
	AND NOT EXISTS (SELECT 1 FROM main.statement o WHERE o.name = 'gpu' AND o.value NOT LIKE '%' || c.card || '%')
ORDER BY m.signature = 'pasted-device-memory', m.nth LIMIT 1;

-- ls, find: a virtual environment of one Python, and python --version of another one. Two such environments tell nothing.
-- gate: statement.name python; event.signature pasted-venv-python pasted-venv-version
INSERT INTO main.statement (name, value, source, origin)
SELECT 'venv_python', min(v.value), min(v.source), 'log' FROM main.event_value v
JOIN main.statement p ON p.name = 'python' AND p.value GLOB '3.*'
WHERE v.name = 'python' AND (v.signature = 'pasted-venv-python' OR v.signature = 'pasted-venv-version'
	AND EXISTS (SELECT 1 FROM main.event l WHERE l.signature = 'pasted-venv-listing'))
HAVING count(DISTINCT v.value) = 1 AND count(DISTINCT p.value) = 1 AND max(p.value || '.' GLOB v.value || '.*') = 0;

-- lsmod.
-- gate: event.signature pasted-module
INSERT INTO main.driver (name, loaded, source, origin)
SELECT 'amdgpu', 1, source, 'log' FROM pasted WHERE signature = 'pasted-module' AND nth = 0;

-- uname, collect_env, dmesg: what was said of the kernel and the system.
-- gate: statement.name kernel
INSERT INTO main.host (kernel, distribution_name, source, origin)
SELECT k.value, (SELECT value FROM main.statement WHERE name = 'os' LIMIT 1), k.source, k.origin
FROM main.statement k WHERE k.name = 'kernel' LIMIT 1;

-- rocminfo to its end, with CPUs among its agents and no GPU: ROCm counts none.
-- gate: event.signature pasted-agent; event.signature pasted-agents-end
INSERT INTO main.statement (name, value, source, origin)
SELECT 'gpu_count', '0', min(v.source), 'log' FROM main.event_value v WHERE v.signature = 'pasted-agent'
	AND EXISTS (SELECT 1 FROM main.event e WHERE e.signature = 'pasted-agents-end')
HAVING max(v.value = 'CPU') AND NOT max(v.value = 'GPU');
