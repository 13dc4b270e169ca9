-- Which known defects fit a text.
-- In one statement: what is known in the words of statements, which is what was
-- said and beside it what is seen here; and for each defect how many of its
-- conditions are met, broken and open, and how many of its signatures were seen. A version is compared by
-- version_cmp(); of several that are known of a name one that fits is enough. Behind an end
-- that nothing confirms a condition is open: whether that release still has the defect is not known.
-- The system linux can only rule out: a text that names no other system is taken for one of Linux, as its steps are.
--
-- A defect of a product (the condition `framework`) needs it named in the text
-- or seen here; or a line that tells of one cause and that no other defect asks
-- for: whoever prints that is the product. What is only seen here makes no
-- defect of a text that shows none. Defects none of whose lines was met are not
-- judged at all (f): there are hundreds, and a text is of one or two. CROSS JOIN has
-- SQLite begin with f; without it, it goes through all of them. ?1 is whether any defect
-- has no signature: the knowledge says that once, and not for each text.

WITH f AS MATERIALIZED (
 SELECT defect FROM kb.defect_signature
  WHERE signature IN (SELECT signature FROM main.event)
 UNION SELECT n.id FROM kb.defect n WHERE ?1 AND NOT EXISTS (SELECT 1 FROM kb.defect_signature s WHERE s.defect = n.id)),
known AS MATERIALIZED (
 SELECT name, value, version, source, origin FROM main.statement
 UNION ALL SELECT 'gfx', gfx, NULL, source, origin FROM main.agent
  WHERE origin = 'observed' AND gfx IS NOT NULL
 UNION ALL SELECT 'kernel', kernel, kernel, source, origin FROM main.host
  WHERE origin = 'observed' AND kernel IS NOT NULL
 UNION ALL SELECT 'rocm', version, version, source, origin FROM main.rocm_install
  WHERE origin = 'observed'
 UNION ALL SELECT 'torch_rocm', hip, hip, source, origin FROM main.framework
  WHERE origin = 'observed' AND name = 'torch' AND hip IS NOT NULL
 UNION ALL SELECT replace(name, '.', '_'), version, version, source, origin
  FROM main.framework WHERE origin = 'observed' AND version IS NOT NULL
 UNION ALL SELECT 'mes', replace(version, '0x000000', '0x'), NULL, source, origin
  FROM main.firmware WHERE origin = 'observed' AND name = 'mes'
 UNION ALL SELECT 'system', 'wsl', NULL, source, origin FROM main.container
  WHERE origin = 'observed' AND wsl_version IS NOT NULL
 UNION ALL SELECT 'framework', p.name, NULL, p.source, p.origin FROM (
  SELECT name, source, origin FROM main.framework WHERE origin = 'observed'
  UNION ALL SELECT name, source, origin FROM main.statement
  UNION ALL SELECT signature, source, origin FROM main.event WHERE nth = 0) p
  WHERE NOT EXISTS (SELECT 1 FROM main.statement WHERE name = 'framework')),
c AS (
 SELECT w.defect, w.name,
  max(CASE WHEN s.value IS NULL THEN NULL
   WHEN w.words IS NOT NULL THEN word_fits(w.words, s.value)
   WHEN s.version IS NULL THEN NULL
   WHEN w.low IS NOT NULL AND version_cmp(s.version, w.low) < 0 THEN 0
   WHEN w.high IS NOT NULL AND version_cmp(s.version, w.high) >= 0
    THEN CASE WHEN w.is_end_known THEN 0 END
   ELSE 1 END) AS met,
  max(CASE WHEN NOT w.is_end_known AND version_cmp(s.version, w.high) >= 0
   THEN w.name || ' ' || s.value END) AS beyond,
  min(CASE WHEN w.name = 'gfx' AND s.origin <> 'observed'
   THEN word_fits(w.words, s.value) END) AS all_gpus,
  max(s.source) AS source, max(s.origin <> 'observed') AS said, w.is_end_known,
  w.name = 'framework' OR (w.name = 'system' AND coalesce(w.words, '') = 'linux') AS rules_out
 FROM f CROSS JOIN kb.defect_when w ON w.defect = f.defect LEFT JOIN known s ON s.name = w.name
 GROUP BY w.defect, w.name),
