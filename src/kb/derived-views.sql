-- What follows from the facts and the tables of the world together, for more than one statement of the knowledge.
-- Temporary, because no other view can read two databases. Each has its name in words_derived (words.c), and ends with a semicolon.
-- Without what one of its gates asks for a view has no rows, and is not worked out; a gate is as kb/gate.h has it, and may name a view that stands before.
-- What a column is stands on the line on which it ends, before the line that begins with FROM: view-columns.c reads that.

CREATE TEMP VIEW IF NOT EXISTS program_without_torch AS -- A program that the text names and that does not compute with torch: another torch cannot help it.
-- gate: statement
-- gate: event.signature names-*
SELECT c.application AS application, -- as program.application
	substr(s.value, 1, instr(s.value || ' (', ' (') - 1) AS name, -- as the text writes it, without a version in brackets
	EXISTS (SELECT 1 FROM main.statement t
		WHERE t.name = 'torch' OR (t.name = 'framework' AND lower(t.value) LIKE '%torch%')) AS beside_torch, -- 1 if the text names torch as well
	s.source AS source -- file:line, or the option
FROM main.statement s JOIN kb.program c ON instr(lower(s.value), c.application) > 0
WHERE s.name = 'framework' AND c.uses_torch = 0 AND lower(s.value) NOT LIKE '%torch%'
UNION SELECT c.application, c.application, EXISTS (SELECT 1 FROM main.statement t
		WHERE t.name = 'torch' OR (t.name = 'framework' AND lower(t.value) LIKE '%torch%')), s.source
FROM main.statement s JOIN kb.program c ON c.application = replace(s.name, '_', '.') AND c.uses_torch = 0
UNION SELECT c.application, c.title, EXISTS (SELECT 1 FROM main.statement t
		WHERE t.name = 'torch' OR (t.name = 'framework' AND lower(t.value) LIKE '%torch%')), n.source
FROM main.event n JOIN kb.program c ON n.signature = 'names-' || replace(replace(c.application, '.', '-'), ' ', '-') AND c.uses_torch = 0;

CREATE TEMP VIEW IF NOT EXISTS line_without_torch AS -- A line that another program than torch writes, in a text that names no torch.
-- gate: event.signature names-* ollama-* llama-* ggml-*
SELECT n.signature AS signature, -- as event.signature
	n.source AS source -- file:line
FROM main.event n
WHERE ((n.signature LIKE 'names-%' AND n.signature <> 'names-rccl-log') OR n.signature LIKE 'ollama-%' OR n.signature LIKE 'llama-%' OR n.signature LIKE 'ggml-%')
	AND NOT EXISTS (SELECT 1 FROM main.statement t WHERE t.name = 'torch');

CREATE TEMP VIEW IF NOT EXISTS named_program AS -- The program that the text names, where it is not torch, a part of ROCm or a tool that only shows.
-- gate: statement.name framework
SELECT n.name AS name, -- as the text writes it, without what stands behind it: "OneTrainer (StabilityMatrix)"
	c.application AS application, -- as program.application; NULL: not known there
	c.package AS package, -- as program.package
	c.uses_torch AS uses_torch, -- as program.uses_torch
	c.brings_torch AS brings_torch, -- as program.brings_torch
	n.source AS source -- file:line, or the option
FROM (SELECT trim(substr(s.value, 1, min(instr(s.value || ' (', ' ('), instr(s.value || ' / ', ' / '), instr(s.value || ', ', ', '),
		instr(s.value || ' with ', ' with '), instr(s.value || ' + ', ' + ')) - 1)) AS name, s.source AS source
	FROM main.statement s WHERE s.name = 'framework') n
	LEFT JOIN kb.program c ON ' ' || lower(n.name) || ' ' GLOB '*[^a-z]' || c.application || '[^a-z]*' -- not Jan in January
WHERE length(n.name) > 1 AND coalesce(c.application, '') <> 'own-code' AND lower(n.name) NOT LIKE '%torch%' AND lower(n.name) NOT LIKE 'roc%' AND lower(n.name) NOT LIKE 'hip%'
	AND lower(n.name) NOT LIKE '%opencl%' AND lower(n.name) NOT LIKE 'miopen%' AND lower(n.name) NOT LIKE 'migraphx%'
	AND lower(n.name) NOT LIKE 'amd%smi%' AND lower(n.name) NOT IN ('rccl', 'clr', 'comgr', 'clinfo', 'python', 'docker', 'none', 'opencl', 'linux', 'kernel');

CREATE TEMP VIEW IF NOT EXISTS program_here AS -- The program in whose words a step is said: the one that the text names, else the one that writes its lines. One row, or none.
-- gate: named_program
-- gate: program_without_torch
-- gate: event.signature ollama-* names-ggml llama-* ggml-*
SELECT p.application AS application, -- as program.application
	p.title AS title, -- as program.title
	p.command AS command, -- as program.command
	CASE WHEN EXISTS (SELECT 1 FROM main.statement k WHERE k.name IN ('container', 'image')) THEN NULL ELSE p.service END AS service, -- as program.service; NULL in a container, too
	n.source AS source -- file:line, or the option
