#include "report/check.h"

#include <string.h>

#include "base/units.h"
#include "diagnose/gaps.h"
#include "facts/column.h"
#include "facts/select.h"
#include "report/check-sections.h"
#include "report/rows.h"

/*
 * "2 x Radeon RX 7900 XT (gfx1100, 20.0 GiB)"; of partitions, how many devices
 * programs see: "64 devices (8 x AMD Instinct MI300X OAM in CPX, gfx942, 192 GiB)".
 * Programs on an APU compute in GTT: its carve-out says little.
 */
static const char *product(sqlite3_stmt *stmt, const char *times, struct arena *a)
{
	struct buf out BUF_SCOPED = { 0 };
	const char *gfx = column_text(stmt, 2);
	bool inside = sqlite3_column_int(stmt, 3) != 0;
	int size = inside ? 5 : 4; /* the column: GTT or VRAM */
	const char *partition = column_text(stmt, 6);
	int devices = sqlite3_column_int(stmt, 7);
	bool parted = partition[0] && devices > sqlite3_column_int(stmt, 0);

	if (parted)
		buf_addf(&out, "%d devices (", devices);
	if (sqlite3_column_int(stmt, 0) > 1)
		buf_addf(&out, "%d %s ", sqlite3_column_int(stmt, 0), times);
	buf_text(&out, column_text(stmt, 1));
	if (parted)
		buf_addf(&out, " in %s, ", partition);
	else
		buf_text(&out, " (");
	buf_addf(&out, "%s%s", gfx[0] ? gfx : "gfx not known", inside ? ", integrated" : "");
	if (sqlite3_column_type(stmt, size) != SQLITE_NULL) {
		char bytes[UNITS_MAX];

		units_bytes((uint64_t)sqlite3_column_int64(stmt, size), bytes);
		buf_addf(&out, ", %s%s", bytes, inside ? " GTT" : "");
	}
	buf_char(&out, ')');
	return arena_text(a, buf_get(&out));
}

static const char **add_part(struct arena *a, const char **parts, size_t *count, const char *part)
{
	parts = arena_grow(a, parts, *count, sizeof(*parts));
	parts[(*count)++] = part;
	return parts;
}

static const char **products(struct facts *f, const char *times, struct arena *a, size_t *ret_count)
{
	static const char sql[] =
		"SELECT count(*), coalesce(product, 'AMD GPU ' || device_id, 'AMD GPU') AS name, gfx, "
		"coalesce(integrated, 0) AS inside, vram_total_bytes, max(gtt_total_bytes), "
		"coalesce(compute_partition, '') AS part, "
		"sum((SELECT count(*) FROM agent a WHERE a.address = gpu.address)) FROM gpu "
		"GROUP BY name, gfx, inside, vram_total_bytes, part ORDER BY inside, min(rowid)";
	sqlite3_stmt *stmt = rows_ask(f, sql);
	const char **parts = NULL;

	while (select_next(stmt))
		parts = add_part(a, parts, ret_count, product(stmt, times, a));
	sqlite3_finalize(stmt);
	return parts;
}

/* Each gives one part, or none. */
static const char *const sentences[] = {
	"SELECT coalesce((SELECT 'no AMD GPU on the PCI bus' FROM no_gpu), "
	"(SELECT 'the GPU of Windows (/dev/dxg)' FROM device_node WHERE path = '/dev/dxg' AND kind IS NOT NULL), "
	"(SELECT 'GPUs not known (' || standing || ')' FROM gap WHERE topic IN ('gpu', 'host.pci_functions') "
	"AND subject = '' ORDER BY standing = 'absent', standing LIMIT 1), 'GPUs not known') "
	"WHERE NOT EXISTS (SELECT 1 FROM gpu)",
	"SELECT 'kernel ' || kernel FROM host WHERE kernel IS NOT NULL",
	"SELECT distribution_name || coalesce(' ' || distribution_version, '') FROM host WHERE distribution = 'windows'",
	"SELECT coalesce(d.packaging, 'display driver') || ' ' || coalesce(s.value, d.version) || coalesce(' of ' || t.value, '') FROM driver d"
	" LEFT JOIN statement s ON s.name = 'driver' AND s.source = d.source LEFT JOIN statement t ON t.name = 'driver_date' AND t.source = d.source"
	" JOIN host h ON h.distribution = 'windows' WHERE coalesce(s.value, d.version) IS NOT NULL",
	("SELECT iif(loaded, name || coalesce(' ' || version, '') || coalesce(' (' || packaging || ')', ''), "
	 "name || ' not loaded') FROM driver WHERE name = 'amdgpu' AND (loaded OR EXISTS (SELECT 1 FROM gpu))"),
	"SELECT iif(kind = 'wsl', 'under WSL', 'in ' || kind) FROM container WHERE kind <> 'none'",
};

