#include <stdio.h>
#include <string.h>

#include "facts/collect.h"
#include "parse/klog.h"
#include "parse/pci.h"

#define LEFT_OUT "... "

extern const char data_kernel_log[];

/* One answered line: "BOOT WALL UPTIME_US LEVEL TEXT", a dash for what is not known. */
struct answered_line {
	struct span boot;
	struct span wall;
	struct span uptime;
	struct span level;
	struct span text;
};

static bool line_parse(struct span rest, struct answered_line *ret)
{
	return span_cut(&rest, ' ', &ret->boot) && span_cut(&rest, ' ', &ret->wall) &&
	       span_cut(&rest, ' ', &ret->uptime) && span_cut(&rest, ' ', &ret->level) &&
	       (ret->text = rest).len > 0;
}

struct log_reading {
	struct root *root;
	struct facts *facts;
	struct arena *arena;
	const struct klog_table *table;
	const char *source;
	char boot_id[33]; /* of this boot, without dashes */
	int64_t seq;
};

static const char *boot_of(const struct log_reading *reading, const struct answered_line *line)
{
	if (span_is(line->boot, "."))
		return "this";
	if (line->boot.len != 32 || reading->boot_id[0] == '\0')
		return "unknown";
	return span_is(line->boot, reading->boot_id) ? "this" : "earlier";
}

static void add_line(struct log_reading *reading, const struct answered_line *line,
		     const struct klog_match *match)
{
	struct buf details BUF_SCOPED = { 0 };
	struct row r = row_of("kernel_log");
	struct pci_address address;
	char text[PCI_ADDRESS_MAX];
	uint64_t number;

	row_int(&r, "seq", reading->seq++);
	row_string(&r, "boot", boot_of(reading, line));
	if (span_u64(line->wall, &number))
		row_u64(&r, "wall_s", number);
	if (span_u64(line->uptime, &number))
		row_u64(&r, "uptime_us", number);
	if (span_u64(line->level, &number))
		row_u64(&r, "level", number);
	row_text(&r, "class", match->row->class);
	row_string(&r, "severity", klog_severity_name(match->row->severity));
	if (pci_address_find_word(line->text, &address)) {
		pci_address_write(&address, text);
		row_string(&r, "address", text);
	}
	for (unsigned int i = 0; i < match->row->holes; i++) {
		buf_text(&details, details.len ? " " : "");
		buf_span(&details, match->row->names[i]);
		buf_char(&details, '=');
		buf_span(&details, match->values[i]);
	}
	if (details.len > 0)
		row_text(&r, "detail", arena_span(reading->arena, buf_get(&details)));
	row_text(&r, "text", line->text);
	row_string(&r, "source", reading->source);
	facts_add(reading->facts, &r);
}

void collect_kernel_news(struct facts *f, const struct klog_table *table, struct span lines,
			 uint64_t wall_s)
{
	struct arena arena = { 0 };
	struct log_reading reading = {
		.facts = f, .arena = &arena, .table = table, .source = "kernel-log"
	};
	char when[24];
	struct answered_line line = { .boot = span_of(".") };
	struct klog_match match;

	snprintf(when, sizeof(when), "%llu", (unsigned long long)wall_s);
	line.wall = span_of(when);
	while (span_line(&lines, &line.text))
		if (klog_class(table, line.text, &match))
			add_line(&reading, &line, &match);
	arena_done(&arena);
}

/* Whether the source could be read at all. The recording child, which has no facts, only asks. */
static bool read_source(struct log_reading *reading, const char *question, bool earlier_only)
{
	struct klog_match match;
	struct answered_line line;
	struct span text;
	struct span rest;
	int error = root_ask(reading->root, question, &text);

	if (error < 0) {
		facts_gap(reading->facts, "kernel_log", question, error, question);
		return false;
	}
	reading->source = question;
	while (reading->facts && span_line(&text, &rest)) {
		if (span_starts(rest, LEFT_OUT)) /* "... 120 left out", in the middle of many */
			facts_gap_said(reading->facts, "kernel_log", question, "unasked",
				       arena_text(reading->arena,
						  (struct span){ rest.data + strlen(LEFT_OUT),
								 rest.len - strlen(LEFT_OUT) }),
				       question);
		if (!line_parse(rest, &line) || !klog_class(reading->table, line.text, &match))
			continue;
		if (earlier_only && strcmp(boot_of(reading, &line), "this") == 0)
			continue; /* the ring has told it */
		add_line(reading, &line, &match);
	}
	return true;
}

/* It is the same for all machines: read once for as many as there are. NULL: it is broken. */
static const struct klog_table *class_table(void)
{
	static struct klog_table *table;
	static struct arena arena;

	if (!table && klog_table_parse(&arena, span_of(data_kernel_log), &table, NULL) < 0)
		table = NULL;
	return table;
}

/*
 * The ring has this boot; a journal has earlier ones as well, and this one too
 * where the ring is denied. A text file has no boots and is the last resort.
 */
void collect_kernel_log(struct collect *c)
{
	struct log_reading reading = { .root = c->root, .facts = c->facts, .arena = &c->arena };
	struct span boot = { "", 0 };
	size_t n = 0;
	bool ring;

	reading.table = c->facts ? class_table() : NULL;
	if (c->facts && !reading.table) {
		facts_gap_said(c->facts, "kernel_log", "", "broken", "the table of classes", NULL);
		return;
	}
	(void)root_read(c->root, "/proc/sys/kernel/random/boot_id", &boot); /* without dashes */
	for (size_t i = 0; i < boot.len && n < 32; i++)
		if (boot.data[i] != '-' && boot.data[i] != '\n')
			reading.boot_id[n++] = boot.data[i];
	ring = read_source(&reading, "kernel-log", false);
	if (!read_source(&reading, "kernel-journal", ring) && !ring)
		read_source(&reading, "kernel-file", false);
}