FROM (SELECT n.application AS application, n.source AS source, 0 AS after FROM named_program n
	UNION ALL SELECT w.application, w.source, 1 FROM program_without_torch w
	UNION ALL SELECT 'ollama', e.source, 2 FROM main.event e WHERE e.nth = 0 AND e.signature LIKE 'ollama-%'
	UNION ALL SELECT 'llama.cpp', e.source, 3 FROM main.event e WHERE e.nth = 0 AND (e.signature = 'names-ggml' OR e.signature LIKE 'llama-%' OR e.signature LIKE 'ggml-%')) n
	JOIN kb.program p ON p.application = n.application
ORDER BY n.after, length(p.application) DESC, p.application LIMIT 1;

CREATE TEMP VIEW IF NOT EXISTS program_way AS -- How that program does each act, in the release that the text names.
-- gate: program_here
SELECT a.act AS act, -- as program_act.act
	a.position AS position, -- as program_act.position
	a.way AS way, -- as program_act.way
	a.value AS value, -- as program_act.value
	a.says AS says, -- as program_act.says
	a.system AS system -- as program_act.system
FROM program_here h JOIN kb.program_act a ON a.application = h.application
	LEFT JOIN (SELECT s.name AS name, min(s.version) AS version FROM main.statement s WHERE s.version NOT NULL GROUP BY s.name) v
		ON v.name = replace(h.application, '.', '_')
WHERE (a.since IS NULL OR v.version IS NULL OR version_cmp(v.version, a.since) >= 0)
	AND (a.until IS NULL OR v.version IS NULL OR version_cmp(v.version, a.until) < 0);

CREATE TEMP VIEW IF NOT EXISTS advised_program AS -- The program that `rocsteady advise --for` prints a command for: the one that the text names, else torch. One row, or none where advise knows nothing for it.
SELECT application, -- as advice.application
	source -- file:line, the option, or kb/remedies for torch
FROM (SELECT p.application AS application, p.source AS source, p.uses_torch AS after
	FROM named_program p WHERE p.application IN (SELECT b.application FROM kb.build b UNION SELECT i.application FROM kb.image i UNION SELECT y.application FROM kb.python_package y UNION SELECT 'comfyui') AND p.application <> 'torch'
	UNION ALL SELECT w.application, w.source, 0 FROM program_without_torch w WHERE w.application IN (SELECT b.application FROM kb.build b UNION SELECT i.application FROM kb.image i UNION SELECT y.application FROM kb.python_package y UNION SELECT 'comfyui')
	UNION ALL SELECT 'ollama', e.source, 0 FROM main.event e WHERE e.nth = 0 AND e.signature LIKE 'ollama-%'
	UNION ALL SELECT 'llama.cpp', e.source, 0 FROM main.event e WHERE e.nth = 0 AND e.signature = 'names-ggml'
	UNION ALL SELECT 'torch', 'kb/remedies', 2
	WHERE EXISTS (SELECT 1 FROM main.statement t WHERE t.name = 'torch') OR NOT EXISTS (SELECT 1 FROM program_without_torch)
		AND NOT EXISTS (SELECT 1 FROM line_without_torch))
ORDER BY after, application = 'llama.cpp', application LIMIT 1;

CREATE TEMP VIEW IF NOT EXISTS own_code AS -- A GPU for which the torch that the text names has code, by the published list of its wheel.
-- gate: statement.name torch_rocm; statement.name gfx
SELECT g.value AS gfx, -- instruction set
	w.rocm AS rocm, -- release of the wheel, as wheel.rocm
	coalesce(instr(' ' || w.no_blas || ' ', ' ' || g.value || ' '), 0) = 0 AS blas, -- 1 if its libraries have kernels for it, too
	r.source AS source -- file:line, or the option
FROM main.statement r JOIN main.statement g ON g.name = 'gfx'
	JOIN kb.wheel w ON w.rocm = 'rocm' || r.version AND instr(' ' || w.targets || ' ', ' ' || g.value || ' ') > 0
WHERE r.name = 'torch_rocm'
	-- A nightly build has a list of its own.
	AND NOT EXISTS (SELECT 1 FROM main.statement v WHERE v.name IN ('torch', 'version') AND v.value LIKE '%dev2%');

CREATE TEMP VIEW IF NOT EXISTS reached_gpu AS -- A line that a program prints only after it has opened a GPU.
-- gate: event.signature hip-out-of-memory torch-out-of-memory torch-out-of-memory-old ggml-cuda-malloc-failed hip-invalid-device-function hip-no-binary-for-gpu hip-invalid-image hsa-memory-fault rccl-channel
SELECT e.signature AS signature, -- as event.signature
	e.text AS text, -- the line
	e.source AS source, -- file:line
	e.origin AS origin -- as event.origin