const char **check_machine(struct facts *f, const char *times, struct arena *a, size_t *ret_count)
{
	size_t count = 0;
	const char **parts = products(f, times, a, &count);

	for (size_t i = 0; i < sizeof(sentences) / sizeof(sentences[0]); i++) {
		sqlite3_stmt *stmt = rows_ask(f, sentences[i]);

		if (select_next(stmt))
			parts = add_part(a, parts, &count, column_copy(stmt, 0, a));
		sqlite3_finalize(stmt);
	}
	*ret_count = count;
	return parts;
}

const char *check_not_known(struct facts *f, struct arena *a)
{
	static const char sql[] =
		"SELECT group_concat(what, ', ') FROM (SELECT name || ' (' || group_concat(standing, '/') || ')' "
		"AS what FROM (SELECT DISTINCT relation AS name, standing FROM " GAPS_TOLD
		" ORDER BY 1, 2) "
		"GROUP BY name ORDER BY name)";
	sqlite3_stmt *stmt = rows_ask(f, sql);
	const char *text = NULL;

	if (select_next(stmt) && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		text = column_copy(stmt, 0, a);
	sqlite3_finalize(stmt);
	return text;
}

const char *check_not_known_ask(struct facts *f, struct arena *a)
{
	static const char sql[] =
		"SELECT CASE WHEN NOT EXISTS (SELECT 1 FROM " GAPS_TOLD " WHERE root_learns) "
		"THEN 'see: rocsteady facts gaps' WHEN (SELECT root FROM run) = 'live' "
		"THEN 'try: sudo rocsteady check' ELSE 'run there: sudo rocsteady check' END";
	sqlite3_stmt *stmt = rows_ask(f, sql);
	const char *text =
		select_next(stmt) ? column_copy(stmt, 0, a) : "see: rocsteady facts gaps";

	sqlite3_finalize(stmt);
	return text;
}

struct steps_owner check_owner(const struct check_report *r, struct arena *a)
{
	sqlite3_stmt *stmt =
		rows_ask(r->facts, "SELECT iif(home GLOB '*/user-*', home, NULL), "
				   "iif(user GLOB 'user-*', user, NULL) FROM identity");
	struct steps_owner owner = { 0 };

	if (select_next(stmt))
		owner = (struct steps_owner){ column_copy_or_null(stmt, 0, a),
					      column_copy_or_null(stmt, 1, a) };
	sqlite3_finalize(stmt);
	return owner;
}

/* The first finding is the worst; how many others there are is said. */
const char *check_sentence(const struct check_report *r, struct arena *a)
{
	static const char *const words[] = { [VERDICT_READY] = "Ready",
					     [VERDICT_DEGRADED] = "Degraded",
					     [VERDICT_NOT_READY] = "Not ready",
					     [VERDICT_UNDECIDED] = "Undecided" };
	const struct diagnosis *d = r->diagnosis;
	struct buf text BUF_SCOPED = { 0 };

	if (d->verdict == VERDICT_READY && d->left_out > 0) {
		buf_addf(&text, "The chosen checks found nothing; %zu checks were left out",
			 d->left_out);
		return arena_text(a, buf_get(&text));
	}
	buf_text(&text, words[d->verdict]);
	if (d->verdict == VERDICT_READY)
		buf_text(&text, ": found nothing that would stop a job on this machine");
	else if (d->verdict == VERDICT_UNDECIDED && d->blind)
		buf_addf(&text, ": the GPUs of this machine are not known, %s", d->blind);
	else if (d->verdict == VERDICT_UNDECIDED && d->late)
		buf_addf(&text, ": %s", d->late);
	else if (d->verdict == VERDICT_UNDECIDED && d->untested && !d->problem_open)
		buf_addf(&text, ": the GPU test could not tell, %s", d->untested);
	else if (d->verdict == VERDICT_UNDECIDED && d->crashed > 0 && !d->problem_open)
		buf_addf(&text, ": %zu %s not come to an end", d->crashed,
			 d->crashed == 1 ? "check did" : "checks did");
	else if (d->finding_count > 0) {
		buf_text(&text, ": ");
		section_title(&d->findings[0], &text);
	}
	return arena_text(a, buf_get(&text));
}
