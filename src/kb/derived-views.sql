-- What follows from the facts and the tables of the world together, for more than one statement of the knowledge.
-- Temporary, because no other view can read two databases. Each has its name in words_derived (words.c).

CREATE TEMP VIEW IF NOT EXISTS program_without_torch AS -- A program that the text names and that does not compute with torch: another torch cannot help it.
SELECT c.application AS application, -- as program.application
	substr(s.value, 1, instr(s.value || ' (', ' (') - 1) AS name, -- as the text writes it, without a version in brackets
	EXISTS (SELECT 1 FROM main.statement t
		WHERE t.name = 'torch' OR (t.name = 'framework' AND lower(t.value) LIKE '%torch%')) AS beside_torch, -- 1 if the text names torch as well
	s.source AS source -- file:line, or the option
FROM main.statement s JOIN kb.program c ON instr(lower(s.value), c.application) > 0
WHERE s.name = 'framework' AND c.uses_torch = 0 AND lower(s.value) NOT LIKE '%torch%'
UNION SELECT c.application, c.application, EXISTS (SELECT 1 FROM main.statement t
		WHERE t.name = 'torch' OR (t.name = 'framework' AND lower(t.value) LIKE '%torch%')), s.source
FROM main.statement s JOIN kb.program c ON c.application = replace(s.name, '_', '.') AND c.uses_torch = 0;

CREATE TEMP VIEW IF NOT EXISTS line_without_torch AS -- A line that another program than torch writes, in a text that names no torch.
SELECT n.signature AS signature, -- as event.signature
	n.source AS source -- file:line
FROM main.event n
WHERE ((n.signature LIKE 'names-%' AND n.signature <> 'names-rccl-log') OR n.signature LIKE 'ollama-%' OR n.signature LIKE 'llama-%' OR n.signature LIKE 'ggml-%')
	AND NOT EXISTS (SELECT 1 FROM main.statement t WHERE t.name = 'torch');

CREATE TEMP VIEW IF NOT EXISTS named_program AS -- The program that the text names, where it is not torch, a part of ROCm or a tool that only shows.
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
WHERE length(n.name) > 1 AND lower(n.name) NOT LIKE '%torch%' AND lower(n.name) NOT LIKE 'roc%' AND lower(n.name) NOT LIKE 'hip%'
	AND lower(n.name) NOT LIKE '%opencl%' AND lower(n.name) NOT LIKE 'miopen%' AND lower(n.name) NOT LIKE 'migraphx%'
	AND lower(n.name) NOT LIKE 'amd%smi%' AND lower(n.name) NOT IN ('rccl', 'clr', 'comgr', 'clinfo', 'python', 'docker', 'none', 'opencl', 'linux', 'kernel');

CREATE TEMP VIEW IF NOT EXISTS program_here AS -- The program in whose words a step is said: the one that the text names, else the one that writes its lines. One row, or none.
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
SELECT g.value AS gfx, -- instruction set
	w.rocm AS rocm, -- release of the wheel, as wheel.rocm
	coalesce(instr(' ' || w.no_blas || ' ', ' ' || g.value || ' '), 0) = 0 AS blas, -- 1 if its libraries have kernels for it, too
	r.source AS source -- file:line, or the option
FROM main.statement r JOIN main.statement g ON g.name = 'gfx'
	JOIN kb.wheel w ON w.rocm = 'rocm' || r.version AND instr(' ' || w.targets || ' ', ' ' || g.value || ' ') > 0
WHERE r.name = 'torch_rocm'
	AND NOT EXISTS (SELECT 1 FROM main.statement v WHERE v.name IN ('torch', 'version') AND v.value LIKE '%dev2%'); -- a nightly build has a list of its own

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

CREATE TEMP VIEW IF NOT EXISTS only_integrated AS -- Every GPU that the text names is part of a processor: there is no card to move. One row, or none.
SELECT min(t.gfx) AS gfx, -- instruction set of one of them
	min(s.source) AS source -- file:line, or the option
FROM main.statement s JOIN kb.gfx_target t ON t.gfx = s.value WHERE s.name = 'gfx'
HAVING count(*) > 0 AND min(coalesce(t.integrated, 0)) = 1;

CREATE TEMP VIEW IF NOT EXISTS build_target AS -- What a program is built for, so that it runs with and without the override that is set.
SELECT g.gfx AS gfx, -- instruction set of the GPU
	g.gfx || CASE WHEN gfx_of_override(g.override) <> g.gfx THEN ';' || gfx_of_override(g.override) ELSE '' END AS targets, -- it, and the one that programs see while HSA_OVERRIDE_GFX_VERSION is set; as CMake lists them
	g.source AS source, -- of the GPU
	g.origin AS origin -- observed, stated, log or probed
FROM (SELECT d.gfx AS gfx, d.override AS override, d.source AS source, d.origin AS origin FROM main.device d WHERE d.meant = 1
	UNION ALL SELECT s.value, (SELECT o.value FROM main.statement o WHERE o.name = 'override' LIMIT 1), s.source, s.origin
	FROM main.statement s WHERE s.name = 'gfx' AND s.value IN (SELECT gfx FROM kb.gfx_target)) g;

CREATE TEMP VIEW IF NOT EXISTS known_gpu AS -- The GPU that a command is for: the one that the user states, else that of the text, else that of the machine. No row where there are two kinds.
SELECT min(g.gfx) AS gfx, -- instruction set
	min(g.source) AS source, -- file:line, the option, or that of the device
	min(g.origin) AS origin -- observed, stated, log or probed
FROM (SELECT s.value AS gfx, s.source AS source, s.origin AS origin, CASE s.origin WHEN 'stated' THEN 0 ELSE 1 END AS after
	FROM main.statement s WHERE s.name = 'gfx' AND s.value IN (SELECT gfx FROM kb.gfx_target)
	UNION ALL SELECT d.gfx, d.source, d.origin, 2 FROM main.device d WHERE d.meant = 1 AND d.gfx IS NOT NULL) g
GROUP BY g.after HAVING count(DISTINCT g.gfx) = 1 ORDER BY g.after LIMIT 1;

CREATE TEMP VIEW IF NOT EXISTS refuted_variable AS -- What must not be done to a variable here, whichever cause it is for: diagnose/refute.h.
SELECT '' AS cause, -- for which it is refuted; empty: for all
	'unsets HSA_OVERRIDE_GFX_VERSION' AS effect, -- a verb and what it is done to: sets, unsets
	f.gfx || ' runs with ' || f.value || ' where a build has no code for it' AS why, -- one sentence
	f.source AS source -- file:line, or the option
FROM fitting_override f WHERE NOT EXISTS (SELECT 1 FROM main.statement o WHERE o.name = 'override'
	AND gfx_of_override(o.value) NOT IN (SELECT t.override FROM kb.gfx_override t WHERE t.gfx = f.gfx AND t.verdict = 'good'))
UNION ALL SELECT '', 'sets HSA_OVERRIDE_GFX_VERSION', 'only the Linux runtime reads it', s.source
FROM main.statement s WHERE s.name = 'system' AND s.value = 'windows';

CREATE TEMP VIEW IF NOT EXISTS refuted_install AS -- What must not be installed here.
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