FROM main.event e
WHERE e.nth = 0 AND e.signature IN ('hip-out-of-memory', 'torch-out-of-memory', 'torch-out-of-memory-old', 'ggml-cuda-malloc-failed',
	'hip-invalid-device-function', 'hip-no-binary-for-gpu', 'hip-invalid-image', 'hsa-memory-fault', 'rccl-channel');

CREATE TEMP VIEW IF NOT EXISTS usable_override AS -- A value of HSA_OVERRIDE_GFX_VERSION with which a GPU runs the code of another one, where the runtime reads it. A program with an installer must have that code.
SELECT o.gfx AS gfx, -- instruction set of the GPU
	o.override AS target, -- whose code it then runs
	t.override AS value, -- of the variable, 10.3.0
	t.common AS common -- whether most builds have that code, as gfx_target.common
FROM kb.gfx_override o JOIN kb.gfx_target t ON t.gfx = o.override
WHERE o.verdict = 'good'
	AND NOT EXISTS (SELECT 1 FROM main.statement w WHERE w.name = 'system' AND w.value <> 'linux')
	AND NOT EXISTS (SELECT 1 FROM main.container w WHERE w.wsl_version IS NOT NULL)
	AND (NOT EXISTS (SELECT 1 FROM program_here h JOIN kb.build b ON b.application = h.application AND b.os = 'linux' AND b.kind = 'installer')
		OR EXISTS (SELECT 1 FROM program_here h JOIN kb.build b ON b.application = h.application AND b.os = 'linux' AND b.kind = 'installer'
			WHERE instr(' ' || b.targets || ' ', ' ' || o.override || ' ') > 0));

CREATE TEMP VIEW IF NOT EXISTS fitting_override AS -- A value of HSA_OVERRIDE_GFX_VERSION that a GPU runs with, where few builds have code for the GPU itself.
-- gate: agent
-- gate: statement.name gfx
SELECT d.gfx AS gfx, -- instruction set of the GPU
	t.target AS target, -- whose code it then runs
	t.value AS value, -- of the variable, 10.3.0
	d.source AS source -- of the GPU
FROM (SELECT gfx, source FROM main.device WHERE meant = 1
		UNION SELECT value, source FROM main.statement WHERE name = 'gfx' AND NOT EXISTS (SELECT 1 FROM main.device WHERE meant = 1)) d
	JOIN kb.gfx_target k ON k.gfx = d.gfx AND k.common = 0
	JOIN usable_override t ON t.gfx = d.gfx AND coalesce(t.common, 1) = 1
WHERE d.gfx NOT IN (SELECT gfx FROM own_code);

CREATE TEMP VIEW IF NOT EXISTS torch_package AS -- AMD's package of GPU code that gives torch the code of a GPU, where another torch can help.
-- gate: framework; agent
-- gate: statement.name gfx
SELECT e.prefix AS subject, -- prefix of the environment, or empty for a GPU that is stated
	p.extra AS extra, -- as device_package.extra
	p.url AS url, -- index that has it, as device_package.url
	e.source AS source, -- of the environment, or of what is stated
	e.origin AS origin -- observed, stated, log or probed
FROM main.environment e JOIN main.framework f ON f.environment = e.prefix AND f.name = 'torch'
	JOIN main.device d ON d.meant = 1 JOIN kb.device_package p ON p.gfx = d.gfx
WHERE e.kind <> 'application' AND NOT EXISTS (SELECT 1 FROM line_without_torch)
UNION ALL SELECT '', p.extra, p.url, s.source, s.origin FROM main.statement s JOIN kb.device_package p ON p.gfx = s.value
WHERE s.name = 'gfx' AND instr(' ' || p.os || ' ', ' linux ') > 0
	AND NOT EXISTS (SELECT 1 FROM main.statement w WHERE w.name = 'system' AND w.value <> 'linux')
	AND NOT EXISTS (SELECT 1 FROM main.statement w WHERE w.name = 'gfx' AND w.value <> s.value)
	AND NOT EXISTS (SELECT 1 FROM line_without_torch)
	AND (NOT EXISTS (SELECT 1 FROM main.event b WHERE b.signature = 'rocblas-cannot-read-tensile' AND (instr(b.text, 'read /opt/rocm') OR instr(b.text, 'read /usr/')))
		OR EXISTS (SELECT 1 FROM main.event b WHERE b.text LIKE '%torch%') OR EXISTS (SELECT 1 FROM main.statement b WHERE b.name = 'torch' OR (b.name = 'framework' AND b.value LIKE '%torch%')))
	AND NOT EXISTS (SELECT 1 FROM main.event c JOIN main.event k ON k.signature IN ('hip-no-kernel-image', 'hip-invalid-device-function') AND k.line - c.line BETWEEN 1 AND 6 WHERE c.signature = 'extension-call')
	AND NOT EXISTS (SELECT 1 FROM main.statement c WHERE c.name = 'framework' AND c.value = 'ComfyUI')
	AND NOT EXISTS (SELECT 1 FROM main.event c WHERE c.signature = 'bnb-ops-hip')
	AND NOT EXISTS (SELECT 1 FROM program_without_torch p WHERE p.beside_torch = 0);

