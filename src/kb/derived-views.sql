-- What follows from the facts and the tables of the world together, for more than one statement of the knowledge.
-- Temporary, because no other view can read two databases. Each has its name in words_derived (words.c).

CREATE TEMP VIEW IF NOT EXISTS program_without_torch AS -- A program that the text names and that does not compute with torch: another torch cannot help it.
SELECT c.application AS application, -- as start_command.application
	substr(s.value, 1, instr(s.value || ' (', ' (') - 1) AS name, -- as the text writes it, without a version in brackets
	EXISTS (SELECT 1 FROM main.statement t
		WHERE t.name = 'torch' OR (t.name = 'framework' AND lower(t.value) LIKE '%torch%')) AS beside_torch, -- 1 if the text names torch as well
	s.source AS source -- file:line, or the option
FROM main.statement s JOIN kb.start_command c ON instr(lower(s.value), c.application) > 0
WHERE s.name = 'framework' AND c.uses_torch = 0 AND lower(s.value) NOT LIKE '%torch%';

CREATE TEMP VIEW IF NOT EXISTS named_program AS -- The program that the text names, where it is not torch, a part of ROCm or a tool that only shows.
SELECT n.name AS name, -- as the text writes it, without what stands behind it: "OneTrainer (StabilityMatrix)"
	c.application AS application, -- as start_command.application; NULL: not known there
	c.package AS package, -- as start_command.package
	c.uses_torch AS uses_torch, -- as start_command.uses_torch
	n.source AS source -- file:line, or the option
FROM (SELECT trim(substr(s.value, 1, min(instr(s.value || ' (', ' ('), instr(s.value || ' / ', ' / '), instr(s.value || ', ', ', '),
		instr(s.value || ' with ', ' with '), instr(s.value || ' + ', ' + ')) - 1)) AS name, s.source AS source
	FROM main.statement s WHERE s.name = 'framework') n
	LEFT JOIN kb.start_command c ON instr(lower(n.name), c.application) > 0
WHERE length(n.name) > 1 AND lower(n.name) NOT LIKE '%torch%' AND lower(n.name) NOT LIKE 'roc%' AND lower(n.name) NOT LIKE 'hip%'
	AND lower(n.name) NOT LIKE '%opencl%' AND lower(n.name) NOT LIKE 'miopen%' AND lower(n.name) NOT LIKE 'migraphx%'
	AND lower(n.name) NOT LIKE 'amd%smi%' AND lower(n.name) NOT IN ('rccl', 'clr', 'comgr', 'clinfo', 'python', 'docker', 'none', 'opencl', 'linux', 'kernel');
