#include "diagnose/finish.h"

#include <string.h>

#include "base/buf.h"
#include "diagnose/ways.h"

#define OURS "rocsteady advise"

static const struct rule known_gpu = {
	.id = "known GPU",
	.sql = "SELECT '' AS subject, gfx AS value, source, origin FROM known_gpu",
};

/* A GPU that AMD's index serves as it serves most: the command for it differs from others by its target alone. */
static const struct rule usual_gpu = {
	.id = "usual GPU",
	.sql = "SELECT '' AS subject, min(p.gfx) AS value, p.source, 'general' AS origin FROM device_package p"
	       " WHERE NOT EXISTS (SELECT 1 FROM statement s WHERE s.name = 'gfx') AND p.unmarked IS NULL"
	       " GROUP BY p.url ORDER BY count(*) DESC LIMIT 1",
};

static const char *const names[] = {
	[SYSTEM_LINUX] = "linux", [SYSTEM_WINDOWS] = "windows", [SYSTEM_WSL] = "wsl"
};

static bool is_ours(struct span line)
{
	return span_starts(line, "    ") && span_starts(span_trim(line), OURS);
}

/* What stands behind an option; empty, if it is not there. */
static struct span behind(struct span line, const char *option)
{
	struct span word;

	while (span_word(&line, &word))
		if (span_is(word, option))
			return span_word(&line, &word) ? word : (struct span){ 0 };
	return (struct span){ 0 };
}

/* With the GPU in the place of NAME or at the end, and the system if it is not Linux. */
static void add_command(struct buf *out, struct span line, const char *gfx, enum system system)
{
	struct span gpu = behind(line, "--gpu");

	if (span_is(gpu, "NAME")) {
		buf_add(out, line.data, (size_t)(gpu.data - line.data));
		buf_text(out, gfx);
		buf_add(out, gpu.data + gpu.len,
			line.len - (size_t)(gpu.data + gpu.len - line.data));
	} else {
		buf_span(out, line);
	}
	if (gpu.len == 0)
		buf_addf(out, " --gpu %s", gfx);
	if (system != SYSTEM_LINUX && !span_lists(line, "--os"))
		buf_addf(out, " --os %s", names[system]);
}

static const struct install_way *ask_way(struct asker *asker, const char *application,
					 const char *gfx)
{
	struct arena *a = asker->keep;
	struct way_wish wish = {
		.application = application,
		.system = names[asker->system],
		.gfxs = &gfx,
		.gfx_count = 1,
	};
	struct guard_aside aside = guard_aside(asker->guard);
	struct install_way *way = arena_alloc(a, sizeof(*way));
	size_t count;
	struct way_rule *rules =
		ways_load(asker->guard->db, a, wish.application, wish.system, &count);

	guard_back(asker->guard, &aside);
	ways_ask(asker->guard, a, &wish, rules, count, way, 1);
	return way;
}

/* NULL without one. The steps of many remedies print the same command: it is asked once. */
static const struct install_way *find_way(struct asker *asker, struct span line, const char *gfx)
{
	struct span application = behind(line, "--for");
	const char *wanted;
	const struct install_way *way;

	if (application.len == 0)
		application = SPAN_LITERAL("torch");
	wanted = arena_format(asker->keep, "%.*s %s", (int)application.len, application.data, gfx);
	way = map_find(&asker->ways, span_of(wanted));
	if (!way) {
		way = ask_way(asker, arena_text(asker->keep, application), gfx);
		map_put(&asker->ways, span_of(wanted), (void *)way);
	}
	return way->line ? way : NULL;
}

/* Whether an option is not there, or says this. */
static bool agrees(struct span line, const char *option, const char *value)
{
	struct span said = behind(line, option);

	return said.len == 0 || span_is(said, "NAME") || span_is(said, value);
}

/* With --verbose it prints more than one; for another GPU or system its answer is typed elsewhere. */
static void add_answer(struct asker *asker, struct buf *out, struct span line, const char *gfx)
{
	const struct install_way *way;

	if (span_lists(line, "--verbose") || !agrees(line, "--gpu", gfx) ||
	    !agrees(line, "--os", names[asker->system]) || !(way = find_way(asker, line, gfx)))
		return;
	buf_addf(out, "\nOutput, last checked %s:\n    %s", way->checked, way->line);
	if (way->caveat)
		buf_addf(out, "\nNote: %s.", way->caveat);
}

/* "device-gfx1100" as "device-gfxNNNN"; false, if the command does not name the target. */
static bool add_for_any(struct buf *out, struct span line, const char *gfx)
{
	struct span name = span_of(gfx);
	size_t at = span_find(line, name);

	if (at == SIZE_MAX)
		return false;
	for (; at != SIZE_MAX; at = span_find(line, name)) {
		buf_add(out, line.data, at);
		buf_text(out, "gfxNNNN");
		line = (struct span){ line.data + at + name.len, line.len - at - name.len };
	}
	buf_span(out, line);
	return true;
}

/* What is printed for most GPUs, for a reader who has no rocsteady on that machine. */
static void add_usual(struct asker *asker, struct buf *out, struct span line, const char *gfx)
{
	struct buf typed BUF_SCOPED = { 0 };
	const struct install_way *way;

	if (span_lists(line, "--verbose") || !(way = find_way(asker, line, gfx)) ||
	    !add_for_any(&typed, span_of(way->line), gfx))
		return;
	buf_addf(out,
		 "\nWithout rocsteady: this is its answer for most GPUs, with %s"
		 " in the place of gfxNNNN:\n    %s",
		 asker->system == SYSTEM_WINDOWS ? "the target of yours"
						 : "what rocminfo | grep gfx prints",
		 buf_get(&typed).data);
}

/* The GPU is not known: the lines as they are, and behind each of ours what it mostly prints. */
static const char *finish_any(struct asker *asker, const char *steps, const char *gfx)
{
	struct buf out BUF_SCOPED = { 0 };
	struct span rest = span_of(steps), line;

	while (span_line(&rest, &line)) {
		buf_addf(&out, out.len > 0 ? "\n%.*s" : "%.*s", (int)line.len, line.data);
		if (is_ours(line))
			add_usual(asker, &out, line, gfx);
	}
	return arena_text(asker->keep, buf_get(&out));
}

static const char *finish(struct asker *asker, const char *steps, const char *gfx)
{
	struct buf out BUF_SCOPED = { 0 };
	struct span rest = span_of(steps), line;

	while (span_line(&rest, &line)) {
		if (span_find(line, SPAN_LITERAL("in the place of NAME")) != SIZE_MAX)
			continue; /* a sentence of its own, for who does not tell the GPU */
		if (out.len > 0)
			buf_char(&out, '\n');
		if (!is_ours(line)) {
			buf_span(&out, line);
			continue;
		}
		add_command(&out, line, gfx, asker->system);
		add_answer(asker, &out, line, gfx);
	}
	return arena_text(asker->keep, buf_get(&out));
}

const char *finish_steps(struct asker *asker, const char *steps)
{
	struct asked asked;

	if (!steps || !strstr(steps, OURS))
		return steps;
	ask_statement(asker, &known_gpu, &asked);
	if (asked.count == 1)
		return finish(asker, steps, asked.facts[0].value);
	ask_statement(asker, &usual_gpu, &asked);
	return asked.count == 1 ? finish_any(asker, steps, asked.facts[0].value) : steps;
}