CREATE TEMP VIEW IF NOT EXISTS old_adrenalin AS -- A driver of Windows that is older than the ROCm of a text or of an environment asks for. One row, or none.
-- gate: statement.name driver
SELECT r.subject AS subject, -- prefix of the environment; empty: the text says it
	d.version AS driver, -- release of Adrenalin
	r.rocm AS rocm, -- as it is told: 7.2
	n.least AS least, -- release of Adrenalin that it needs
	d.source AS source, -- of the driver
	d.origin AS origin -- observed, stated, log or probed
FROM main.statement d JOIN (SELECT '' AS subject, version AS rocm, origin FROM main.statement WHERE name IN ('torch_rocm', 'rocm', 'hip')
		UNION ALL SELECT environment, coalesce(CASE WHEN tag GLOB 'rocm[0-9]*' THEN substr(tag, 5) END, -- hip has a number of a build behind the second one
			substr(hip, 1, instr(hip, '.') + instr(substr(hip, instr(hip, '.') + 1) || '.', '.') - 1)), origin
		FROM main.framework WHERE build = 'rocm' AND origin = 'observed') r ON (r.origin = 'observed') = (d.origin = 'observed')
	JOIN kb.adrenalin_floor n ON version_cmp(r.rocm, n.rocm) >= 0
WHERE d.name = 'driver' AND version_cmp(d.version, '20.0') >= 0 AND version_cmp(d.version, n.least) < 0
ORDER BY version_cmp(n.least, '26.2.2') DESC, r.subject LIMIT 1;

CREATE TEMP VIEW IF NOT EXISTS only_integrated AS -- Every GPU that the text names is part of a processor: there is no card to move. One row, or none.
-- gate: statement.name gfx
SELECT min(t.gfx) AS gfx, -- instruction set of one of them
	min(s.source) AS source -- file:line, or the option
FROM main.statement s JOIN kb.gfx_target t ON t.gfx = s.value WHERE s.name = 'gfx'
HAVING count(*) > 0 AND min(coalesce(t.integrated, 0)) = 1;

CREATE TEMP VIEW IF NOT EXISTS build_target AS -- What a program is built for, so that it runs with and without the override that is set.
-- gate: agent
-- gate: statement.name gfx
SELECT g.gfx AS gfx, -- instruction set of the GPU
	g.gfx || CASE WHEN gfx_of_override(g.override) <> g.gfx THEN ';' || gfx_of_override(g.override) ELSE '' END AS targets, -- it, and the one that programs see while HSA_OVERRIDE_GFX_VERSION is set; as CMake lists them
	g.source AS source, -- of the GPU
	g.origin AS origin -- observed, stated, log or probed
FROM (SELECT d.gfx AS gfx, d.override AS override, d.source AS source, d.origin AS origin FROM main.device d WHERE d.meant = 1
	UNION ALL SELECT s.value, (SELECT o.value FROM main.statement o WHERE o.name = 'override' LIMIT 1), s.source, s.origin
	FROM main.statement s WHERE s.name = 'gfx' AND s.value IN (SELECT gfx FROM kb.gfx_target)) g;

CREATE TEMP VIEW IF NOT EXISTS known_gpu AS -- The GPU that a command is for: the one that the user states, else that of the text, else that of the machine. No row where there are two kinds.
-- gate: agent
-- gate: statement.name gfx
SELECT min(g.gfx) AS gfx, -- instruction set
	min(g.source) AS source, -- file:line, the option, or that of the device
	min(g.origin) AS origin -- observed, stated, log or probed
FROM (SELECT s.value AS gfx, s.source AS source, s.origin AS origin, CASE s.origin WHEN 'stated' THEN 0 ELSE 1 END AS after
	FROM main.statement s WHERE s.name = 'gfx' AND s.value IN (SELECT gfx FROM kb.gfx_target)
	UNION ALL SELECT d.gfx, d.source, d.origin, 2 FROM main.device d WHERE d.meant = 1 AND d.gfx IS NOT NULL) g
GROUP BY g.after HAVING count(DISTINCT g.gfx) = 1 ORDER BY g.after LIMIT 1;

CREATE TEMP VIEW IF NOT EXISTS setting_shown AS -- A setting of the text or of the machine, whether anything is known of it or not.
-- gate: setting
-- gate: env.origin !log
-- gate: env_setter
-- gate: kernel_arg
-- gate: module_rule
SELECT s.form AS form, -- as setting.form
	s.name AS name, -- as setting.name
	s.value AS value, -- as setting.value
	s.how AS how, -- as setting.how
	s.source AS source, -- file:line, or the question
	s.origin AS origin -- observed, stated, log or probed
