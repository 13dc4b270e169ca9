#include "report/targets.h"

#include "base/json-write.h"

#define SCHEMA 1 /* only grows */

static void texts(struct json *j, const char *key, const char *const *list, size_t count)
{
	json_open(j, key, '[');
	for (size_t i = 0; i < count; i++)
		json_string(j, NULL, list[i]);
	json_close(j, ']');
}

static void write_cells(struct json *j, const struct targets *t, const struct targets_row *row)
{
	json_open(j, "covers", '[');
	for (size_t i = 0; t->required && i < t->device_count; i++) {
		const struct cover_cell *cell = &row->cells[i];

		json_open_row(j);
		json_string(j, "target", t->devices[i].id);
		json_string(j, "verdict", cover_name(cell->cover));
		json_string(j, "how", runs_name(cell->how));
		json_int(j, "in", cell->in);
		json_int(j, "of", cell->of);
		json_bool(j, "exempt", row->exempt[i]);
		json_close_row(j);
	}
	json_close(j, ']');
}

static void write_place(struct json *j, const struct targets_row *row)
{
	json_string(j, "path", row->path);
	json_string(j, "container", row->container);
	json_string(j, "member", row->member);
}

static void write_targets(struct json *j, const struct code *c)
{
	json_open(j, "targets", '[');
	for (size_t i = 0; i < c->target_count; i++) {
		json_open_row(j);
		json_string(j, "id", c->targets[i].id);
		json_int(j, "in", c->targets[i].in);
		json_close_row(j);
	}
	json_close(j, ']');
}

static void write_forms(struct json *j, const struct code *c)
{
	json_open(j, "forms", '{');
	for (int i = 0; i < CODE_FORMS; i++)
		if (c->forms[i] > 0)
			json_int(j, code_form_name((enum code_form)i), c->forms[i]);
	json_close(j, '}');
}

static void write_versions(struct json *j, const struct code *c)
{
	if (c->newest_cov == 0) {
		json_null(j, "code_object_versions");
		return;
	}
	json_open(j, "code_object_versions", '[');
	json_int(j, NULL, c->oldest_cov);
	json_int(j, NULL, c->newest_cov);
	json_close(j, ']');
}

static void write_archives(struct json *j, const struct code *c)
{
	json_string(j, "kpack_name", c->kpack_name);
	json_open(j, "archives", '[');
	for (size_t i = 0; i < c->archive_count; i++) {
		json_open_row(j);
		json_string(j, "path", c->archives[i].path);
		json_bool(j, "found", c->archives[i].found);
		json_int(j, "kernels", c->archives[i].kernels);
		json_close_row(j);
	}
	json_close(j, ']');
}

static void write_file(struct json *j, const struct targets *t, const struct targets_row *row)
{
	const struct code *c = row->code;

	json_open(j, NULL, '{');
	write_place(j, row);
	json_string(j, "kind", code_kind_name(c->kind));
	json_int(j, "size", (int64_t)c->size);
	json_string(j, "soname", c->soname);
	json_string(j, "followed", c->scanned ? "scan" : "index");
	json_int(j, "bundles", c->bundles);
	write_forms(j, c);
	write_versions(j, c);
	write_targets(j, c);
	write_archives(j, c);
	write_cells(j, t, row);
	json_bool(j, "judged", row->judged);
	texts(j, "problems", c->problems, c->problem_count);
	json_close(j, '}');
}

static void write_kernels(struct json *j, const struct targets *t, const struct targets_row *row)
{
	const struct kernels *k = row->kernels;

	json_open(j, NULL, '{');
	write_place(j, row);
	json_string(j, "kind", k->kind);
	json_int(j, "files", k->files);
	json_string(j, "followed", k->indexed ? "index" : "names");
	json_open(j, "targets", '[');
	for (size_t i = 0; i < k->arch_count; i++) {
		json_open_row(j);
		json_string(j, "id", k->archs[i].id);
		if (k->archs[i].unread)
			json_null(j, "index");
		else
			json_bool(j, "index", k->archs[i].index > 0);
		json_int(j, "tuned", k->archs[i].tuned);
		json_int(j, "fallback", k->archs[i].fallback);
		json_int(j, "helper", k->archs[i].helper);
		json_close_row(j);
	}
	json_close(j, ']');
	write_cells(j, t, row);
	json_bool(j, "judged", row->judged);
	texts(j, "problems", k->problems, k->problem_count);
	json_close(j, '}');
}

static void write_notes(struct json *j, const char *key, const struct targets_note *notes,
			size_t count)
{
	json_open(j, key, '[');
	for (size_t i = 0; i < count; i++) {
		json_open_row(j);
		json_string(j, "path", notes[i].path);
		json_string(j, "says", notes[i].says);
		json_close_row(j);
	}
	json_close(j, ']');
}

static void write_required(struct json *j, const struct targets *t)
{
	json_open(j, "required", '[');
	for (size_t i = 0; t->required && i < t->device_count; i++) {
		json_open_row(j);
		json_string(j, "target", t->devices[i].id);
		json_int(j, "lacking", t->devices[i].lacking);
		json_int(j, "unknown", t->devices[i].unknown);
		json_int(j, "of", t->judged);
		json_close_row(j);
	}
	json_close(j, ']');
}

void targets_json(const struct targets *t, struct buf *ret)
{
	struct json j = json_on(ret);

	json_open(&j, NULL, '{');
	json_int(&j, "schema", SCHEMA);
	json_string(&j, "verdict", targets_verdict_name(t->verdict));
	json_int(&j, "exit_status", targets_exit_status(t));
	write_required(&j, t);
	json_open(&j, "files", '[');
	for (size_t i = 0; i < t->row_count; i++)
		if (t->rows[i].code)
			write_file(&j, t, &t->rows[i]);
	json_close(&j, ']');
	json_open(&j, "kernels", '[');
	for (size_t i = 0; i < t->row_count; i++)
		if (t->rows[i].kernels)
			write_kernels(&j, t, &t->rows[i]);
	json_close(&j, ']');
	write_notes(&j, "nothing", t->nothing, t->nothing_count);
	write_notes(&j, "unread", t->unread, t->unread_count);
	write_notes(&j, "left_out", t->left_out, t->left_out_count);
	json_string(&j, "baseline", t->baseline);
	write_notes(&j, "lost", t->lost, t->lost_count);
	json_string(&j, "program", "rocsteady " ROCSTEADY_VERSION);
	json_close(&j, '}');
}
