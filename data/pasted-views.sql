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