FROM main.setting s
UNION ALL SELECT 'variable', e.name, e.value, 'set', e.source, e.origin FROM main.env e WHERE e.origin <> 'log' AND e.value <> '' AND e.name NOT IN ('HOME', 'LANG', 'PATH', 'SHELL', 'TERM', 'VIRTUAL_ENV') -- what every shell has
UNION ALL SELECT 'variable', f.name, f.value, 'set', f.source, f.origin FROM main.env_setter f
WHERE f.value <> '' AND NOT EXISTS (SELECT 1 FROM main.env e WHERE e.name = f.name)
UNION ALL SELECT 'kernel', k.name, k.value, 'set', k.source, k.origin FROM main.kernel_arg k -- of which most machines have only others
WHERE k.name IN (SELECT r.name FROM kb.setting_effect r WHERE r.form = 'kernel')
UNION ALL SELECT 'kernel', o.name, substr(o.behind, 1, instr(o.behind, ' ') - 1), 'set', o.source, o.origin
FROM (SELECT n.name AS name, m.source AS source, m.origin AS origin,
		substr(' ' || m.value || ' ', instr(' ' || m.value, ' ' || substr(n.name, length(m.module) + 2) || '=') + length(n.name) - length(m.module) + 1) AS behind
	FROM main.module_rule m JOIN (SELECT DISTINCT r.name AS name FROM kb.setting_effect r WHERE r.form = 'kernel') n ON n.name LIKE m.module || '.%'
		AND instr(' ' || m.value, ' ' || substr(n.name, length(m.module) + 2) || '=') > 0
	WHERE m.kind = 'options') o;

CREATE TEMP VIEW IF NOT EXISTS setting_case AS -- Such a setting with each thing that is known of it and holds here.
-- gate: setting_shown
SELECT n.form AS form, -- as setting.form
	n.name AS name, -- as setting.name
	n.value AS value, -- as setting.value
	n.how AS how, -- as setting.how
	n.source AS source, -- file:line, or the question
	n.origin AS origin, -- observed, stated, log or probed
	r.effect AS effect, -- as setting_effect.effect
	r.why AS why, -- the end of a sentence
	r.undo AS undo, -- as setting_effect.undo
	r.value IS NULL AS any_value, -- 1 if it holds whatever the value is
	coalesce(n.value GLOB r.value, 0) + (r.os NOT NULL) + (r.since NOT NULL) + (r.until NOT NULL) + 2 * (r.program NOT NULL) + 2 * (r.gfx NOT NULL) + 2 * (r.beside NOT NULL) + 2 * (r.signature NOT NULL) AS rank -- the highest is the most special
FROM setting_shown n JOIN kb.setting_effect r ON r.form = n.form AND r.name = n.name
WHERE (r.value IS NULL OR n.value GLOB r.value OR (n.value IS NULL AND n.how = 'asked' AND NOT EXISTS (SELECT 1 FROM kb.setting_effect o WHERE o.form = r.form AND o.name = r.name AND o.id <> r.id)))
	AND (r.os IS NULL OR (r.os = 'windows') = EXISTS (SELECT 1 FROM main.statement w WHERE w.name = 'system' AND w.value = 'windows'))
	AND (r.gfx IS NULL OR EXISTS (SELECT 1 FROM known_gpu g WHERE g.gfx GLOB r.gfx))
	AND (r.program IS NULL OR EXISTS (SELECT 1 FROM main.statement p WHERE p.name = replace(r.program, '.', '_') OR (p.name = 'framework' AND instr(lower(p.value), r.program) > 0))
		OR EXISTS (SELECT 1 FROM main.framework p WHERE p.name = r.program))
	AND (r.since IS NULL OR EXISTS (SELECT 1 FROM main.statement p WHERE p.name = replace(r.program, '.', '_') AND p.version NOT NULL AND version_cmp(p.version, r.since) >= 0)
		OR EXISTS (SELECT 1 FROM main.framework p WHERE p.name = r.program AND version_cmp(p.version, r.since) >= 0))
	AND (r.until IS NULL OR EXISTS (SELECT 1 FROM main.statement p WHERE p.name = replace(r.program, '.', '_') AND p.version NOT NULL AND version_cmp(p.version, r.until) < 0)
		OR EXISTS (SELECT 1 FROM main.framework p WHERE p.name = r.program AND version_cmp(p.version, r.until) < 0))
	AND (r.beside IS NULL OR EXISTS (SELECT 1 FROM setting_shown b WHERE b.name = r.beside AND b.how = 'set'))
	AND (r.signature IS NULL OR EXISTS (SELECT 1 FROM main.event e WHERE instr(' ' || r.signature || ' ', ' ' || e.signature || ' ') > 0))
UNION ALL SELECT n.form, n.name, n.value, n.how, n.source, n.origin, 'none', 'no program reads it' || coalesce('; ' || substr(v.note, 1, length(v.note) - (v.note LIKE '%.')), ''), NULL, 1, 0
FROM setting_shown n JOIN kb.env_variable v ON n.name GLOB v.name AND v.is_read = 0 WHERE n.form = 'variable'
UNION ALL SELECT n.form, n.name, n.value, n.how, n.source, n.origin, CASE o.verdict WHEN 'good' THEN 'right' WHEN 'harmful' THEN 'harmful' ELSE 'debug' END,
	'the GPU is ' || g.gfx || ', the value stands for ' || o.override || ': ' || lower(substr(o.why, 1, 1)) || substr(o.why, 2, length(o.why) - 1 - (o.why LIKE '%.')), NULL, 0, 3
