#include "facts/collect.h"

#include <stdio.h>

#include "base/map.h"
#include "door/standing.h"

#define QUESTION   "identity"
#define GROUPS_MAX 65537 /* the main one, and as many as the kernel gives a process */

/* Groups that give access to GPUs. Any other one of the user stays a number. */
static const char *const known_names[] = { "render", "video" };
#define KNOWN (sizeof(known_names) / sizeof(known_names[0]))

struct known {
	uint64_t gid;
	bool found;
};

/* "uid 1000" -> "1000"; empty if the answer has no such line. */
static struct span value_of(struct span text, const char *key)
{
	struct span line;
	struct span word;

	while (span_line(&text, &line))
		if (span_word(&line, &word) && span_is(word, key))
			return span_trim(line);
	return (struct span){ text.data, 0 };
}

/* A system without the group is an answer, not a gap. */
static void ask_group(struct collect *c, const char *name, struct known *ret)
{
	struct row row = row_of("known_group");
	char question[32];
	struct span text;
	uint64_t gid;
	int r;

	snprintf(question, sizeof(question), "group %s", name);
	r = root_ask(c->root, question, &text);
	if (r == 0 && !span_u64(span_trim(text), &gid))
		r = -EBADMSG;
	if (r < 0) {
		if (r != -ENOENT)
			facts_gap(c->facts, "known_group", name, r, question);
		return;
	}
	row_string(&row, "name", name);
	row_u64(&row, "gid", gid);
	row_string(&row, "source", question);
	facts_add(c->facts, &row);
	*ret = (struct known){ gid, true };
}

static void add_group(struct collect *c, struct map *seen, uint64_t gid, const struct known *known)
{
	struct row row = row_of("identity_group");
	uint64_t *kept;

	if (map_find(seen, (struct span){ (const char *)&gid, sizeof(gid) }))
		return;
	c->groups = arena_grow(&c->arena, c->groups, c->group_count, sizeof(*c->groups));
	kept = &c->groups[c->group_count++];
	*kept = gid;
	/* The key lies in the array; where that has moved on, its old place stays readable. */
	map_put(seen, (struct span){ (const char *)kept, sizeof(*kept) }, kept);
	row_u64(&row, "gid", gid);
	for (size_t i = 0; i < KNOWN; i++)
		if (known[i].found && known[i].gid == gid)
			row_string(&row, "name", known_names[i]);
	row_string(&row, "source", QUESTION);
	facts_add(c->facts, &row);
}

static void add_groups(struct collect *c, struct span text, const struct known *known)
{
	struct span groups = value_of(text, "groups");
	struct map seen = { 0 };
	struct span word;
	uint64_t gid;

	if (span_u64(value_of(text, "gid"), &gid))
		add_group(c, &seen, gid, known);
	while (c->group_count < GROUPS_MAX && span_word(&groups, &word))
		if (span_u64(word, &gid))
			add_group(c, &seen, gid, known);
	if (span_word(&groups, &word))
		facts_gap_said(c->facts, "identity_group", "", "unasked", "too many groups",
			       QUESTION);
	map_done(&seen);
}

static void row_line(struct row *row, struct span text, const char *key)
{
	struct span value = value_of(text, key);

	if (value.len > 0)
		row_text(row, key, value);
}

void collect_identity(struct collect *c)
{
	struct known known[KNOWN] = { 0 };
	struct row row = row_of("identity");
	struct span text, process;
	uint64_t uid;
	uint64_t gid;
	int r;

	for (size_t i = 0; i < KNOWN; i++)
		ask_group(c, known_names[i], &known[i]);
	r = root_ask(c->root, QUESTION, &text);
	if (r == 0 && (!span_u64(value_of(text, "uid"), &uid) ||
		       !span_u64(value_of(text, "gid"), &gid) || value_of(text, "how").len == 0))
		r = -EBADMSG;
	if (r < 0) {
		facts_gap(c->facts, "identity", "", r, QUESTION);
		facts_gap(c->facts, "identity_group", "", r, QUESTION);
		return;
	}
	process = value_of(text, "process");
	if (span_starts(process, "/proc/") && span_find(process, SPAN_LITERAL("..")) == SIZE_MAX)
		c->process = arena_text(&c->arena, process);
	row_text(&row, "how", value_of(text, "how"));
	row_u64(&row, "uid", uid);
	row_u64(&row, "gid", gid);
	row_line(&row, text, "user");
	row_line(&row, text, "home");
	row_line(&row, text, "process");
	row_string(&row, "source", QUESTION);
	facts_add(c->facts, &row);
	add_groups(c, text, known);
	c->identity_known = true;
}
