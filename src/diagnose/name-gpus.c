#include "diagnose/name-gpus.h"

#include <string.h>

#include "base/buf.h"
#include "diagnose/fill.h"
#include "facts/column.h"
#include "facts/select.h"

/* In a path, in brackets or as part of a longer address it stands for itself. */
static bool is_word(const char *sentence, const char *at, size_t len)
{
	if (at > sentence && strchr("/(:", at[-1]))
		return false;
	return !at[len] || strchr(" ,;:.", at[len]);
}

/* The first time it is mentioned: one sentence does not say all of it twice. */
static const char *with_name(struct arena *a, const char *sentence, const char *subject,
			     const char *name)
{
	size_t len = strlen(subject);

	for (const char *at = strstr(sentence, subject); at; at = strstr(at + len, subject)) {
		struct buf out BUF_SCOPED = { 0 };

		if (!is_word(sentence, at, len))
			continue;
		buf_add(&out, sentence, (size_t)(at - sentence));
		buf_addf(&out, "%s%s", name, at + len);
		return arena_text(a, buf_get(&out));
	}
	return sentence;
}

/* Whoever takes a node out of service or a card out of it looks for the serial number. */
static bool wants_serial(const struct finding *f)
{
	return strcmp(f->action, "drain") == 0 || strcmp(f->action, "replace") == 0;
}

/* Evidence is often a line of the kernel log, which is quoted as it stands: only what begins so is named. */
static void name_one(struct arena *a, struct finding *f, const char *name, const char *serial)
{
	f->name = name;
	if (serial && wants_serial(f))
		f->name = arena_format(a, "%.*s, serial %s)", (int)strlen(name) - 1, name, serial);
	f->title = with_name(a, f->title, f->subject, f->name);
	for (size_t i = 0; i < f->sign_count; i++)
		if (f->signs[i].says &&
		    strncmp(f->signs[i].says, f->subject, strlen(f->subject)) == 0)
			f->signs[i].says = with_name(a, f->signs[i].says, f->subject, name);
}

/* Of a healthy machine nothing is named, and to name 64 partitions costs more than to ask after all causes. */
static bool has_subject(const struct finding *findings, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (findings[i].subject[0])
			return true;
	return false;
}

void name_gpus(sqlite3 *db, struct arena *a, struct finding *findings, size_t count)
{
	sqlite3_stmt *stmt;

	if (!has_subject(findings, count))
		return;
	stmt = select_kept(db, "SELECT subject, name, serial FROM gpu_name");
	while (select_next(stmt)) {
		const char *name = fill_clean(a, column_span(stmt, 1), FILL_VALUE_MAX, false);
		const char *serial = NULL;

		if (column_text_or_null(stmt, 2))
			serial = fill_clean(a, column_span(stmt, 2), FILL_VALUE_MAX, false);
		for (size_t i = 0; i < count; i++)
			if (strcmp(findings[i].subject, column_text(stmt, 0)) == 0)
				name_one(a, &findings[i], name, serial);
	}
	select_done(stmt);
}