FROM setting_shown n JOIN known_gpu g JOIN kb.gfx_override o ON o.gfx = g.gfx AND o.override = gfx_of_override(n.value)
WHERE n.name = 'HSA_OVERRIDE_GFX_VERSION' AND NOT EXISTS (SELECT 1 FROM main.statement w WHERE w.name = 'system' AND w.value = 'windows')
	AND NOT (o.verdict = 'good' AND g.gfx IN (SELECT c.gfx FROM own_code c))
	AND NOT (o.verdict = 'good' AND n.origin = 'observed' AND EXISTS (SELECT 1 FROM main.device) AND g.gfx NOT IN (SELECT d.gfx FROM main.device d WHERE d.gfx NOT NULL)) -- a GPU of the text alone does not need what this machine sets
UNION ALL SELECT n.form, n.name, n.value, n.how, n.source, n.origin, 'none', 'it names the GPU''s own target ' || g.gfx, NULL, 0, 3
FROM setting_shown n JOIN known_gpu g ON g.gfx = gfx_of_override(n.value)
WHERE n.name = 'HSA_OVERRIDE_GFX_VERSION' AND NOT EXISTS (SELECT 1 FROM main.statement w WHERE w.name = 'system' AND w.value = 'windows')
UNION ALL SELECT n.form, n.name, n.value, n.how, n.source, n.origin, 'none', 'the rocBLAS of this build has no kernels for ' || gfx_of_override(n.value) || ', which it stands for', NULL, 0, 9
FROM setting_shown n JOIN main.event e ON e.signature = 'rocblas-cannot-read-tensile' AND e.text LIKE '%' || gfx_of_override(n.value)
WHERE n.name = 'HSA_OVERRIDE_GFX_VERSION';

CREATE TEMP VIEW IF NOT EXISTS setting_judged AS -- Of each setting what is most special: what it does here.
-- gate: setting_case
SELECT c.form AS form, -- as setting.form
	c.name AS name, -- as setting.name
	CASE c.form WHEN 'command' THEN rtrim(substr(c.name, 1, instr(c.name || ' !', ' !') - 1)) ELSE c.name END || CASE WHEN c.value IS NULL OR c.value = '' OR c.form = 'command' OR (c.form = 'flag' AND c.any_value) THEN '' WHEN c.form = 'flag' AND c.name LIKE '--%' THEN ' ' || c.value ELSE '=' || c.value END AS what, -- it with its value
	c.how AS how, -- as setting.how
	c.source AS source, -- file:line, or the question
	c.origin AS origin, -- observed, stated, log or probed
	c.effect AS effect, -- as setting_effect.effect
	c.why AS why, -- the end of a sentence
	c.undo AS undo, -- as setting_effect.undo
	c.any_value AS any_value, -- 1 if it holds whatever the value is
	max(3 * c.rank + CASE c.how WHEN 'set' THEN 2 WHEN 'asked' THEN 1 ELSE 0 END) AS rank -- of the row that is taken
FROM setting_case c
WHERE NOT (c.value IS NULL AND c.how = 'asked' AND EXISTS (SELECT 1 FROM setting_shown s WHERE s.name = c.name AND s.how = 'set'))
GROUP BY c.form, c.name, CASE WHEN c.form IN ('variable', 'kernel') THEN coalesce(c.value, '') ELSE '' END;

CREATE TEMP VIEW IF NOT EXISTS setting_note AS -- What is said of it, the worst first.
-- gate: setting_judged
SELECT j.what AS what, -- it with its value
	CASE j.effect || CASE j.how WHEN 'asked' THEN '?' ELSE '' END
		WHEN 'none' THEN 'does nothing here' WHEN 'none?' THEN 'need not be set'
		WHEN 'masks' THEN 'hides the error and cures nothing' WHEN 'masks?' THEN 'should not be set, it would only hide the error'
		WHEN 'harmful' THEN 'does harm here' WHEN 'harmful?' THEN 'should not be set'
		WHEN 'right' THEN 'is right here, keep it' WHEN 'right?' THEN 'is right here'
		WHEN 'wrong-value' THEN 'is not right as it stands' WHEN 'wrong-value?' THEN 'would not be right like this'
		WHEN 'optional' THEN 'may stay' WHEN 'optional?' THEN 'is not needed'
		ELSE 'is only for a test' END || ': ' || j.why AS says, -- the rest of the sentence
	j.form AS form, -- as setting.form
	j.effect AS effect, -- as setting_effect.effect
	j.source AS source, -- file:line, or the question
	j.origin AS origin -- observed, stated, log or probed
FROM setting_judged j
WHERE j.how <> 'advised' AND (j.origin = 'log' OR j.effect NOT IN ('right', 'optional')) -- what a machine has rightly and nobody asked about
ORDER BY instr('harmful masks wrong-value none debug right optional', j.effect), j.source, j.what;