k AS (SELECT defect, sum(met = 0 AND name <> 'framework') AS broken,
  max(CASE WHEN name = 'framework' THEN coalesce(met, 0) = 0 END) AS foreign_product,
  sum(met = 1 AND NOT rules_out) AS met,
  sum(CASE WHEN name = 'framework' THEN coalesce(met, 0) = 0 ELSE met IS NULL AND NOT rules_out END) AS open,
  group_concat(CASE WHEN met IS NULL AND beyond IS NULL AND NOT rules_out THEN name END, ', ') AS unsaid,
  group_concat(CASE WHEN met IS NULL THEN beyond END, ', ') AS beyond,
  sum(met = 1 AND NOT is_end_known) AS unproven,
  sum(met = 1 AND NOT said AND NOT rules_out) AS shown,
  sum(met = 1 AND coalesce(all_gpus, 1) = 0) AS one_of_gpus,
  max(CASE WHEN met THEN source END) AS source FROM c GROUP BY defect),
o AS (SELECT signature FROM kb.defect_signature WHERE signature IN (SELECT signature
  FROM kb.suggests WHERE signature IN (SELECT signature FROM main.event)
  GROUP BY signature HAVING count(*) = 1)
  GROUP BY signature HAVING count(*) = 1),
g AS (SELECT d.defect, count(*) AS asked, sum(e.signature IS NOT NULL) AS seen,
  sum(e.signature IN (SELECT signature FROM o)) AS own,
  min(e.source) AS source FROM f CROSS JOIN kb.defect_signature d ON d.defect = f.defect
  LEFT JOIN main.event e ON e.signature = d.signature AND e.nth = 0 GROUP BY d.defect)
SELECT d.id, d.cause, d.title, d.cure, d.weight, coalesce(g.asked, 0), coalesce(g.seen, 0),
 coalesce(k.met, 0), coalesce(k.open, 0), coalesce(g.source, k.source, d.source),
 CASE WHEN g.own > 0 THEN 0 ELSE coalesce(k.shown, 0) END, d.fixed_in,
 CASE WHEN d.source LIKE 'https://%' THEN substr(d.source, 1, instr(replace(replace(d.source, ';', ' '), ',', ' ') || ' ', ' ') - 1) ELSE d.source END,
 coalesce((SELECT group_concat(kind, ' ') FROM kb.cure WHERE owner = d.id), ''),
 coalesce(k.unsaid, ''),
 coalesce((SELECT max(s.value || ' (' || CASE WHEN s.origin = 'stated' THEN 'as you stated'
  WHEN s.source GLOB 'input:[0-9]*' THEN 'line ' || substr(s.source, 7)
  ELSE s.source END || ')') FROM kb.defect_when w
  JOIN known s ON s.name = 'gfx' WHERE w.defect = d.id AND w.name = 'gfx'
  AND word_fits(w.words, s.value)), ''),
 coalesce(k.one_of_gpus, 0), coalesce(k.beyond, ''), coalesce(k.unproven, 0), u.reason
 FROM f CROSS JOIN kb.defect d ON d.id = f.defect
 LEFT JOIN k ON k.defect = d.id LEFT JOIN g ON g.defect = d.id
 LEFT JOIN kb.unchecked u ON u.owner = d.id
 WHERE coalesce(k.broken, 0) = 0
  AND (coalesce(k.foreign_product, 0) = 0 OR (coalesce(g.own, 0) > 0
   AND NOT EXISTS (SELECT 1 FROM main.statement WHERE name = 'framework')))
  AND (coalesce(g.seen, 0) > 0
   OR (g.asked IS NULL AND coalesce(k.open, 0) = 0 AND coalesce(k.shown, 0) = 0))
 ORDER BY d.id;