CREATE TEMP VIEW IF NOT EXISTS setting_undo AS -- How what hides an error or does harm is taken back. One row, or none.
-- gate: setting_judged
SELECT group_concat(u.undo, '; ') AS undo, -- the end of a sentence
	CASE WHEN max(u.form = 'kernel') THEN 'firmware-setting' WHEN max(u.form = 'variable') THEN 'unset-env' ELSE '' END AS kinds, -- of cure, as words_cure has them
	min(u.source) AS source, -- file:line, or the question
	min(u.origin) AS origin -- observed, stated, log or probed
FROM (SELECT j.form AS form, j.source AS source, j.origin AS origin, coalesce(j.undo, CASE j.form
		WHEN 'kernel' THEN 'take ' || j.what || ' off the kernel command line and reboot'
		WHEN 'flag' THEN 'start without ' || j.what
		WHEN 'variable' THEN CASE WHEN EXISTS (SELECT 1 FROM main.statement w WHERE w.name = 'system' AND w.value = 'windows') THEN 'delete the variable ' ELSE 'unset ' END || j.name END) AS undo
	FROM setting_judged j WHERE j.effect IN ('harmful', 'masks') AND j.how = 'set' ORDER BY j.source, j.what) u
WHERE u.undo NOT NULL
HAVING count(*) > 0;

CREATE TEMP VIEW IF NOT EXISTS feature_shown AS -- A feature that the text or the machine has switched on and that can be left out: one run without it tells whether it is to blame.
-- gate: setting_judged
SELECT j.undo AS off, -- the setting that switches it off
	j.what AS what, -- as it is on
	j.source AS source, -- file:line, or the question
	j.origin AS origin -- observed, stated, log or probed
FROM setting_judged j WHERE j.form = 'variable' AND j.how = 'set' AND j.effect = 'optional' AND j.undo GLOB j.name || '=?*'
ORDER BY length(j.name), j.name;

CREATE TEMP VIEW IF NOT EXISTS known_advice AS -- What a line of the program says to set: a pasted text is a stranger's, so the name is known, and the value is a number, a switch or one that the knowledge has.
-- gate: setting.how advised
-- gate: program_here
SELECT s.name AS name, -- as setting.name
	'variable' AS way, -- variable or option
	s.name || '=' || s.value AS what, -- it with its value
	s.source AS source, -- file:line
	s.origin AS origin -- log
FROM main.setting s
WHERE s.how = 'advised' AND s.form = 'variable' AND s.value GLOB '[A-Za-z0-9]*' AND s.value NOT GLOB '*[^A-Za-z0-9_.,:-]*' AND length(s.value) <= 40
	AND (EXISTS (SELECT 1 FROM kb.env_variable v WHERE v.name = s.name AND v.is_read = 1 AND (s.value NOT GLOB '*[^0-9.,]*' OR lower(s.value) IN ('true', 'false', 'on', 'off', 'yes', 'no')))
		OR EXISTS (SELECT 1 FROM kb.setting_effect r WHERE r.form = 'variable' AND r.name = s.name AND r.value = s.value)
		OR EXISTS (SELECT 1 FROM program_here h JOIN kb.program_act a ON a.application = h.application
			WHERE a.way = 'variable' AND (a.value = s.name || '=' || s.value OR (a.value GLOB s.name || '=[0-9]*' AND s.value NOT GLOB '*[^0-9.]*'))))
UNION ALL SELECT s.name, 'option', s.name || CASE o.value WHEN '' THEN '' ELSE ' ' || s.value END, s.source, s.origin
FROM main.setting s JOIN (SELECT substr(a.value, 1, instr(a.value || ' ', ' ') - 1) AS name, ltrim(substr(a.value, instr(a.value || ' ', ' '))) AS value
		FROM program_here h JOIN kb.program_act a ON a.application = h.application WHERE a.way = 'option' AND a.value GLOB '--*' AND a.value NOT GLOB '* --*') o
	ON o.name = s.name AND (o.value = '' OR o.value = s.value OR (o.value NOT GLOB '*[^0-9.]*' AND s.value GLOB '[0-9]*' AND s.value NOT GLOB '*[^0-9.]*' AND length(s.value) < 10))
WHERE s.how = 'advised' AND s.form = 'flag';

CREATE TEMP VIEW IF NOT EXISTS setting_advised AS -- Of such advice what may cure this failure: the step "the program itself says so". One row, or none.
-- gate: known_advice
SELECT a.what AS what, -- it with its value; of a variable one word of a shell
	a.way AS way, -- variable or option
	'line ' || CAST(substr(a.source, instr(a.source, ':') + 1) AS INTEGER) AS line, -- where it says so
	a.source AS source, -- file:line
	a.origin AS origin -- log
FROM known_advice a
WHERE NOT EXISTS (SELECT 1 FROM setting_shown b WHERE b.name = a.name AND b.how = 'set') -- it is made already
	-- It cures nothing here, or switches on what a failure is tested without.
	AND NOT EXISTS (SELECT 1 FROM setting_judged j WHERE j.name = a.name AND j.how = 'advised' AND (j.effect NOT IN ('right', 'optional') OR j.undo GLOB j.name || '=?*'))
	-- Steps of their own have these, where the GPU or the amounts of memory tell that they fit.
	AND a.name NOT IN ('HSA_OVERRIDE_GFX_VERSION', 'PYTORCH_ALLOC_CONF', 'PYTORCH_CUDA_ALLOC_CONF', 'PYTORCH_HIP_ALLOC_CONF')
	-- It only makes a program tell more.
	AND NOT EXISTS (SELECT 1 FROM (SELECT '*DEBUG*' AS name UNION ALL SELECT '*_LOG*' UNION ALL SELECT '*TRACE*' UNION ALL SELECT '*DUMP*' UNION ALL SELECT '*VERBOSE*' UNION ALL SELECT '*SERIALIZE*' UNION ALL SELECT '*BLOCKING*') n WHERE a.name GLOB n.name)
	AND NOT EXISTS (SELECT 1 FROM kb.program_act p WHERE p.act = 'debug-log' AND p.way = 'variable' AND p.value GLOB a.name || '=*')
ORDER BY CAST(substr(a.source, instr(a.source, ':') + 1) AS INTEGER) LIMIT 1;

CREATE TEMP VIEW IF NOT EXISTS refuted_set AS -- What a variable must not be given here, whichever cause it is for: diagnose/refute.h. What the answer says of a setting, no step of it contradicts.
-- gate: statement.name system; statement.value windows
-- gate: setting_judged
SELECT '' AS cause, -- for which it is refuted; empty: for all
	'sets HSA_OVERRIDE_GFX_VERSION' AS effect, -- a verb and what it is done to
	'only the Linux runtime reads it' AS why, -- one sentence
	s.source AS source -- file:line, or the option
FROM main.statement s WHERE s.name = 'system' AND s.value = 'windows'
UNION ALL SELECT '', 'sets ' || j.name, j.why, j.source FROM setting_judged j
WHERE j.form IN ('variable', 'kernel') AND j.any_value = 1 AND j.effect IN ('none', 'masks', 'harmful');

CREATE TEMP VIEW IF NOT EXISTS refuted_unset AS -- What must not be unset here.
-- gate: fitting_override
-- gate: setting_judged
SELECT '' AS cause, -- as refuted_set.cause
	'unsets HSA_OVERRIDE_GFX_VERSION' AS effect, -- a verb and what it is done to
	f.gfx || ' runs with ' || f.value || ' where a build has no code for it' AS why, -- one sentence
	f.source AS source -- file:line, or the option
FROM fitting_override f WHERE NOT EXISTS (SELECT 1 FROM main.statement o WHERE o.name = 'override'
	AND gfx_of_override(o.value) NOT IN (SELECT t.override FROM kb.gfx_override t WHERE t.gfx = f.gfx AND t.verdict = 'good'))
UNION ALL SELECT '', 'unsets ' || j.name, j.why, j.source FROM setting_judged j WHERE j.form = 'variable' AND j.effect = 'right' AND j.how <> 'advised';

CREATE TEMP VIEW IF NOT EXISTS refuted_question AS -- What need not be asked here.
-- gate: program_without_torch
SELECT '' AS cause, -- as refuted_install.cause
	'asks torch' AS effect, -- as refuted_install.effect
	p.name || ' does not use torch' AS why, -- one sentence
	p.source AS source -- file:line, or the option
FROM program_without_torch p WHERE p.beside_torch = 0
	AND NOT EXISTS (SELECT 1 FROM main.event e WHERE e.text LIKE '%torch%');

CREATE TEMP VIEW IF NOT EXISTS refuted_install AS -- What must not be installed here.
-- gate: program_without_torch
-- gate: statement.name framework
-- gate: event.signature bnb-rocm-library
-- gate: own_code
SELECT '' AS cause, -- for which it is refuted; empty: for all
	'installs torch' AS effect, -- a verb and what it is done to
	p.name || ' does not use torch' AS why, -- one sentence
	p.source AS source -- file:line, or the option
FROM program_without_torch p WHERE p.beside_torch = 0
UNION ALL SELECT '', 'installs torch', c.application || ' is linked to the torch that it brings', s.source
FROM main.statement s JOIN kb.program c ON c.brings_torch = 1 AND instr(lower(s.value), c.application) > 0 WHERE s.name = 'framework'
UNION ALL SELECT '', 'installs torch', 'bitsandbytes looks for a library for ROCm, so torch is a ROCm build', e.source
FROM main.event e WHERE e.nth = 0 AND e.signature = 'bnb-rocm-library'
UNION ALL SELECT 'framework-lacks-arch', 'installs torch', 'torch for ' || c.rocm || ' has code for ' || c.gfx, c.source
FROM own_code c
UNION ALL SELECT 'library-lacks-arch', 'installs torch', 'torch for ' || c.rocm || ' has the libraries'' kernels for ' || c.gfx, c.source
FROM own_code c WHERE c.blas = 1;
